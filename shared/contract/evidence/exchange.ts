import * as z from 'zod'
import { Sha256 } from '../ids.ts'
import { StreamFacts } from '../stream.ts'
import { Usage } from '../usage.ts'
import { answerHead, answerSections, CompletionEvidence, shortenAnswer } from './completion.ts'
import type { Kind, Section } from './kind.ts'
import { testEnds } from './tests.ts'

/** Longest result of a tool that is kept, in UTF-16 units. */
export const mostToolResult = 4_000

/** A call of a turn and what the tool answered; `result` is null where nobody answered it, as in the last turn. */
export const AnsweredCall = z.object({
  id: z.string().nullable(),
  name: z.string().nullable(),
  arguments: z.string(),
  result: z.string().max(mostToolResult).nullable(),
  is_error: z.boolean(),
})
export type AnsweredCall = z.infer<typeof AnsweredCall>

/** One answer of the model with how it came in. Pictures in `text` stand there by their hash. */
export const ExchangeTurn = z.object({
  text: z.string(),
  reasoning_chars: z.int().min(0),
  finish_reason: z.string().nullable(),
  tool_calls: z.array(AnsweredCall).max(200),
  usage: Usage,
  usage_known: z.boolean(),
  latency_ms: z.number().min(0),
  ttft_ms: z.number().min(0).nullable(),
  max_gap_ms: z.number().min(0).nullable(),
  /** Null where the transport did not tell. */
  stream: StreamFacts.nullable(),
})
export type ExchangeTurn = z.infer<typeof ExchangeTurn>

/** A picture that the last answer shows, by its bytes (kept as the artifact `artifact`) or by an address, which is never opened. */
export const AnsweredPicture = z.object({
  source: z.enum(['data', 'address']),
  /** As the answer names it. */
  format: z.string().max(100),
  address: z.string().max(2000).nullable(),
  artifact: z.string().max(200).nullable(),
  sha256: Sha256.nullable(),
  bytes: z.int().min(0).nullable(),
  /** What its bytes say; null where there are none or they are no picture that is known. `color` covers most of it, null where that is not told. */
  read: z
    .object({ format: z.string().max(20), width: z.int().min(0), height: z.int().min(0), color: z.string().max(20).nullable() })
    .nullable(),
})
export type AnsweredPicture = z.infer<typeof AnsweredPicture>

/** Code of an answer that was run on cases; `cases` says of each whether what came out is right. */
export const CodeRun = z.object({
  program: z.string(),
  end: z.enum(testEnds),
  cases: z.array(z.boolean()).max(1000),
  output: z.string().max(4_000),
})
export type CodeRun = z.infer<typeof CodeRun>

/**
 * An exchange with a model in one or several turns: every answer, every tool that was called and what it said, pictures, code that was run, a judge's
 * replies, and how each answer came in. `text` is the last answer.
 */
export const ExchangeEvidence = CompletionEvidence.extend({
  kind: z.literal('exchange'),
  turns: z.array(ExchangeTurn).max(100),
  pictures: z.array(AnsweredPicture).max(50),
  code: CodeRun.nullable(),
  judge: z.object({ model: z.string(), replies: z.array(z.string()).min(1) }).nullable(),
  /** Time in sandboxes, in milliseconds; null where none was opened. */
  sandbox_ms: z.number().min(0).nullable(),
})
export type ExchangeEvidence = z.infer<typeof ExchangeEvidence>

function turnSections({ text, tool_calls }: ExchangeTurn, index: number, last: boolean): Section[] {
  const said = last || text === '' ? [] : [{ title: `Turn ${index + 1}`, text, scored: true }]
  const calls = tool_calls.map(({ name, arguments: given, result }) => `${name ?? '?'}(${given})${result === null ? '' : `\n${result}`}`)
  return [...said, ...(calls.length > 0 ? [{ title: `Tools of turn ${index + 1}`, text: calls.join('\n\n'), scored: true }] : [])]
}

function sections(evidence: ExchangeEvidence): Section[] {
  const { turns, code, judge } = evidence
  return [
    ...turns.flatMap((turn, index) => turnSections(turn, index, index === turns.length - 1)),
    ...answerSections(evidence),
    ...(code ? [{ title: 'Program', text: code.program, scored: false }] : []),
    ...(code?.output ? [{ title: 'Output', text: code.output, scored: false }] : []),
    ...(judge?.replies ?? []).map((text, index, all) => ({ title: `Judge ${judge!.model}`, text, scored: index === all.length - 1 })),
  ]
}

/** The beginning of every text; calls, figures and pictures stay, results of tools begin too. */
function head(evidence: ExchangeEvidence, chars: number): ExchangeEvidence {
  const start = (text: string): string => answerHead({ ...evidence, text }, chars).text
  const turns = evidence.turns.map((turn) => ({
    ...turn,
    text: start(turn.text),
    tool_calls: turn.tool_calls.map((call) => ({ ...call, arguments: start(call.arguments), result: call.result && start(call.result) })),
  }))
  const code = evidence.code && { ...evidence.code, program: start(evidence.code.program), output: start(evidence.code.output) }
  return { ...answerHead(evidence, chars), turns, code }
}

export const exchange: Kind<ExchangeEvidence> = {
  schema: ExchangeEvidence,
  response: ({ text }) => text,
  sections,
  shorten: shortenAnswer,
  head,
  judge_output: ({ judge }) => judge,
}
