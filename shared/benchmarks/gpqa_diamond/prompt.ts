import type { Message } from '../../contract/message.ts'
import { strip } from '../../python/text.ts'
import { fillTemplate } from '../fill-template.ts'
import { textOf } from '../parse-rows.ts'

/** Turns a question and its four options, in the order in which they are shown, into messages. */
export type Prompt = (question: string, options: readonly string[]) => Message[]

const user = (content: string): Message => ({ role: 'user', content })
const closedLetters = (options: readonly string[]): string => options.map((option, i) => `${'ABCD'[i]}) ${option}`).join('\n')

const simpleEvals =
  (texts: Record<string, string>): Prompt =>
  (question, [A = '', B = '', C = '', D = '']) => [user(fillTemplate(strip(textOf(texts, 'template')), { Question: question, A, B, C, D }))]

const baselines =
  (texts: Record<string, string>): Prompt =>
  (question, options) => {
    const values = { 'example.question': question, ...Object.fromEntries(options.map((option, i) => [`example.choice${i + 1}`, option])) }
    const asked = fillTemplate(textOf(texts, 'question'), values) + fillTemplate(textOf(texts, 'choices'), values) + textOf(texts, 'format')
    return [{ role: 'system', content: textOf(texts, 'system') }, user(asked)]
  }

const artificialAnalysis =
  (texts: Record<string, string>): Prompt =>
  (question, options) => [user(fillTemplate(textOf(texts, 'prompt'), { problem: `${question}\n\n${closedLetters(options)}` }))]

const builtin: Prompt = (question, options) => [
  user(
    `Here is a question with four options. Work towards the solution in steps first; then close with a line of its own that reads "Answer: X", with A, B, C or D in place of X.\n\n${question}\n\n${closedLetters(options)}`,
  ),
]

/** The prompt of a profile. */
export function promptOf(profile: string, texts: Record<string, string>): Prompt {
  if (profile === 'official') return simpleEvals(texts)
  if (profile === 'gpqa_official') return baselines(texts)
  if (profile === 'aa') return artificialAnalysis(texts)
  return builtin
}
