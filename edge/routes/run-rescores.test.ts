import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import type { Task } from '#shared/benchmarks/task.ts'
import { Rescore, RescoreList, RescorePage } from '#shared/contract/rescore.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { keyOf } from '../artifacts/bucket.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleCard, exampleCards, exampleEnded, examplePlanned, exampleSpec, exampleTrials } from '../testing/example-records.ts'
import { mostTrials } from './rescore-here.ts'

const withTables = exampleCard({ name: 'ifeval' })
withTables.profiles[0]!.tables = ['punkt_english', 'langdetect_profiles']

/** The scorer of these tests reads every answer as C: of the example trials one is right, one wrong stays C, two change. */
const score = (item: { target: string }) => ({
  ...{ value: item.target === 'C' ? 1 : 0, outcome: item.target === 'C' ? ('right' as const) : ('wrong' as const), answer: 'C' },
  ...{ explanation: 'The answer is B', flags: [], detail: {} },
})

/** An ended run of anna over an open benchmark, a gated one and one whose scorer reads tables. */
async function endedRun(given: Partial<RunSpec> = {}, scorer: Pick<Task, 'score'>['score'] = score) {
  const cards = [...exampleCards, withTables]
  const app = openApp({ cards, recomputation: { tasks: async () => ({ score: scorer }) } })
  const benchmarks = [
    examplePlanned({ name: 'mmlu_pro' }),
    examplePlanned({ name: 'gpqa_diamond', gated: true }),
    examplePlanned({ name: 'ifeval' }),
  ]
  const spec = exampleSpec({ owner_id: 'anna', benchmarks, ...given })
  const trials = [...exampleTrials(), ...exampleTrials('gpqa_diamond'), ...exampleTrials('ifeval')]
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  app.record.trials.set(
    spec.run_id,
    trials.map((trial, ordinal) => ({ ...trial, record: { ...trial.record, ordinal } })),
  )
  const anna = bearer(await giveKey(app, 'anna'))
  const at = (path: string) => `/api/runs/${spec.run_id}${path}`
  const post = (path: string, body: unknown = {}, headers = anna) => app.call('POST', at(path), { body, headers })
  const get = (path: string, headers: Record<string, string> = {}) => app.call('GET', at(path), { headers })
  return { ...app, spec, anna, post, get }
}

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

test('[API85] a rescoring names both versions, both scores and every trial that came out otherwise, and changes nothing of the run', async () => {
  const { post, get, record, spec } = await endedRun()
  const before = structuredClone([record.runs.get(spec.run_id), record.trials.get(spec.run_id)])
  const response = await post('/rescore', { benchmark: 'MMLU_Pro' })
  expect(response.status).toBe(201)
  const { rescores } = RescoreList.parse(await response.json())
  expect(rescores).toMatchObject([
    {
      ...{ benchmark: 'mmlu_pro', computed_by: 'edge', code_version: '0.1.0', headline: 'accuracy', run_id: spec.run_id },
      ...{ from: { version: 1, fingerprint: null }, to: { version: 1, fingerprint: 'f'.repeat(64) } },
      counts: { trials: 4, failed: 1, unchanged: 1, changed: 2, not_recomputed: {} },
      ...{ before: { accuracy: { value: expect.closeTo(2 / 3), n: 3 } }, after: { accuracy: { value: 0, n: 3 } } },
    },
  ])
  const shown = RescorePage.parse(await (await get(`/rescores/${rescores[0]!.id}`)).json())
  expect(shown).toMatchObject({ rescore: rescores[0], total: 2, next: null })
  expect(shown.differences).toMatchObject([
    { ordinal: 0, item_id: '0', before: { outcome: 'right', answer: 'B' }, after: { outcome: 'wrong', answer: 'C', score: 0 } },
    { ordinal: 3, item_id: '3', before: { outcome: 'right', answer: '=1+1' }, after: { outcome: 'wrong', answer: 'C' } },
  ])
  expect([record.runs.get(spec.run_id), record.trials.get(spec.run_id)]).toEqual(before)
  expect(record.rescores.get(rescores[0]!.id)?.owner_id).toBe('anna')
})

