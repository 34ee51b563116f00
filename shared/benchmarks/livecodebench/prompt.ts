import type { Message } from '../../contract/message.ts'
import { textOf } from '../parse-rows.ts'
import type { LcbRecord } from './record.ts'

type Wording = {
  system: string
  /** What an answer to a problem with and without starter code is to look like. */
  with_starter: string
  without_starter: string
  /** The fence that stands where there is no starter code, and the empty line behind it. */
  empty_fence: string
  /** The end of the prompt. */
  answer: string
}

/** Our words for the same structure. They change with the benchmark's version only. */
const builtin: Wording = {
  system: 'You write Python. You are given a programming problem and answer with one complete, correct and fast program for it.',
  with_starter: 'Complete the code below and put all of it into one fenced block of Python.',
  without_starter:
    'The program reads its whole input from standard input and writes the answer, and nothing else, to standard output. Put all of it into one fenced block of Python, like this:',
  empty_fence: '```python\n# the program\n```\n\n',
  answer: '### Answer\n\n',
}

function officialWording(texts: Record<string, string>): Wording {
  return {
    system: textOf(texts, 'system'),
    with_starter: textOf(texts, 'with_starter'),
    without_starter: textOf(texts, 'without_starter'),
    empty_fence: textOf(texts, 'empty_fence'),
    answer: textOf(texts, 'answer'),
  }
}

/** The messages of a problem, in the generic style for chat models (reference 1.3). */
export function lcbPrompt(profile: string, texts: Record<string, string>) {
  const wording = profile === 'builtin' ? builtin : officialWording(texts)
  return ({ question_content, starter_code }: Pick<LcbRecord, 'question_content' | 'starter_code'>): Message[] => {
    const [format, fence] =
      starter_code === ''
        ? [wording.without_starter, wording.empty_fence]
        : [wording.with_starter, `\`\`\`python\n${starter_code}\n\`\`\`\n\n`]
    const content = `### Question:\n${question_content}\n\n### Format: ${format}\n${fence}${wording.answer}`
    return [
      { role: 'system', content: wording.system },
      { role: 'user', content },
    ]
  }
}
