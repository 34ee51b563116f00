import { expect, test } from 'vitest'
import type { Message } from '../contract/evidence.ts'
import type { Item } from '../contract/item.ts'
import { generate } from './generate.ts'
import { lastChance } from './last-chance.ts'
import type { Completion, SolverPorts } from './port.ts'
import { said } from './testing/said.ts'

const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
const item = (metadata: Item['metadata'] = { follow_up: 'Box it.' }): Item => ({
  item_id: '0',
  source_id: null,
  item_hash: '',
  group: null,
  messages: [{ role: 'user', content: 'Compute.' }],
  target: '7',
  metadata,
})
const failure = { at: 'provider', reason: 'overloaded', retryable: true, detail: '', status: 503 } as const

/** A port that gives the answers in turn and keeps what it was asked. */
function scripted(...answers: (Completion | null)[]): SolverPorts & { asked: Message[][] } {
  const asked: Message[][] = []
  return {
    asked,
    judgedBy: null,
    judge: async () => ({ ok: false, failure }),
    generate: async ({ messages }) => {
      asked.push(messages)
      const value = answers[asked.length - 1]
      return value ? { ok: true, value } : { ok: false, failure }
    },
  }
}

test('[SCORE17] one call ends in evidence whose scoring input is only kept when it differs', async () => {
  expect(await generate(item(), params, scripted(said('7', 'thought')))).toEqual({
    ok: true,
    value: { kind: 'completion', text: '7', reasoning: 'thought', finish_reason: 'stop', scoring_input: null, truncated_reasoning: false },
  })
  expect(await generate(item(), params, scripted(said('<think>a</think> 7')))).toMatchObject({ value: { scoring_input: '7' } })
  expect(await generate(item(), params, scripted(said('<think>a')))).toMatchObject({
    value: { scoring_input: '', truncated_reasoning: true },
  })
  expect(await generate(item(), params, scripted(null))).toEqual({ ok: false, failure })
})

test('[SCORE18] an answer with a box gets no follow-up', async () => {
  const ports = scripted(said('\\boxed{7}'))
  expect(await lastChance(item(), params, ports)).toMatchObject({ ok: true, value: { text: '\\boxed{7}' } })
  expect(ports.asked).toHaveLength(1)
})

test('[SCORE18] an answer without a box gets one follow-up, whose answer is scored; nothing is lost', async () => {
  const ports = scripted(said('It is 7.', 'first'), said('\\boxed{7}', 'second'))
  expect(await lastChance(item(), params, ports)).toMatchObject({
    ok: true,
    value: { text: '\\boxed{7}', reasoning: 'first\n\nIt is 7.\n\nsecond', scoring_input: null },
  })
  expect(ports.asked[1]).toEqual([
    { role: 'user', content: 'Compute.' },
    { role: 'assistant', content: 'It is 7.' },
    { role: 'user', content: 'Box it.' },
  ])
})

test('[SCORE18] a box in which nothing can be read gets the follow-up too, one that holds something else does not', async () => {
  const unread = scripted(said('It is 7. \\boxed{???}'), said('\\boxed{7}'))
  expect(await lastChance(item(), params, unread)).toMatchObject({ value: { text: '\\boxed{7}' } })
  const read = scripted(said('\\boxed{x+1}'))
  expect(await lastChance(item(), params, read)).toMatchObject({ value: { text: '\\boxed{x+1}' } })
  expect(read.asked).toHaveLength(1)
})

test('[SCORE18] a box inside removed reasoning does not count; without wording there is no follow-up; failures are handed on', async () => {
  const hidden = scripted(said('<think>\\boxed{7}</think>seven'), said('no'))
  expect(await lastChance(item(), params, hidden)).toMatchObject({ value: { text: 'no' } })
  expect(hidden.asked).toHaveLength(2)
  const silent = scripted(said('seven'))
  expect(await lastChance(item({}), params, silent)).toMatchObject({ value: { text: 'seven' } })
  expect(await lastChance(item(), params, scripted(said('seven'), null))).toEqual({ ok: false, failure })
})
