import { expect, test } from 'vitest'
import type { Failure } from '../contract/failure.ts'
import type { Item } from '../contract/item.ts'
import { type Judging, judged } from './judged.ts'
import type { JudgeRequest, SolverPorts } from './port.ts'
import { said } from './testing/said.ts'

const params = { temperature: 0, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }
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
const refused: Failure = { at: 'provider', reason: 'overloaded', retryable: true, status: 503, detail: '' }
const overloaded: Failure = { at: 'judge', reason: 'overloaded', retryable: true, status: 503, detail: '' }

/** Ports whose model gives `answer` and whose judge gives the replies in turn; null is a judge that fails. */
function portsOf(answer: string, replies: (string | null)[], structured = false): SolverPorts & { asked: JudgeRequest[] } {
  const asked: JudgeRequest[] = []
  return {
    asked,
    judgedBy: { model: 'lab/judge', params, schema: structured },
    generate: async () => ({ ok: true, value: said(answer) }),
    async judge(request) {
      asked.push(request)
      const reply = replies[asked.length - 1]
      return reply == null ? { ok: false, failure: overloaded } : { ok: true, value: said(reply) }
    },
  }
}
const solve = (ports: SolverPorts, how: Partial<Judging> = {}) => judged({ ...judging, ...how })(item, params, ports)

test('[RUN40] a judged answer ends in evidence with every reply, the last of which holds the verdict', async () => {
  const ports = portsOf('<think>hm</think>Beta', ['Maybe', '<think>YES or NO</think>NO'])
  expect(await solve(ports)).toEqual({
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
  expect(ports.asked).toHaveLength(2)
  expect(ports.asked[0]).toEqual({ messages: [{ role: 'user', content: 'Beta = Beta?' }], params, schema: null })
})

test('[RUN40] a structured reply that quotes a think tag is kept whole', async () => {
  const reply = '{"why":"it says </think> here","verdict":"YES"}'
  const solved = await solve(portsOf('Beta', [reply]), { readable: (text) => text === reply })
  expect(solved).toMatchObject({ ok: true, value: { judge: { replies: [reply] } } })
})

test('[RUN40] a structured reply is asked for where the judge is planned with one', async () => {
  const ports = portsOf('Beta', ['YES'], true)
  expect(await solve(ports)).toMatchObject({ ok: true, value: { judge: { replies: ['YES'] } } })
  expect(ports.asked[0]!.schema).toEqual(schema)
})

test('[RUN40] an answer of which nothing is left is not judged', async () => {
  for (const answer of ['', ' \n', '<think>only thought</think> ']) {
    const ports = portsOf(answer, [])
    expect(await solve(ports)).toMatchObject({ ok: true, value: { kind: 'judged', judge: null } })
    expect(ports.asked).toEqual([])
  }
})

test('[RUN41] a judge whose replies hold no verdict is a failure after its retries, never an answer', async () => {
  const ports = portsOf('Beta', ['hm', 'well', 'perhaps', 'YES'])
  const solved = await solve(ports)
  expect(solved).toMatchObject({ ok: false, failure: { at: 'judge', reason: 'unreadable', retryable: true } })
  expect(ports.asked).toHaveLength(3)
  expect(!solved.ok && solved.failure.detail).toContain('lab/judge was asked 3 times and gave no verdict; last it wrote: perhaps')
  const once = portsOf('Beta', ['hm'])
  expect(await solve(once, { retries: 0 })).toMatchObject({ ok: false, failure: { reason: 'unreadable' } })
  expect(once.asked).toHaveLength(1)
})

test('[RUN41] a judge or model that fails hands its failure on, and without a judge the trial fails', async () => {
  expect(await solve(portsOf('Beta', [null]))).toEqual({ ok: false, failure: overloaded })
  const failing = {
    ...portsOf('', []),
    generate: async () => ({ ok: false as const, failure: refused }),
  }
  expect(await solve(failing)).toMatchObject({ ok: false, failure: { at: 'provider' } })
  expect(await solve({ ...portsOf('Beta', ['YES']), judgedBy: null })).toMatchObject({
    ok: false,
    failure: { at: 'solver', reason: 'error' },
  })
})
