import { textOf } from '../parse-rows.ts'
import { examples } from './examples.ts'
import { letters, type MmluProRecord } from './record.ts'

/** Turns a record into its one user message: an opening that all records of its category share, and what is its own. */
export type Prompt = (record: MmluProRecord) => { opening: string; rest: string }

type Asked = { question: string; options: readonly string[] }

const lettered = (options: readonly string[], line: (letter: string, option: string) => string): string =>
  options.map((option, i) => line(letters[i]!, option)).join('')

/**
 * Layout of the official API script; `validation` holds worked examples of every category that is asked. Every wording but the option letters and the answer label comes from the pinned file.
 */
export function officialPrompt(texts: Record<string, string>, validation: readonly MmluProRecord[]): Prompt {
  const head = textOf(texts, 'question_head')
  const example = (asked: Asked, reasoning: string): string => {
    const options = lettered(asked.options, (letter, option) => `${letter}. ${option}\n`)
    return `${head.replace('{}', () => asked.question)}${options}Answer: ${reasoning.replace(/^A: /, '')}\n\n`
  }
  const opening = new Map<string, string>()
  for (const category of new Set(validation.map((shot) => shot.category))) {
    const shots = validation.filter((shot) => shot.category === category)
    const intro = textOf(texts, 'intro').replace('{}', () => category)
    opening.set(category, intro + shots.map((shot) => example(shot, shot.cot_content || textOf(texts, 'cot_opener'))).join(''))
  }
  return (record) => ({ opening: opening.get(record.category) ?? '', rest: example(record, textOf(texts, 'cot_opener')) })
}

function ownExample(asked: Asked, solution: string): string {
  const options = lettered(asked.options, (letter, option) => `\n${letter}) ${option}`)
  return `Problem: ${asked.question}\nChoices:${options}\nSolution: ${solution}`
}

/** Our wording: introduction, five worked examples of ours, then the question with the beginning of a solution. */
export function builtinPrompt(): Prompt {
  const worked = examples.map((example) => ownExample(example, example.solution)).join('\n\n')
  const opening = new Map<string, string>()
  return (record) => {
    if (!opening.has(record.category)) opening.set(record.category, `${introduction(record.category)}\n\n${worked}\n\n`)
    return { opening: opening.get(record.category)!, rest: ownExample(record, 'We go through this in steps.') }
  }
}

const introduction = (category: string): string =>
  `Below you find problems with several choices; the last one belongs to the field "${category}". Solve it as the worked problems before it are solved: reason in short steps, and close with the sentence "The answer is (X)", where X is the letter of your choice.`
