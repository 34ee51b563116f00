import { expect, test } from 'vitest'
import type { Item } from '../contract/item.ts'
import { generate } from './generate.ts'
import { lastChance } from './last-chance.ts'
import { said } from './testing/said.ts'
import { type Line, scriptedKit } from './testing/scripted-kit.ts'

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
const limit = { limit: 'turns', most: 1 } as const

const scripted = (...model: Line[]) => scriptedKit({ model })

test('[SCORE17] one call ends in evidence whose scoring input is only kept when it differs', async () => {
  expect(await generate(item(), scripted(said('7', 'thought')))).toEqual({
    ok: true,
    value: { kind: 'completion', text: '7', reasoning: 'thought', finish_reason: 'stop', scoring_input: null, truncated_reasoning: false },
  })
  expect(await generate(item(), scripted(said('<think>a</think> 7')))).toMatchObject({ value: { scoring_input: '7' } })
  expect(await generate(item(), scripted(said('<think>a')))).toMatchObject({
    value: { scoring_input: '', truncated_reasoning: true },
  })
  expect(await generate(item(), scripted(null))).toEqual({ ok: false, failure })
})

test('[SCORE18] an answer with a box gets no follow-up', async () => {
  const ports = scripted(said('\\boxed{7}'))
  expect(await lastChance(item(), ports)).toMatchObject({ ok: true, value: { text: '\\boxed{7}' } })
  expect(ports.asked.model).toHaveLength(1)
})

test('[SCORE18] an answer without a box gets one follow-up, whose answer is scored; nothing is lost', async () => {
  const ports = scripted(said('It is 7.', 'first'), said('\\boxed{7}', 'second'))
  expect(await lastChance(item(), ports)).toMatchObject({
    ok: true,
    value: { text: '\\boxed{7}', reasoning: 'first\n\nIt is 7.\n\nsecond', scoring_input: null },
  })
  expect(ports.asked.model[1]?.messages).toEqual([
    { role: 'user', content: 'Compute.' },
    { role: 'assistant', content: 'It is 7.' },
    { role: 'user', content: 'Box it.' },
  ])
})

test('[SCORE18] a box in which nothing can be read gets the follow-up too, one that holds something else does not', async () => {
  const unread = scripted(said('It is 7. \\boxed{???}'), said('\\boxed{7}'))
  expect(await lastChance(item(), unread)).toMatchObject({ value: { text: '\\boxed{7}' } })
  const read = scripted(said('\\boxed{x+1}'))
  expect(await lastChance(item(), read)).toMatchObject({ value: { text: '\\boxed{x+1}' } })
  expect(read.asked.model).toHaveLength(1)
})

test('[SCORE18] a box inside removed reasoning does not count; without wording there is no follow-up; failures are handed on', async () => {
  const hidden = scripted(said('<think>\\boxed{7}</think>seven'), said('no'))
  expect(await lastChance(item(), hidden)).toMatchObject({ value: { text: 'no' } })
  expect(hidden.asked.model).toHaveLength(2)
  const silent = scripted(said('seven'))
  expect(await lastChance(item({}), silent)).toMatchObject({ value: { text: 'seven' } })
  expect(await lastChance(item(), scripted(said('seven'), null))).toEqual({ ok: false, failure })
})

test('[KIT5] a limit in the way of the answer leaves an empty one that names it, in the way of the follow-up the first answer', async () => {
  expect(await generate(item(), scripted({ limit }))).toEqual({
    ok: true,
    value: { kind: 'completion', text: '', reasoning: null, finish_reason: null, scoring_input: null, truncated_reasoning: false, limit },
  })
  expect(await lastChance(item(), scripted({ limit }))).toMatchObject({ ok: true, value: { text: '', limit } })
  expect(await lastChance(item(), scripted(said('seven'), { limit }))).toMatchObject({ ok: true, value: { text: 'seven', limit } })
})
