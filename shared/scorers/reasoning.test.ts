import { expect, test } from 'vitest'
import { reasoningTags, scoringInput } from './reasoning.ts'

test.each([
  ['plain  text \n', 'plain  text \n', false],
  ['<think>a</think>\n\n b ', 'b ', false],
  ['<THINKING>a</THINKING>b', 'b', false],
  ['<mm:think>a</mm:think>b', 'b', false],
  ['x</think> y <think>z</think> w', 'w', false],
  ['a</think>\u00a0\ufeffb', '\ufeffb', false],
  ['<think>never closed', '', true],
])('[SCORE2] %j is scored as %j', (text, scored, truncated) => {
  expect(scoringInput(text)).toEqual({ text: scored, truncated_reasoning: truncated })
})

const said = 'maybe the answer is (B)'
const answer = 'The answer is (A).'
const harmony = '<|channel|>analysis<|message|>'
const final = '<|start|>assistant<|channel|>final<|message|>'

test.each(reasoningTags)('[SCORE310] reasoning between $open and $close is cut at the beginning of an answer', ({ open, close, lone }) => {
  const scored = (text: string) => scoringInput(text)
  expect(scored(`${open}${said}${close}\n\n${answer}`)).toEqual({ text: answer, truncated_reasoning: false })
  expect(scored(`\n ${open.toUpperCase()}${said}${close.toLowerCase()}${open}more${close}${answer}`).text).toBe(answer)
  expect(scored(`${open}${said}`)).toEqual({ text: '', truncated_reasoning: true })
  expect(scored(`${open}${said}${close}It writes ${close} here.`).text).toBe(`It writes ${close} here.`)
  const alone = `${said}${close}${answer}`
  expect(scored(alone).text).toBe(lone ? answer : alone)
  for (const mention of [
    `The tag \`${close}\` ends it, ${open} begins it.`,
    `Use "${close}" for it.`,
    `Code:\n\`\`\`\n${open}x${close}\n\`\`\`\n${answer}`,
  ])
    expect(scored(mention).text).toBe(mention)
})

test.each([
  ['analysis and final', `${harmony}${said}<|end|>${final}${answer}<|return|>`, answer, false],
  ['the role in front', `<|start|>assistant${harmony}${said}<|end|>${final}${answer}`, answer, false],
  ['a final message alone', `<|channel|>final<|message|>${answer}`, answer, false],
  ['a constraint', `${harmony}${said}<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{"a":1}`, '{"a":1}', false],
  ['analysis without its first tokens', `${said}<|end|>${final}${answer}`, answer, false],
  ['no final message', `${harmony}${said}`, '', true],
  ['special tokens left out', `analysis${said}assistantfinal${answer}`, answer, false],
  ['a text about analysis', `analysis: the assistant is final. ${answer}`, `analysis: the assistant is final. ${answer}`, false],
  [
    'a text about the format',
    `It writes \`<|channel|>final<|message|>\` first. ${answer}`,
    `It writes \`<|channel|>final<|message|>\` first. ${answer}`,
    false,
  ],
])('[SCORE310] the final message of gpt-oss is what is scored: %s', (_, text, scored, truncated) => {
  expect(scoringInput(text)).toEqual({ text: scored, truncated_reasoning: truncated })
})
