import type { SandboxNeeds, SandboxPool } from '../../contract/resources.ts'
import { type MatchAgent, type MatchPart, type MatchRun, slotsOf } from '../match/fleet.ts'
import type { Given } from '../match/match-fleet.ts'

/** Runs, agents and what they need, for tests of matching, with whatever the caller wants different. */
export const part = (more: Partial<MatchPart> = {}): MatchPart => ({
  benchmarks: ['alpha'],
  open: 1000,
  sandbox: null,
  alone: false,
  typical_seconds: 20,
  ...more,
})
export const run = (run_id: string, more: Partial<MatchRun> = {}): MatchRun => ({
  run_id,
  owner_id: 'ann',
  visibility: 'private',
  priority: 0,
  created_at: '2026-01-01T00:00:00Z',
  needs: ['llm'],
  concurrency: 64,
  parts: [part()],
  ...more,
})
export const agent = (session: string, slots: number, more: Partial<MatchAgent> = {}): MatchAgent => ({
  session,
  slots,
  capabilities: ['llm'],
  sandboxes: [],
  ...more,
})
export const sandbox = (more: Partial<SandboxNeeds> = {}): SandboxNeeds => ({
  kinds: ['docker'],
  cpus: 2,
  memory_mb: 4096,
  disk_mb: 10_000,
  images: [],
  ...more,
})
export const pool = (cpus: number, more: Partial<SandboxPool> = {}): SandboxPool => ({
  kinds: ['bwrap', 'docker'],
  cpus,
  memory_mb: cpus * 4096,
  disk_mb: cpus * 10_000,
  ...more,
})
export const at = (given: Given, session: string, run_id: string): number =>
  slotsOf((given.get(session) ?? []).find((one) => one.run_id === run_id)?.shares ?? [])
export const all = (given: Given, run_id: string): number => [...given.keys()].reduce((sum, session) => sum + at(given, session, run_id), 0)
export const total = (given: Given, session: string): number => given.get(session)!.reduce((sum, { shares }) => sum + slotsOf(shares), 0)
export const text = (given: Given): string => JSON.stringify([...given].sort(([a], [b]) => (a < b ? -1 : 1)))
