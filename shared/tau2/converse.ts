import type { DialogueEnd, Turn } from '../contract/evidence/dialogue.ts'
import type { Failure } from '../contract/failure.ts'
import type { Message, ModelParams, Tool, ToolCall } from '../contract/message.ts'
import type { LimitHit } from '../contract/trial-limits.ts'
import { strip } from '../python/text.ts'
import { scoringInput } from '../scorers/reasoning.ts'
import type { Completion, Kit } from '../solvers/kit.ts'
import { changesBetween } from './changes.ts'
import { dumps, readArguments } from './python-values.ts'
import type { Party, World } from './world.ts'

/** What each party is sent: how its conversation begins, its tools, and its parameters. */
export type Parties = { [party in Party]: { begins: readonly Message[]; tools: readonly Tool[]; params: ModelParams } }
/** How many steps and failed calls end a dialogue. */
export type Most = { steps: number; errors: number }

/** A dialogue that ended, as far as it went. `last`: what the agent last said in words. */
export type Conversed = { turns: Turn[]; end: DialogueEnd; steps: number; errors: number; last: Completion | null; limit: LimitHit | null }

/** What nobody can go on from: officially an exception, upon which the whole dialogue is begun anew. `by`: whose message it was. */
export type Broken = { why: string; by: Party | 'world' }
export type Talk = { type: 'ended'; talk: Conversed } | { type: 'failed'; failure: Failure } | { type: 'broken'; broken: Broken }

/** Words of the user that end a dialogue. Source: `src/tau2/user/user_simulator_base.py`. */
const stopTokens = ['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###']

type NamedCall = { id: string; name: string; arguments: string }
type Said = { text: string; calls: NamedCall[] }
const other: Record<Party, Party> = { assistant: 'user', user: 'assistant' }

/**
 * Lets agent and user talk in a world that was prepared, from the agent's greeting on, until the user ends it or a limit does. Every hop counts as a
 * step: a party's message, and what tools answer to it. Source: `Orchestrator`, half duplex, `src/tau2/orchestrator/orchestrator.py`.
 */
export async function converse(parties: Parties, greeting: string, world: World, most: Most, kit: Kit): Promise<Talk> {
  const talk: Conversed = { turns: [], end: 'user-stop', steps: 0, errors: 0, last: null, limit: null }
  const histories = { assistant: [...parties.assistant.begins], user: [...parties.user.begins] }
  const ended = (end: DialogueEnd): Talk => ({ type: 'ended', talk: { ...talk, end } })
  talk.turns.push({ type: 'said', party: 'assistant', text: greeting, calls: [] })
  histories.user.push({ role: 'user', content: greeting })
  world.sync()
  let turn: Party = 'user'
  for (;;) {
    kit.progress(`step ${talk.steps + 1} of ${most.steps}`)
    const { tools, params } = parties[turn]
    const answered = await kit.ask(role[turn], { messages: [...histories[turn]], tools, params })
    if (!answered.ok && 'failure' in answered) return { type: 'failed', failure: answered.failure }
    if (!answered.ok) return { type: 'ended', talk: { ...talk, end: 'limit', limit: answered.limit } }
    const said = readMessage(answered.value, talk.turns.length)
    if (typeof said === 'string') return { type: 'broken', broken: { why: said, by: turn } }

    talk.turns.push({ type: 'said', party: turn, ...said })
    histories[turn].push(messageOf(said))
    nextStep(talk, world)
    if (said.calls.length > 0) {
      histories[turn].push(...runCalls(turn, said.calls, world, talk, kit))
      nextStep(talk, world)
    } else {
      if (turn === 'assistant') talk.last = answered.value
      histories[other[turn]].push({ role: 'user', content: said.text })
    }
    const met = limitMet(talk, most)
    if (met) return ended(met)
    if (said.calls.length > 0) continue
    if (turn === 'user' && stopTokens.some((token) => said.text.includes(token))) return ended('user-stop')
    turn = other[turn]
  }
}

const role = { assistant: 'model', user: 'user' } as const

function nextStep(talk: Conversed, world: World): void {
  talk.steps++
  world.sync()
}

/** A limit counts also against a dialogue that the user has just ended, and too many errors before too many steps. */
function limitMet({ steps, errors }: Conversed, most: Most): DialogueEnd | null {
  if (errors >= most.errors) return 'too-many-errors'
  return steps >= most.steps ? 'max-steps' : null
}

/** A message as it is taken, or why it cannot be. Reasoning in the text is cut out. `at` makes ids for calls that came without. */
function readMessage({ text, tool_calls = [] }: Completion, at: number): Said | string {
  const said = scoringInput(text).text
  if (tool_calls.length === 0) return strip(said) === '' ? 'a message with neither words nor calls' : { text: said, calls: [] }
  const calls: NamedCall[] = []
  for (const [index, call] of tool_calls.entries()) {
    if (call.name === null) return 'a call without a name'
    const written = readArguments(call.arguments)
    if (!written) return `the arguments of ${call.name} are no JSON object: ${call.arguments.slice(0, 200)}`
    calls.push({ id: call.id ?? `call_${at}_${index}`, name: call.name, arguments: dumps(written) })
  }
  return { text: said, calls }
}

function messageOf({ text, calls }: Said): Message {
  const [first, ...rest] = calls
  return { role: 'assistant', content: text, ...(first && { tool_calls: [first, ...rest] }) }
}

/** Runs the calls of a message one after the other; gives what its party is told of them. */
function runCalls(party: Party, calls: readonly NamedCall[], world: World, talk: Conversed, kit: Kit): Message[] {
  return calls.map((call) => {
    const { id, name, arguments: written } = call
    const before = world.changes(party, name) ? world.state() : null
    const { content, error } = world.respond({ party, name, arguments: written })
    if (error) talk.errors++
    const changes = before ? changesBetween(before, world.state()) : []
    talk.turns.push({ type: 'result', party, call_id: id, name, content, error, changes })
    kit.transcript.toolCall(call satisfies ToolCall, { result: content, is_error: error })
    return { role: 'tool', content, tool_call_id: id }
  })
}
