import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { runBench } from './cli/fixture-api.ts'
import { pinnedKey, verifyFile } from './cli/verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-dialogues-'))
afterAll(() => rmSync(folder, { recursive: true }))
const nowhere = 'http://127.0.0.1:9'
const env = { BENCH_DATA: join(folder, 'data'), HF_ENDPOINT: nowhere, GITHUB_RAW_ENDPOINT: nowhere, GITHUB_ARCHIVE_ENDPOINT: nowhere }
const recordsIn = (dir: string): TrialRecord[] =>
  readFileSync(join(dir, 'records.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line)) // the agent wrote it as such lines

test('[TAU36] the demo model plays agent and user of every sample dialogue, some rightly and some not, and the verifier computes every reward anew', async () => {
  const asked = [
    'run',
    '--local',
    '-b',
    'tau2_bench_telecom',
    '--profile',
    'builtin',
    '--data',
    'sample',
    '--json',
    '--out',
    join(folder, 'demo'),
  ]
  const { code, out: printed, err } = await runBench(asked, env)
  expect({ code, err: code === 0 ? [] : err }).toEqual({ code: 0, err: [] })
  const { head, dir, bundle, metrics } = JSON.parse(printed.at(-1)!)
  expect(head).toMatchObject({ status: 'succeeded', done: 32, failures: {} })
  const records = recordsIn(dir)
  for (const { evidence, outcome, source_id, roles } of records) {
    if (evidence?.kind !== 'dialogue') throw new Error('no dialogue')
    expect([source_id, evidence.end, evidence.errors, evidence.broken]).toEqual([source_id, 'user-stop', 0, []])
    const right = evidence.turns.every((turn) => turn.type === 'result' || !turn.text.startsWith('I cannot'))
    expect([source_id, outcome]).toEqual([source_id, right ? 'right' : 'wrong'])
    expect(roles?.user?.calls).toBeGreaterThan(1)
  }
  const right = records.filter(({ outcome }) => outcome === 'right').length
  expect([right > 12, right < 32]).toEqual([true, true])
  expect(metrics.tau2_bench_telecom.avg_at_k).toMatchObject({ value: right / 32, n: 32 })
  const keys = [pinnedKey(readFileSync(join(dir, 'public_key.txt'), 'utf8'))]
  const { report } = await verifyFile(bundle, { keys, now: new Date() })
  expect({ errors: report.errors, rescored: report.rescored }).toEqual({ errors: [], rescored: 32 })
})
