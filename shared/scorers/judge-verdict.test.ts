import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { equalityVerdict, examVerdict, examVerdictSchema } from './judge-verdict.ts'

const whole = { extracted_final_answer: '42', reasoning: 'same', correct: 'yes', confidence: 85, strict: true }
const written = (more: Record<string, unknown> = {}) => JSON.stringify({ ...whole, ...more })
const strict = (reply: string) => examVerdict(reply, { fenced: false })
const fenced = (reply: string) => examVerdict(reply, { fenced: true })

test('[SCORE49] a verdict of the exam is one object of exactly the official shape, as in the table of the reference', () => {
  expect(strict(written())).toEqual(whole)
  expect(strict(written({ extracted_final_answer: 'None', reasoning: 'refused', correct: 'no', confidence: 100 }))).toMatchObject({
    correct: 'no',
    confidence: 100,
  })
  const refused = [
    written({ extracted_final_answer: null }),
    'correct: yes',
    written({ correct: 'Yes', confidence: '90%' }),
    written({ correct: 'Yes' }),
    written({ confidence: 90.5 }),
    written({ confidence: '90' }),
    written({ strict: false }),
    written({ note: 'more' }),
    written({ reasoning: undefined }),
    `Here it is: ${written()}`,
    `[${written()}]`,
    '"yes"',
    '',
  ]
  expect(refused.map((reply) => [reply, strict(reply)])).toEqual(refused.map((reply) => [reply, null]))
  expect(refused.map((reply) => fenced(reply))).toEqual(refused.map(() => null))
})

test('[SCORE49] a Markdown fence is taken off only where the judge was not held to the schema', () => {
  const reply = `\`\`\`json\n${written()}\n\`\`\``
  expect(strict(reply)).toBeNull()
  expect([reply, `\`\`\`\n${written()}\n\`\`\`\n`, written(), ` \n${written()}\n`].map((text) => fenced(text))).toEqual(
    Array.from({ length: 4 }, () => whole),
  )
  expect(fenced(`${reply}\nI am sure.`)).toBeNull()
})

test('[SCORE49] reasoning before a verdict is no part of it, and reasoning that never ends holds none', () => {
  expect(strict(`<think>${written({ correct: 'no' })}</think>\n${written()}`)).toEqual(whole)
  expect(strict(`<think>${written()}`)).toBeNull()
  expect(equalityVerdict('<think>It is CORRECT.</think>INCORRECT')).toBe(false)
  expect(equalityVerdict('<think>It is CORRECT.')).toBeNull()
})

test('[SCORE49] a think tag inside the texts of a verdict is text, alone, in a fence or behind reasoning', () => {
  const quoting = { ...whole, reasoning: 'it says </think> here, and <think> there' }
  const reply = JSON.stringify(quoting)
  expect(strict(reply)).toEqual(quoting)
  expect(fenced(`\`\`\`json\n${reply}\n\`\`\``)).toEqual(quoting)
  expect(strict(`<think>Is {it}?</think>\n${reply}`)).toEqual(quoting)
  expect(strict(`<think>${written({ correct: 'no' })}</think>${reply}`)).toEqual(quoting)
  expect(strict(`${reply}</think>`)).toBeNull()
})

test('[SCORE50] the schema sent to a judge names the fields that are parsed, all of them required', () => {
  expect(Object.keys(examVerdictSchema.properties)).toEqual(Object.keys(whole))
  expect([...examVerdictSchema.required]).toEqual(Object.keys(whole))
  expect(examVerdictSchema.additionalProperties).toBe(false)
})

test('[SCORE51] an equality checker says CORRECT or INCORRECT as a whole word, the last one counts, as in the table of the reference', () => {
  const table: [string, boolean | null][] = [
    ['CORRECT', true],
    [' incorrect.', false],
    ['**CORRECT**', true],
    ['The candidate is not CORRECT because the year differs. INCORRECT', false],
    ['Yes', null],
    ['INCORRECTLY formatted', null],
    ['', null],
    ['INCORRECT', false],
    ['Verdict: `Correct`', true],
    ['CORRECT_ANSWER', null],
    ['CORRECTNESS', null],
    ['INCORRECT at first, on reflection CORRECT', true],
    ['IN CORRECT', true],
    ['__CORRECT__', true],
    ['NOT CORRECT', false],
    ['The answer is not correct.', false],
    ['partially correct', false],
    ['Semi-correct, I would say', false],
    ['nearly\u00a0 correct', false],
    ['not incorrect', false],
    ['It is not correct in part, but on the whole: CORRECT', true],
    ['cannot correct', true],
    ['VERDICT: CORRECT', true],
    ['IS_INCORRECT', false],
    ['is_correct: true', true],
    ['{"is_correct": false}', false],
    ['**is_correct** = no', false],
    ['is_correct', null],
    ['correct?_', true],
  ]
  expect(table.map(([reply]) => [reply, equalityVerdict(reply)])).toEqual(table)
})

test('[SCORE6] verdict readers are total and deterministic, and end on long texts', () => {
  const readers = [strict, fenced, equalityVerdict]
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      for (const read of readers) expect(read(text)).toEqual(read(text))
    }),
    draws(300),
  )
  for (const piece of ['```json\n', '\n```', ' ', '{', '"', 'CORRECT', 'CORRECT ', '<think>', '\\', '\n', '[[']) {
    const text = piece.repeat(Math.ceil(100_000 / piece.length))
    for (const read of readers) for (const variant of [text, `\`\`\`\n${text}`, `${text}\n\`\`\``]) expect(read(variant)).toBeDefined()
  }
})
