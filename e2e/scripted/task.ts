import * as z from 'zod'
import { itemHash } from '#shared/benchmarks/item-hash.ts'
import { judgedScore } from '#shared/benchmarks/judged-score.ts'
import { eachRecord, recordsOf } from '#shared/benchmarks/parse-rows.ts'
import type { Task } from '#shared/benchmarks/task.ts'
import type { Item } from '#shared/contract/item.ts'
import type { Message, Tool } from '#shared/contract/message.ts'
import { equalityVerdict } from '#shared/scorers/judge-verdict.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import type { Kit } from '#shared/solvers/kit.ts'
import { card } from './card.ts'

/** `turns` numbers are looked up, and a log of so many bytes is left behind. */
const Row = z.object({ name: z.string(), turns: z.int().min(1), log_bytes: z.int().min(1) })
type Row = z.infer<typeof Row>

const lookUp: Tool = {
  name: 'look_up',
  description: 'Gives the number that belongs to a place.',
  parameters: { type: 'object', properties: { place: { type: 'integer' } }, required: ['place'] },
}
const numberAt = (place: number): number => (place * 37) % 101

function toItem({ name, turns, log_bytes }: Row, index: number): Item {
  const messages: Message[] = [{ role: 'user', content: `${name}: look the number of place 0 up.` }]
  const sum = Array.from({ length: turns }, (_, place) => numberAt(place)).reduce((all, one) => all + one, 0)
  return {
    item_id: String(index),
    source_id: name,
    item_hash: itemHash(messages),
    group: null,
    messages,
    target: String(sum),
    metadata: { turns, log_bytes },
  }
}

/** A log that is another one for every item, made as it is written. */
async function* logOf(name: string, bytes: number): AsyncGenerator<Uint8Array> {
  const line = new TextEncoder().encode(`${name} 0123456789 abcdefghij\n`)
  const block = new Uint8Array(line.length * 4096).map((_, at) => line[at % line.length]!)
  for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length))
}

/** The dialogue as its other side sees it. */
const asUser = (messages: readonly Message[]): Message[] =>
  messages.flatMap(({ role, content }) =>
    role === 'user' || role === 'assistant' ? [{ role: role === 'user' ? 'assistant' : 'user', content } satisfies Message] : [],
  )

async function converse(item: Item, kit: Kit, messages: Message[]) {
  const turns = Number(item.metadata.turns)
  for (let turn = 1; turn <= turns; turn++) {
    kit.progress(`turn ${turn} of ${turns}`)
    const reply = await kit.ask('model', { messages, tools: [lookUp] })
    if (!reply.ok) return reply
    const { text, tool_calls } = reply.value
    messages.push({ role: 'assistant', content: text, ...(tool_calls?.length && { tool_calls }) })
    for (const call of tool_calls ?? []) {
      const { place } = z.object({ place: z.int() }).parse(JSON.parse(call.arguments))
      const result = String(numberAt(place))
      kit.transcript.toolCall(call, { result, is_error: false })
      messages.push({ role: 'tool', content: result, ...(call.id && { tool_call_id: call.id }) })
    }
    const next = await kit.ask('user', { messages: asUser(messages) })
    if (!next.ok) return next
    messages.push({ role: 'user', content: next.value.text })
  }
  return null
}

export const task: Task<'judged'> = {
  card,
  async survey({ rows }) {
    await eachRecord(recordsOf(rows, 'test', Row))
    return { items: null, named: [] }
  },
  open({ rows }) {
    const records = recordsOf(rows, 'test', Row)
    return { count: records.count, item: async (index) => toItem(await records.read(index), index) }
  },
  solver: () => async (item, kit) => {
    const messages = [...item.messages]
    const stopped = await converse(item, kit, messages)
    if (stopped && 'failure' in stopped) return stopped
    kit.transcript.note('The dialogue is over.')
    const body = logOf(String(item.source_id), Number(item.metadata.log_bytes))
    const log = await kit.keep({ name: 'logs/dialogue.log', kind: 'log', media_type: 'text/plain', body })
    if (!log.ok) return log
    const answered = answeredEvidence(await kit.ask('model', { messages }))
    if (!answered.ok) return answered
    const prompt = `Reference: ${item.target}. Candidate: ${answered.value.text}. CORRECT or INCORRECT?`
    const verdict = await kit.ask('judge', { messages: [{ role: 'user', content: prompt }] })
    if (!verdict.ok) return verdict
    const judge = { model: kit.helpers.judge?.model ?? '', replies: [verdict.value.text] }
    return { ok: true, value: { ...answered.value, kind: 'judged', judge } }
  },
  score(item, evidence) {
    const right = equalityVerdict(evidence.judge?.replies.at(-1) ?? '')
    return judgedScore(right === null ? null : { right, answer: evidence.text, why: '', detail: {} }, item.target, evidence)
  },
  demo: (item, right) => (right ? item.target : '0'),
  demoVerdict: (_item, right) => (right ? 'CORRECT' : 'INCORRECT'),
}