test('[API85] differences come in pages in the order of the plan', async () => {
  const { post, get } = await endedRun()
  const { rescores } = RescoreList.parse(await (await post('/rescore', { benchmark: 'mmlu_pro' })).json())
  const page = async (query: string) => RescorePage.parse(await (await get(`/rescores/${rescores[0]!.id}?${query}`)).json())
  const first = await page('limit=1')
  expect([first.differences.map((one) => one.ordinal), first.next, first.total]).toEqual([[0], 0, 2])
  const second = await page('limit=1&after=0')
  expect([second.differences.map((one) => one.ordinal), second.next]).toEqual([[3], null])
})

/** What the first trial of `mmlu_pro` answered lies in the bucket, and its record has the beginning of it. */
async function runWithLongAnswer() {
  const lastLetter = (item: { target: string }, { text }: { text: string }) => ({ ...score(item), explanation: text.slice(-3) })
  const made = await endedRun({}, lastLetter)
  const trials = made.record.trials.get(made.spec.run_id)!
  const head = trials[0]!.record.evidence!
  const bytes = new TextEncoder().encode(
    JSON.stringify({ ...head, text: `${'text' in head && head.text} and so on, END`, reasoning: 'long' }),
  )
  const hash = bytesToHex(sha256(bytes))
  const file = { name: 'evidence.json', kind: 'file' as const, media_type: 'application/json', bytes: bytes.length, sha256: hash }
  trials[0] = { ...trials[0]!, record: { ...trials[0]!.record, flags: ['answer_cut'], artifacts: [file] } }
  const key = keyOf(made.spec.run_id, hash)
  made.bucket.objects.set(key, { bytes: bytes.slice(), uploaded_at: made.deps.now() })
  const compute = async () => RescoreList.parse(await (await made.post('/rescore', { benchmark: 'mmlu_pro' })).json()).rescores[0]!
  return { ...made, key, compute }
}

test('[EXP65] the server reads an answer that is too large for its record from its bucket, and scores all of it', async () => {
  const { compute, get } = await runWithLongAnswer()
  const { id, counts } = await compute()
  expect(counts.not_recomputed).toEqual({})
  const { differences } = RescorePage.parse(await (await get(`/rescores/${id}`)).json())
  expect(differences.find(({ ordinal }) => ordinal === 0)).toMatchObject({ after: { explanation: 'END', flags: ['answer_cut'] } })
})

test('[EXP65] where the bucket does not have it, or there is none, that is counted; one that is away is 503', async () => {
  const { compute, bucket, deps, key, post, record } = await runWithLongAnswer()
  bucket.away = true
  expect((await post('/rescore', { benchmark: 'mmlu_pro' })).status).toBe(503)
  expect(record.rescores.size).toBe(0)
  bucket.away = false
  bucket.objects.delete(key)
  expect((await compute()).counts.not_recomputed).toEqual({ 'evidence-apart': 1 })
  deps.artifacts = null
  expect((await compute()).counts.not_recomputed).toEqual({ 'evidence-apart': 1 })
})

test('[API86] what this server cannot compute is refused whole, with the command that can', async () => {
  const { post, record, spec } = await endedRun()
  for (const body of [{}, { benchmark: 'ifeval' }]) {
    const response = await post('/rescore', body)
    const problem = (await response.json()) as { code: string; detail: string }
    expect([response.status, problem.code]).toEqual([422, 'rescore-elsewhere'])
    expect(problem.detail).toContain('punkt_english, langdetect_profiles')
    expect(problem.detail).toContain(`bench rescore ${spec.run_id} --save`)
  }
  const run = record.runs.get(spec.run_id)!
  const many = { ...run.head.benchmarks.mmlu_pro!, right: mostTrials }
  record.runs.set(spec.run_id, { ...run, head: { ...run.head, benchmarks: { ...run.head.benchmarks, mmlu_pro: many } } })
  expect(await codeOf(await post('/rescore', { benchmark: 'mmlu_pro' }))).toBe('rescore-elsewhere')
  expect(record.rescores.size).toBe(0)
})

