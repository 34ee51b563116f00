import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { listRows } from '#shared/benchmarks/rows.ts'
import { Problem } from '#shared/benchmarks/scicode/problem.ts'
import scicode from '#shared/benchmarks/scicode/task.ts'
import { everyRow } from '#shared/benchmarks/survey.ts'
import type { DataIdentity } from '#shared/contract/run.ts'
import { openLoopbackServer, openTestEnv } from './loopback-server.ts'
import { openDataset } from './open-dataset.ts'
import { allRows } from './testing/all-rows.ts'

const shared = process.env.BENCH_SHARED ?? resolve(import.meta.dirname, '../../../shared')
const data = join(shared, 'data')
const absent = !existsSync(join(data, 'mmlu_pro/test.parquet')) && `no public data in ${data} (set BENCH_SHARED)`
if (absent) console.info(`skipped: ${absent}`)

const revision = '0123456789abcdef0123456789abcdef01234567'
const openHub = () =>
  openLoopbackServer((path, response) => {
    const [, , repo = '', set = ''] = path.split('/')
    createReadStream(join(data, set, path.slice(`/datasets/${repo}/${set}/resolve/${revision}/`.length))).pipe(response)
  })

async function openPublic(set: string, path: string, rows: number) {
  await using hub = await openHub()
  await using place = await openTestEnv(hub.origin)
  const identity: DataIdentity = { source: 'pinned', repo: `mirror/${set}`, revision, files: [{ role: 'test', path, sha256: null, rows }] }
  const outcome = await openDataset({ benchmark: set, identity, roles: ['test'] }, place.env)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  const { value } = outcome
  const list = await allRows(value.rows.test)
  await value.close()
  return { rows: { test: list }, seen: value.seen }
}

test.skipIf(absent)(
  '[DATA21] all 12,032 items of MMLU-Pro come through the hub path, with the known number in every category',
  async () => {
    const { rows, seen } = await openPublic('mmlu_pro', 'test.parquet', 12_032)
    const counts: Record<string, number> = {}
    for (const row of rows.test as { category: string; question_id: number; options: string[]; answer: string }[]) {
      counts[row.category] = (counts[row.category] ?? 0) + 1
      const fits =
        typeof row.question_id === 'number' && row.options.every((option) => typeof option === 'string') && /^[A-J]$/.test(row.answer)
      if (!fits) throw new Error(`row ${row.question_id} does not fit`)
    }
    expect(counts).toEqual({
      math: 1351,
      physics: 1299,
      chemistry: 1132,
      law: 1101,
      engineering: 969,
      other: 924,
      economics: 844,
      health: 818,
      psychology: 798,
      business: 789,
      biology: 717,
      philosophy: 499,
      'computer science': 410,
      history: 381,
    })
    expect(seen).toMatchObject([{ role: 'test', path: 'test.parquet', rows: 12_032, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  },
)

/** Counted in the bytes: the copy of IFEval that lies in `shared/data` has 540 of the 541 prompts that its README names. */
function countLines(path: string): number {
  return (
    readFileSync(join(data, path))
      .toString('latin1')
      .match(/[^\n]+/g)?.length ?? 0
  )
}

test.skipIf(absent)('[DATA21] every line of IFEval and IFBench comes out as a row with its own key', async () => {
  for (const [set, path] of [
    ['ifeval', 'input_data.jsonl'],
    ['ifbench', 'IFBench_test.jsonl'],
  ] as const) {
    const count = countLines(`${set}/${path}`)
    expect(count).toBeGreaterThanOrEqual(300)
    const { rows } = await openPublic(set, path, count)
    const keys = new Set((rows.test as { key: unknown }[]).map((row) => row.key))
    expect(keys.size).toBe(count)
    expect(rows.test?.[0]).toMatchObject({ prompt: expect.any(String), instruction_id_list: expect.any(Array) })
  }
})

test.skipIf(!existsSync(join(data, 'scicode')))(
  '[SCORE191] a real problem of SciCode opens: twelve steps, all of them asked for and tested',
  async () => {
    const { rows } = await openPublic('scicode', 'problem_77.jsonl', 1)
    const context = { profile: scicode.card.profiles.find(({ id }) => id === 'builtin')!, texts: {} }
    const items = scicode.open({ ...context, rows: { test: listRows(rows.test), targets: listRows([{}]) }, survey: everyRow })
    const item = await (await items).item(0, 0)
    expect(item).toMatchObject({ source_id: '77', target: 'Every step passes its tests; no code is published.' })
    const steps = Problem.parse(item.metadata).steps
    expect(steps.map(({ number, tested, given }) => [number, tested, given])).toEqual(
      steps.map((_, index) => [`77.${index + 1}`, true, null]),
    )
    expect(steps).toHaveLength(12)
    expect(item.messages[0]!.content).toContain('def wrap(r, L):')
  },
)
