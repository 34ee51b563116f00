import type { DemoTurn } from '../benchmarks/task.ts'
import type { Message } from '../contract/message.ts'
import type { DialogueFacts, GoldAction } from './facts.ts'

type Sent = Pick<Message, 'role' | 'content'>
type Batch = { party: GoldAction['party']; actions: GoldAction[] }

const asking = 'On your phone, please: '
const farewell = 'Everything is as it should be now.'
const refusal = 'I cannot help with that.'

/**
 * What an agent that knows the wanted calls, or a user who does what it is asked, says next; undefined where the messages are of another task. An agent that is
 * not to be `right` gives up at once. Both go by what they were sent alone.
 */
export function demoDialogue(facts: DialogueFacts, right: boolean, messages: readonly Sent[]): DemoTurn | undefined {
  const batches = batchesOf(facts.actions)
  if (messages[0]?.content.includes(facts.scenario)) return userTurn(facts, batches, messages)
  const opening = messages.find(({ role }) => role === 'user')
  if (!opening?.content.includes(facts.question)) return undefined
  return right ? agentTurn(batches, messages) : words(refusal)
}

const words = (text: string): DemoTurn => ({ text, calls: [] })
const call = ({ name, args }: GoldAction): DemoTurn => ({ text: '', calls: [{ name, arguments: args }] })
const countOf = (messages: readonly Sent[], role: Sent['role']): number => messages.filter((message) => message.role === role).length

/** Wanted calls in their order, those of the same party that follow one another together. */
function batchesOf(actions: readonly GoldAction[]): Batch[] {
  const batches: Batch[] = []
  for (const action of actions) {
    const last = batches.at(-1)
    if (last?.party === action.party) last.actions.push(action)
    else batches.push({ party: action.party, actions: [action] })
  }
  return batches
}

/** The agent makes its own calls one by one, and asks for those of the user. */
function agentTurn(batches: readonly Batch[], messages: readonly Sent[]): DemoTurn {
  let made = countOf(messages, 'tool')
  let heard = countOf(messages, 'user') - 1
  for (const { party, actions } of batches) {
    if (party === 'assistant') {
      if (made < actions.length) return call(actions[made]!)
      made -= actions.length
    } else if (heard-- < 1) return words(`${asking}${actions.map(({ name }) => name.replaceAll('_', ' ')).join(', ')}.`)
  }
  return words(farewell)
}

/** The user says why it calls, then makes the calls of the batch it is asked for, and ends the dialogue when nothing is asked of it. */
function userTurn({ question }: DialogueFacts, batches: readonly Batch[], messages: readonly Sent[]): DemoTurn {
  const asked = countOf(messages, 'user') - 1
  if (asked < 1) return words(question)
  const own = batches.filter(({ party }) => party === 'user')
  const batch = own[asked - 1]
  if (!batch || !messages.findLast(({ role }) => role === 'user')?.content.startsWith(asking)) return words('###STOP###')
  const before = own.slice(0, asked - 1).reduce((sum, { actions }) => sum + actions.length, 0)
  const next = batch.actions[countOf(messages, 'tool') - before]
  return next ? call(next) : words('That is done.')
}
