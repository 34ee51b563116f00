import type { PlannedBenchmark, RunSpec } from '../../contract/run.ts'
import { TrialRecord } from '../../contract/trial.ts'
import type { EndedEpisode } from '../report-episode.ts'
import { rewardEvidence } from './evidence.ts'

const run: Pick<RunSpec, 'run_id' | 'model'> = {
  run_id: '0b7c2d4e-1f3a-4b5c-8d6e-7f8091a2b3c4' as RunSpec['run_id'], // a UUID
  model: { id: 'model-1', slug: 'maker/model', provider: 'chutes' },
}
const benchmark: Pick<PlannedBenchmark, 'name' | 'profile'> = { name: 'terminal_tasks', profile: 'terminus-2' }

/** A record of a terminal task that was solved, with what differs. */
export const episodeRecord = (changes: Partial<TrialRecord> = {}): TrialRecord =>
  TrialRecord.parse({
    ...{
      ordinal: 0,
      attempt: 1,
      benchmark: 'terminal_tasks',
      item_id: '0',
      epoch: 0,
      source_id: 'org/write-hello',
      item_hash: 'h',
      group: null,
    },
    ...{ outcome: 'right', score: 1, answer: '1', expected: '1', explanation: 'Reward 1.', flags: [], detail: {} },
    messages: [{ role: 'user', content: 'Write hello.' }],
    params: null,
    evidence: rewardEvidence([{}], { agent: { name: 'terminus-2', version: '2.0.0' }, text: 'Done.' }),
    failure: null,
    item_metadata: { checksum: 'c'.repeat(64), digest: `sha256:${'d'.repeat(64)}` },
    usage: { input_tokens: 100, output_tokens: 20, cached_tokens: 10, reasoning_tokens: 0 },
    ...{ cost_usd: 0.5, calls: 2, model_reported: null, system_fingerprint: null, latency_ms: 1, ttft_ms: 1, max_gap_ms: 1 },
    ...changes,
  })

/** The same as an episode of a run, ended at noon. */
export const endedEpisode = (changes: Partial<TrialRecord> = {}, profile = 'terminus-2'): EndedEpisode => ({
  record: episodeRecord(changes),
  finished_at: '2026-11-24T12:00:00.000Z',
  run,
  benchmark: { ...benchmark, profile },
})
