import { expect, test } from 'vitest'
import { cards } from '#shared/benchmarks/cards.ts'
import { BenchmarkList } from '#shared/contract/api.ts'
import { openApp } from '../testing/call-app.ts'

test('[API470] a benchmark names the sandbox that no connected agent has, and nothing where one has it', async () => {
  const app = openApp({ cards })
  const lacks = async () => {
    const { benchmarks } = BenchmarkList.parse(await (await app.call('GET', '/api/benchmarks')).json())
    return Object.fromEntries(benchmarks.map(({ name, lacks }) => [name, lacks]))
  }
  const before = await lacks()
  expect(before.terminal_tasks).toContain('a sandbox (machine)')
  expect(before.mmlu_pro).toBeNull()
  const all = { cpus: 64, memory_mb: 262_144, disk_mb: 1_000_000 }
  const proof = { kind: 'machine' as const, ok: true, probed: 'start', detail: '', at: '2026-01-01T00:00:00Z' }
  const resources = { machine: all, sandboxes: [{ ...all, kinds: ['machine' as const] }], proofs: [proof] }
  const known = { agent_id: 'a', session: 's', host: 'h', version: '1', capabilities: ['llm'], connected_at: proof.at }
  app.agents.push({ ...known, slots: 8, free_slots: 8, running: 0, draining: false, resources })
  expect((await lacks()).terminal_tasks).toBeNull()
})
