import { expect, test } from 'vitest'
import type { Failure } from '../contract/failure.ts'
import type { Item } from '../contract/item.ts'
import { type Judging, judged } from './judged.ts'
import type { Kit } from './kit.ts'
import { scriptedKit } from './testing/scripted-kit.ts'

const item: Item = {
  item_id: '0',
  source_id: null,
  item_hash: '',
  group: null,
  messages: [{ role: 'user', content: 'Who earned more?' }],
  target: 'Beta',
  metadata: {},
}
const schema = { name: 'verdict', schema: { type: 'object' } }
const judging: Judging = {
  ask: ({ target }, answer) => [{ role: 'user', content: `${answer} = ${target}?` }],
  readable: (reply) => /^(YES|NO)$/.test(reply),
  retries: 2,
  schema,
}
const overloaded: Failure = { at: 'judge', reason: 'overloaded', retryable: true, status: 503, detail: '' }

const judgedKit = (answer: string, replies: (string | null)[], structured = false) =>
  scriptedKit({ model: [answer], judge: replies }, { judge: { model: 'lab/judge', schema: structured } })
const solve = (kit: Kit, how: Partial<Judging> = {}) => judged({ ...judging, ...how })(item, kit)

test('[RUN40] a judged answer ends in evidence with every reply, the last of which holds the verdict', async () => {
  const kit = judgedKit('<think>hm</think>Beta', ['Maybe', '<think>YES or NO</think>NO'])
  expect(await solve(kit)).toEqual({
    ok: true,
    value: {
      kind: 'judged',
      text: '<think>hm</think>Beta',
      reasoning: null,
      finish_reason: 'stop',
      scoring_input: 'Beta',
      truncated_reasoning: false,
      judge: { model: 'lab/judge', replies: ['Maybe', 'NO'] },
    },
  })
  expect(kit.asked.judge).toHaveLength(2)
  expect(kit.asked.judge[0]).toEqual({ messages: [{ role: 'user', content: 'Beta = Beta?' }], schema: null })
})

test('[RUN40] a structured reply that quotes a think tag is kept whole', async () => {
  const reply = '{"why":"it says </think> here","verdict":"YES"}'
  const solved = await solve(judgedKit('Beta', [reply]), { readable: (text) => text === reply })
  expect(solved).toMatchObject({ ok: true, value: { judge: { replies: [reply] } } })
})

test('[RUN40] a structured reply is asked for where the judge is planned with one', async () => {
  const kit = judgedKit('Beta', ['YES'], true)
  expect(await solve(kit)).toMatchObject({ ok: true, value: { judge: { replies: ['YES'] } } })
  expect(kit.asked.judge[0]!.schema).toEqual(schema)
})

test('[RUN40] an answer of which nothing is left is not judged', async () => {
  for (const answer of ['', ' \n', '<think>only thought</think> ']) {
    const kit = judgedKit(answer, [])
    expect(await solve(kit)).toMatchObject({ ok: true, value: { kind: 'judged', judge: null } })
    expect(kit.asked.judge).toEqual([])
  }
})

test('[RUN41] a judge whose replies hold no verdict is a failure after its retries, never an answer', async () => {
  const kit = judgedKit('Beta', ['hm', 'well', 'perhaps', 'YES'])
  const solved = await solve(kit)
  expect(solved).toMatchObject({ ok: false, failure: { at: 'judge', reason: 'unreadable', retryable: true } })
  expect(kit.asked.judge).toHaveLength(3)
  expect(!solved.ok && solved.failure.detail).toContain('lab/judge was asked 3 times and gave no verdict; last it wrote: perhaps')
  const once = judgedKit('Beta', ['hm'])
  expect(await solve(once, { retries: 0 })).toMatchObject({ ok: false, failure: { reason: 'unreadable' } })
  expect(once.asked.judge).toHaveLength(1)
})

test('[RUN41] a judge or model that fails hands its failure on, and without a judge the trial fails', async () => {
  expect(await solve(judgedKit('Beta', [null]))).toEqual({ ok: false, failure: overloaded })
  expect(await solve(scriptedKit({}, { judge: {} }))).toMatchObject({ ok: false, failure: { at: 'provider' } })
  expect(await solve(scriptedKit({ model: ['Beta'] }))).toMatchObject({
    ok: false,
    failure: { at: 'solver', reason: 'error' },
  })
})

test('[KIT5] an answer cut off by a limit is judged by what there is of it', async () => {
  const limit = { limit: 'seconds', most: 60 } as const
  const kit = scriptedKit({ model: [{ limit }], judge: ['YES'] }, { judge: {} })
  expect(await solve(kit)).toMatchObject({ ok: true, value: { kind: 'judged', text: '', judge: null, limit } })
  expect(kit.asked.judge).toEqual([])
})
