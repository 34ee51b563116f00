import { fillTemplate } from '../fill-template.ts'
import { textOf } from '../parse-rows.ts'

type Texts = Record<string, string>

const own = {
  document: '=== Document {number} ===\n{document}\n=== End of document {number} ===',
  prompt:
    'Below are several documents, and after them a question about them.\n\n{documents_text}\n\nUse what the documents say to answer this question:\n\n{question}\n',
  judge:
    'Here is the reference answer to a question, and an answer that somebody gave. The given answer is CORRECT if it agrees with the reference answer in everything that the question asks for, and INCORRECT otherwise.\n\nQuestion (only so that you know what was asked): {question}\nReference answer: {official_answer}\nGiven answer: {candidate_answer}\n\nReply with a single word, CORRECT or INCORRECT.\n',
}

const templateOf = (profile: string, texts: Texts, id: keyof typeof own): string => (profile === 'builtin' ? own[id] : textOf(texts, id))

/** A rendered question; the first `opening` characters, with the documents, are those of every question about the same documents. */
export type LcrPrompt = { content: string; opening: number }

/** The one user message of a question: its documents whole, numbered from 1 in their order, then the question. Nothing is ever cut. */
export function lcrPrompt(profile: string, texts: Texts): (documents: readonly string[], question: string) => LcrPrompt {
  const each = templateOf(profile, texts, 'document')
  const whole = templateOf(profile, texts, 'prompt')
  const slot = whole.indexOf('{question}')
  const head = slot < 0 ? whole : whole.slice(0, slot)
  return (documents, question) => {
    const blocks = documents.map((document, index) => fillTemplate(each, { number: String(index + 1), document }))
    const opening = fillTemplate(head, { documents_text: blocks.join('\n\n') })
    return { content: opening + fillTemplate(whole.slice(head.length), { question }), opening: opening.length }
  }
}

/** The one user message to the equality checker; documents are not shown to it. */
export function lcrJudgePrompt(
  profile: string,
  texts: Texts,
  asked: { question: string; official_answer: string; candidate_answer: string },
): string {
  return fillTemplate(templateOf(profile, texts, 'judge'), asked)
}
