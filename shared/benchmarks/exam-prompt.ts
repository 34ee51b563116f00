import type { Message } from '../contract/message.ts'
import { examVerdictSchema } from '../scorers/judge-verdict.ts'
import { fillTemplate } from './fill-template.ts'
import { textOf } from './parse-rows.ts'

type Texts = Record<string, string>

const ownSystem =
  'Think the question through. End your reply with three lines of this form:\nExplanation: why your answer holds, in brief\nAnswer: your final answer and nothing else\nConfidence: how sure you are that it is right, from 0% to 100%'

const ownJudge = `Somebody answered a test question. Find out whether the answer agrees with the reference answer. Do not solve the question yourself.

Question:
{question}

Reference answer:
{correct_answer}

Answer to check:
{response}

Reply with a JSON object and nothing else. It has these fields:
"extracted_final_answer": text; the final answer that the answer to check arrives at, or "None" if it arrives at none
"reasoning": text; in a sentence or two, whether the two answers differ in a way that matters
"correct": "yes" if they agree, where numbers may differ by rounding; "no" if they do not, or if you are in doubt
"confidence": whole number from 0 to 100; the confidence that the answer to check states for itself, 100 if it states none
"strict": true`

const ownSchemaNote = `Reply with one JSON object that fits this JSON schema, and with nothing else:\n${JSON.stringify(examVerdictSchema)}`

/** The instruction that stands before every question of a profile. */
export function examSystem(profile: string, texts: Texts): string {
  return profile === 'builtin' ? ownSystem : textOf(texts, 'system')
}

/** What the judge is asked: one user message, before which the schema stands where no structured reply is asked for. No picture is shown. */
export function examJudgePrompt(
  profile: string,
  texts: Texts,
  asked: { question: string; correct_answer: string; response: string },
): Message[] {
  const template = profile === 'builtin' ? ownJudge : textOf(texts, 'judge')
  const user: Message = { role: 'user', content: fillTemplate(template, asked) }
  return profile === 'official_plain_judge' ? [{ role: 'system', content: ownSchemaNote }, user] : [user]
}
