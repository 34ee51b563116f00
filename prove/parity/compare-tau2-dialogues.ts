import type { DialogueEnd, Turn } from '#shared/contract/evidence/dialogue.ts'
import type { Message } from '#shared/contract/message.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { scriptedKit, unsetParams } from '#shared/solvers/testing/scripted-kit.ts'
import { converse } from '#shared/tau2/converse.ts'
import { evaluate } from '#shared/tau2/evaluate.ts'
import { scoreDialogue } from '#shared/tau2/score-dialogue.ts'
import type { TelecomDomain } from '#shared/tau2/telecom.ts'
import type { Party } from '#shared/tau2/world.ts'
import { WorldBroken } from '#shared/tau2/world.ts'
import type { ScriptedDialogue } from './dialogues-tau2.ts'
import { CannotCompare } from './python-environment.ts'

type Sent = [party: Party, messages: Record<string, unknown>[], tools: number]
/** What came of a dialogue: how it ended, all its messages, both data bases and the reward; or that something was raised. And what models were sent. */
export type CameOfDialogue = { raised?: string; end?: string; steps?: number; errors?: number; turns?: unknown[]; assistant?: string; user?: string; reward?: number; asked: Sent[] } // biome-ignore format: one form, one line
export type DialogueTally = { compared: number; raised: number; rewarded: number; ends: Record<string, number>; requests: number; disagreements: number[] } // biome-ignore format: one form, one line

const greeting = 'Hi! How can I help you today?'
const officialEnds: Record<DialogueEnd, string> = { 'user-stop': 'user_stop', 'max-steps': 'max_steps', 'too-many-errors': 'too_many_errors', limit: 'limit' } // biome-ignore format: a small table

/** A message as litellm is given it. */
function sentAs({ role, content, tool_calls, tool_call_id }: Message): Record<string, unknown> {
  const calls = tool_calls?.map(({ id, name, arguments: written }) => ({
    id,
    name,
    function: { name, arguments: written },
    type: 'function',
  }))
  return { role, content, ...(calls && { tool_calls: calls }), ...(tool_call_id !== undefined && { tool_call_id }) }
}

const turnAs = (turn: Turn): unknown =>
  turn.type === 'result'
    ? ['result', turn.party, turn.call_id, turn.content, turn.error]
    : ['said', turn.party, turn.text, turn.calls.map((call) => [call.id, call.name, call.arguments])]

/** Plays a dialogue with our orchestrator, world, replay and score. */
export async function playDialogue(domain: TelecomDomain, { facts, most, script }: ScriptedDialogue): Promise<CameOfDialogue> {
  const asked: Sent[] = []
  const left = { assistant: [...script.assistant], user: [...script.user] }
  const says = (party: Party) => (request: { messages: readonly Message[]; tools?: readonly unknown[] }) => {
    asked.push([party, request.messages.map(sentAs), request.tools?.length ?? 0])
    const line = left[party].shift() ?? { text: party === 'assistant' ? 'fine.' : '###STOP###', calls: [] }
    return { ...said(line.text), ...(line.calls.length > 0 && { tool_calls: line.calls }) }
  }
  const kit = scriptedKit({ model: says('assistant'), user: says('user') }, { user: {} })
  const system = { role: 'system' as const, content: '' }
  const party = (name: Party, begins: Message[]) => ({ begins, tools: domain.tools[name], params: unsetParams })
  const parties = {
    assistant: party('assistant', [system, { role: 'assistant', content: greeting }]),
    user: party('user', [system]),
  }
  const world = domain.open()
  try {
    world.prepare(facts.begins)
    const talked = await converse(parties, greeting, world, most, kit)
    if (talked.type !== 'ended') return { raised: talked.type === 'broken' ? talked.broken.why : talked.failure.detail, asked }
    const { end, steps, errors, turns } = talked.talk
    const assertions = end === 'user-stop' ? evaluate(domain.open(), facts, turns) : null
    const evidence = { kind: 'dialogue' as const, ...said(''), scoring_input: null, truncated_reasoning: false, turns, end, steps, errors, most, assertions, broken: [] } // biome-ignore format: one value, one line
    const { value } = scoreDialogue({ metadata: facts } as never, evidence as never) // the score reads these alone
    const bases = { assistant: world.dump('assistant'), user: world.dump('user') }
    return { end: officialEnds[end], steps, errors, turns: turns.map(turnAs), ...bases, reward: value ?? undefined, asked }
  } catch (error) {
    if (error instanceof WorldBroken) return { raised: error.message, asked }
    throw error
  }
}

/** Prompts are left out here, as they are compared by their hashes elsewhere. */
function shown({ raised, end, steps, errors, turns, assistant, user, reward, asked }: CameOfDialogue): string {
  const sent = asked.map(([party, messages, tools]) => [
    party,
    tools,
    messages.slice(1).map((one) => JSON.stringify(Object.entries(one).toSorted())),
  ])
  return JSON.stringify([raised !== undefined, end, steps, errors, turns, assistant, user, reward, sent])
}

/** Counts every dialogue in which anything differs. */
export function tallyDialogues(ours: readonly CameOfDialogue[], theirs: readonly CameOfDialogue[]): DialogueTally {
  const tally: DialogueTally = { compared: 0, raised: 0, rewarded: 0, ends: {}, requests: 0, disagreements: [] }
  for (const [index, mine] of ours.entries()) {
    const official = theirs[index]
    if (!official) throw new CannotCompare(`there are ${theirs.length} results for ${ours.length} dialogues`)
    tally.compared++
    tally.requests += mine.asked.length
    if (mine.raised !== undefined) tally.raised++
    if (mine.reward === 1) tally.rewarded++
    const end = mine.end ?? 'raised'
    tally.ends[end] = (tally.ends[end] ?? 0) + 1
    if (shown(mine) !== shown(official)) tally.disagreements.push(index)
  }
  return tally
}
