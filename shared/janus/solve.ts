import { sha256Hex } from '#sha256'
import type { AnsweredCall, CodeRun, ExchangeEvidence, ExchangeTurn } from '../contract/evidence/exchange.ts'
import { mostToolResult } from '../contract/evidence/exchange.ts'
import type { Failure, Outcome } from '../contract/failure.ts'
import type { Item } from '../contract/item.ts'
import type { Message, ToolCall } from '../contract/message.ts'
import type { LimitHit } from '../contract/trial-limits.ts'
import { judgeReply } from '../scorers/judge-verdict.ts'
import { completionEvidence } from '../solvers/generate.ts'
import type { Completion, Kit, Solver } from '../solvers/kit.ts'
import type { Sandbox } from '../solvers/sandbox.ts'
import { answeredPictures, withoutPictures } from './answered-pictures.ts'
import { type CodeCases, runCases } from './code-cases.ts'
import { executeCode } from './execute-code.ts'
import { HiddenPart, toolsOf } from './hidden-part.ts'
import { researchQuestion, verdictSchema } from './judge-research.ts'
import { mostTurns, versionOf } from './profiles.ts'
import { janusSandbox } from './sandbox-room.ts'
import type { Version } from './score/phrases.ts'
import { judgeScore } from './score/research.ts'
import { simulate } from './tool-simulator.ts'

/** Calls of one turn that are answered, at most. */
const mostCalls = 20

/**
 * Asks an item of Janus: one turn under `janus-v1`, else until the model calls no more tools or the turns are over. Tools are answered by the simulator, code is
 * run in a sandbox, a judge grades research where one was planned.
 */
export function solveJanus(profile: string): Solver<'exchange'> {
  const version = versionOf(profile)
  return async (item, kit) => {
    const found = await kit.hidden()
    if (!found.ok) return found
    const hidden = HiddenPart.parse(found.value ?? {})
    const room = openRoom(kit)
    const talked = await talk(item, kit, hidden, version, room)
    if (!talked.ok) return talked
    const { turns, last, limit } = talked.value
    const answer = last ? completionEvidence(last) : null
    const text = answer ? withoutPictures(answer.text) : ''
    const read = answer?.scoring_input ?? last?.text ?? ''
    const code =
      hidden.cases && read.trim() !== '' ? await runCode(kit, room, version === 'v1' ? last!.text : read, hidden.cases, version) : null
    if (code && !code.ok) return code
    const judge = await graded(item, kit, read, version)
    if (!judge.ok) return judge
    const said = answer
      ? { reasoning: answer.reasoning, finish_reason: answer.finish_reason, truncated_reasoning: answer.truncated_reasoning }
      : { reasoning: null, finish_reason: null, truncated_reasoning: false }
    const scoring_input = answer?.scoring_input == null ? null : withoutPictures(answer.scoring_input)
    const pictures = last ? await answeredPictures(last.text, kit) : []
    const value: ExchangeEvidence = {
      kind: 'exchange',
      text,
      ...said,
      scoring_input,
      ...(limit && { limit }),
      turns,
      pictures,
      code: code?.value ?? null,
      judge: judge.value,
      sandbox_ms: room.took_ms(),
    }
    return { ok: true, value }
  }
}

type Room = { run<T>(use: (box: Sandbox) => Promise<T>): Promise<Outcome<T>>; took_ms(): number | null }

/** The sandbox of a trial, opened when it is first needed. */
function openRoom(kit: Kit): Room {
  let box: Sandbox | null = null
  let took: number | null = null
  return {
    async run(use) {
      if (!box) {
        const opened = await kit.sandbox(janusSandbox)
        if (!opened.ok) return opened
        box = opened.value
      }
      const began = kit.now()
      const value = await use(box)
      took = (took ?? 0) + kit.now() - began
      return { ok: true, value }
    },
    took_ms: () => took,
  }
}

type Talked = { turns: ExchangeTurn[]; last: Completion | null; limit: LimitHit | null }

