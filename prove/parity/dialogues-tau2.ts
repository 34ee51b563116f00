import type { DialogueFacts } from '#shared/tau2/facts.ts'
import type { Party } from '#shared/tau2/world.ts'
import { randomCall } from './calls-tau2.ts'
import { type Draw, seededDraw } from './draw.ts'

/** A message that a script says in a model's place. */
export type ScriptLine = { text: string; calls: { id: string; name: string; arguments: string }[] }
/** A task in its official form, and what our side reads of it. */
export type PlayedTask = { task: unknown; facts: DialogueFacts }
/** A dialogue that both sides play: a task, limits, and what each party says until its script is used up. */
export type ScriptedDialogue = PlayedTask & { most: { steps: number; errors: number }; script: { [party in Party]: ScriptLine[] } }

const texts = [
  'Hello.',
  'It is still broken 😀',
  'Please try again.',
  '\u00a0ok\n',
  'What does STOP mean?',
  '###STOP',
  'naïve "quotes" \\ slash',
  '2.0',
]
const stops = ['###STOP###', 'Thanks! ###STOP###', '###TRANSFER###', 'That is ###OUT-OF-SCOPE### here']
const empty = ['', ' ', '\n\t\u00a0']
const badArguments = ['{bad', '[1]', 'null', '', '"x"']

/** The calls that solve a task, of one party each, before words. */
function goldScript({ actions }: DialogueFacts, party: Party, draw: Draw): ScriptLine[] {
  const calls = actions
    .filter((action) => action.party === party)
    .map(({ name, args }, index) => ({ id: `${party}_gold_${index}`, name, arguments: args }))
  const together = draw.chance(0.3) && calls.length > 0
  return [...(together ? [{ text: '', calls }] : calls.map((call) => ({ text: '', calls: [call] }))), { text: 'Done.', calls: [] }]
}

function randomLine(draw: Draw, party: Party, index: number): ScriptLine {
  const kind = draw.below(100)
  if (kind < 40) return { text: draw.pick(texts), calls: [] }
  if (kind < 42) return { text: draw.pick(empty), calls: [] }
  if (kind < 47) return { text: draw.pick(stops), calls: [] }
  const calls = draw.many(draw.between(1, 3), (place) => {
    const call = randomCall(draw)
    const name = draw.chance(0.1) ? 'no_such_tool' : call.name
    const written = draw.chance(0.01) ? draw.pick(badArguments) : call.arguments
    // Mostly tools of its own: `randomCall` draws a party too.
    return { id: `${party}_${index}_${place}`, name, arguments: written }
  })
  return { text: draw.chance(0.2) ? draw.pick([...texts, ...stops]) : '', calls }
}

/** Dialogues over all tasks: by turns ones that play what solves the task, and random ones. The same seed gives the same. */
export function scriptedDialogues(tasks: readonly PlayedTask[], seed: number, count: number): ScriptedDialogue[] {
  const draw = seededDraw(seed)
  return draw.many(count, (index) => {
    const { task, facts } = tasks[index % tasks.length]!
    const solves = Math.floor(index / tasks.length) % 3 === 0
    const lines = (party: Party) =>
      solves ? goldScript(facts, party, draw) : draw.many(draw.below(30), (place) => randomLine(draw, party, place))
    const most = { steps: draw.pick(solves ? [200] : [200, 40, 7]), errors: draw.pick([10, 10, 3]) }
    return { task, facts, most, script: { assistant: lines('assistant'), user: lines('user') } }
  })
}