test('[API86] an app without scorers, and a profile that is gone, say so', async () => {
  const { record, anna } = await endedRun()
  const bare = openApp()
  Object.assign(bare.record, record)
  const [run_id] = record.runs.keys()
  const response = await bare.call('POST', `/api/runs/${run_id}/rescore`, { body: { benchmark: 'mmlu_pro' }, headers: anna })
  expect(await codeOf(response)).toBe('rescore-elsewhere')
  const gone = await endedRun({ benchmarks: [examplePlanned({ name: 'mmlu_pro', profile: 'of-old' })] })
  expect(await codeOf(await gone.post('/rescore'))).toBe('rescore-elsewhere')
})

test('[API87] the owner may keep what his machine computed; counts and scores are computed from the record', async () => {
  const { post } = await endedRun()
  const after = { outcome: 'wrong', score: 0, answer: 'C', explanation: 'no', flags: [] }
  const body = {
    ...{ benchmark: 'ifeval', to: { version: 2, fingerprint: 'e'.repeat(64) }, code_version: '9.9' },
    changed: [{ ordinal: 8, after }],
    not_recomputed: [{ ordinal: 11, reason: 'table-missing' }],
    missing_tables: ['syllapy_dictionary'],
  }
  const response = await post('/rescores', body)
  expect(response.status).toBe(201)
  expect(Rescore.parse(await response.json())).toMatchObject({
    ...{ computed_by: 'client', code_version: '9.9', to: body.to, missing_tables: ['syllapy_dictionary'] },
    counts: { trials: 4, failed: 1, unchanged: 1, changed: 1, not_recomputed: { 'table-missing': 1 } },
    before: { accuracy: { n: 3 } },
    after: { accuracy: { value: 0, n: 2 } },
  })
  for (const [ordinal, why] of [
    [10, 'nothing to score'],
    [0, 'not a finished trial of ifeval'],
  ] as const) {
    const refused = await post('/rescores', { ...body, changed: [{ ordinal, after }] })
    const problem = (await refused.json()) as { detail: string }
    expect([refused.status, problem.detail.includes(why)]).toEqual([422, true])
  }
})

test('[API88] a run that goes on is not scored again, and a benchmark or rescoring it does not have is not found', async () => {
  const { post, get, record, spec } = await endedRun()
  expect(await codeOf(await post('/rescore', { benchmark: 'aime_2025' }))).toBe('benchmark-not-in-run')
  for (const id of ['nonsense', '33333333-3333-4333-8333-333333333333'])
    expect(await codeOf(await get(`/rescores/${id}`))).toBe('rescore-not-found')
  const run = record.runs.get(spec.run_id)!
  record.runs.set(spec.run_id, { ...run, head: { ...run.head, status: 'running' } })
  expect(await codeOf(await post('/rescore'))).toBe('wrong-state')
})

test('[API89] of a gated benchmark others see the scores of a rescoring, not the answers', async () => {
  const { post, get, anna } = await endedRun()
  const { rescores } = RescoreList.parse(await (await post('/rescore', { benchmark: 'gpqa_diamond' })).json())
  const path = `/rescores/${rescores[0]!.id}`
  const mine = RescorePage.parse(await (await get(path, anna)).json())
  expect(mine.differences[0]).toMatchObject({ before: { answer: 'B' }, after: { answer: 'C' } })
  const theirs = RescorePage.parse(await (await get(path)).json())
  expect(theirs.differences).toHaveLength(2)
  for (const { before, after } of theirs.differences) {
    expect([before.answer, before.explanation, after.answer, after.explanation]).toEqual([null, null, null, null])
    expect(after.outcome).toBe('wrong')
  }
  expect(RescoreList.parse(await (await get('/rescores')).json())).toMatchObject({ total: 1, rescores })
})