async function talk(item: Item, kit: Kit, hidden: HiddenPart, version: Version, room: Room): Promise<Outcome<Talked>> {
  const tools = toolsOf(item.metadata.available_tools, version === 'v2' ? hidden : null)
  const offered = tools.map(({ name }) => name)
  const messages: Message[] = [...item.messages]
  const talked: Talked = { turns: [], last: null, limit: null }
  const most = version === 'v1' ? 1 : mostTurns
  while (talked.turns.length < most) {
    const said = await kit.ask('model', { messages, ...(tools.length > 0 && { tools }) })
    if (!said.ok && 'failure' in said) return said
    if (!said.ok) return { ok: true, value: { ...talked, limit: said.limit } }
    const completion = said.value
    talked.last = completion
    const calls = (completion.tool_calls ?? []).slice(0, mostCalls).map((call, index) => named(call, talked.turns.length, index))
    const over = calls.length === 0 || talked.turns.length + 1 >= most
    const answered = over ? calls.map(unanswered) : await answerAll(calls, offered, hidden, kit, room)
    if (!Array.isArray(answered)) return answered
    talked.turns.push(turnOf(completion, answered))
    if (over) break
    messages.push({ role: 'assistant', content: completion.text, tool_calls: calls })
    for (const call of answered) messages.push({ role: 'tool', content: call.result ?? '', tool_call_id: call.id! })
  }
  return { ok: true, value: talked }
}

const named = (call: ToolCall, turn: number, index: number): ToolCall => ({ ...call, id: call.id ?? `call_${turn + 1}_${index + 1}` })
const unanswered = ({ id, name, arguments: given }: ToolCall): AnsweredCall => ({
  id,
  name,
  arguments: given,
  result: null,
  is_error: false,
})

async function answerAll(
  calls: readonly ToolCall[],
  offered: readonly string[],
  hidden: HiddenPart,
  kit: Kit,
  room: Room,
): Promise<AnsweredCall[] | { ok: false; failure: Failure }> {
  const answered: AnsweredCall[] = []
  for (const call of calls) {
    let answer = simulate(call, offered, hidden.simulated)
    if (!answer) {
      const ran = await room.run((box) => executeCode(box, call.arguments))
      if (!ran.ok) return ran
      if (!ran.value.ok) return ran.value
      answer = ran.value.value
    }
    kit.transcript.toolCall(call, answer)
    answered.push({ ...unanswered(call), result: answer.result.slice(0, mostToolResult), is_error: answer.is_error })
  }
  return answered
}

function turnOf(completion: Completion, tool_calls: AnsweredCall[]): ExchangeTurn {
  const { text, reasoning, finish_reason, usage, usage_known, latency_ms, ttft_ms, max_gap_ms, stream } = completion
  return {
    text: withoutPictures(text),
    reasoning_chars: reasoning?.length ?? 0,
    finish_reason,
    tool_calls,
    usage,
    usage_known,
    latency_ms,
    ttft_ms,
    max_gap_ms,
    stream: stream ?? null,
  }
}

/** Lines of the runner are marked by what tells nothing of the expected values: a hash of those would let a program try which they are. */
async function runCode(kit: Kit, room: Room, text: string, cases: CodeCases, version: Version): Promise<Outcome<CodeRun>> {
  const nonce = sha256Hex(`janus ${kit.seed()} ${kit.attempt}`)
  const ran = await room.run((box) => runCases(box, text, cases, version, nonce))
  return ran.ok ? ran.value : ran
}

/** A judge's replies, the last of which holds a number; null where none was planned or there is nothing to grade. Officially a reply without one counts as none. */
async function graded(item: Item, kit: Kit, answer: string, version: Version): Promise<Outcome<ExchangeEvidence['judge']>> {
  const { judge } = kit.helpers
  if (!judge || answer.trim() === '') return { ok: true, value: null }
  const replies: string[] = []
  for (let left = version === 'v1' ? 0 : 2; left >= 0; left--) {
    const reply = await kit.ask('judge', { messages: researchQuestion(item, answer), schema: judge.schema ? verdictSchema : null })
    if (!reply.ok) return reply
    replies.push(judgeReply(reply.value.text))
    if (version === 'v1' || judgeScore(replies.at(-1)!, 'v2') !== null) return { ok: true, value: { model: judge.model, replies } }
  }
  const detail = `${judge.model} was asked three times and gave no number; last it wrote: ${replies.at(-1)!.slice(0, 1000)}`
  return { ok: false, failure: { at: 'judge', reason: 'unreadable', retryable: true, status: null, detail } }
}
