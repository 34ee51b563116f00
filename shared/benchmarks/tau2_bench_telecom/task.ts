import * as z from 'zod'
import type { Item } from '../../contract/item.ts'
import type { Message } from '../../contract/message.ts'
import { pythonRandom } from '../../random/python-random.ts'
import { demoDialogue } from '../../tau2/demo-dialogue.ts'
import { type DialogueFacts, dialogueFacts, factsIn } from '../../tau2/facts.ts'
import { type AgentBeginning, officialAgent, officialUser } from '../../tau2/prompts.ts'
import { scoreDialogue } from '../../tau2/score-dialogue.ts'
import { solveDialogue } from '../../tau2/solve-dialogue.ts'
import { TauSplit, TauTask } from '../../tau2/tau-task.ts'
import { itemHash } from '../item-hash.ts'
import { eachRecord, recordsOf } from '../parse-rows.ts'
import { OtherRows, type Task } from '../task.ts'
import { card } from './card.ts'
import { domainOf } from './domain-of.ts'
import { ownAgent, ownUser } from './own-words.ts'

type Texts = Record<string, string>

/** The split that results are reported for. */
const split = 'base'
const mostErrors = 10

/** A step is a message or what tools answer to it, and who calls tools goes on: each party has half of them for its messages. */
const stepsOf = (id: string): number => 2 * (card.profiles.find((profile) => profile.id === id)?.rounds?.most ?? 100)

const agentOf = (profile: string, texts: Texts): AgentBeginning => (profile === 'builtin' ? ownAgent : officialAgent(texts))
const userOf = (profile: string, texts: Texts) => (scenario: string) =>
  profile === 'builtin' ? ownUser(scenario) : officialUser(texts, scenario)

/** The seed of a trial, the same for every item: `random.seed(300)`, then a number for each (`src/tau2/runner/batch.py`). */
function seedOf(epoch: number): number {
  const random = pythonRandom(300)
  for (let before = 0; before < epoch; before++) random.randint(0, 1_000_000)
  return random.randint(0, 1_000_000)
}

function toItem(
  task: TauTask,
  index: number,
  epoch: number,
  { system, greeting }: AgentBeginning,
  user: (scenario: string) => string,
): Item {
  const messages: Message[] = [
    { role: 'system', content: system, opening: system.length },
    { role: 'assistant', content: greeting },
  ]
  const facts = dialogueFacts(task, seedOf(epoch))
  return {
    item_id: String(index),
    source_id: task.id,
    item_hash: itemHash([...messages, { role: 'system', content: user(facts.scenario) }]),
    group: facts.intent,
    messages,
    target: targetOf(facts),
    metadata: facts,
  }
}

/** What has to hold at the end, and what has to be called, by name. */
function targetOf({ actions, assertions, basis }: DialogueFacts): string {
  const called = basis.includes('ACTION') ? actions.map(({ name }) => `${name} is called`) : []
  return [...assertions.map(({ name, value }) => (value ? name : `not ${name}`)), ...called].join(', ')
}

/** Rows of the tasks of the split, in the order of their file, as officially. Throws `OtherRows` where one is missing. */
function rowsOf(ids: readonly string[], wanted: readonly string[]): number[] {
  const known = new Set(wanted)
  const rows = [...ids.keys()].filter((row) => known.has(ids[row]!))
  const missing = known.size - new Set(rows.map((row) => ids[row])).size
  if (missing > 0) throw new OtherRows(`${missing} of the ${known.size} tasks of the split ${split} are missing`)
  return rows
}

const Database = z.object({ name: z.string(), text: z.string() })

const task: Task<'dialogue'> = {
  card,
  key: 'id',
  async survey({ rows }) {
    const ids: string[] = []
    const wanted: string[] = []
    await eachRecord(recordsOf(rows, 'test', TauTask), ({ id }) => ids.push(id))
    await eachRecord(recordsOf(rows, 'splits', TauSplit), ({ name, value }) => name === split && wanted.push(...value))
    return { items: rowsOf(ids, wanted), named: [] }
  },
  open({ profile, texts, rows, survey }) {
    const records = recordsOf(rows, 'test', TauTask)
    const databases = recordsOf(rows, 'databases', Database)
    const taken = survey.items ?? []
    const begins = agentOf(profile.id, texts)
    return {
      count: taken.length,
      item: async (index, epoch) => toItem(await records.read(taken[index]!), index, epoch, begins, userOf(profile.id, texts)),
      hidden: async () => {
        const found = await Promise.all(Array.from({ length: databases.count }, (_, index) => databases.read(index)))
        return Object.fromEntries(found.map(({ name, text }) => [name, text]))
      },
    }
  },
  solver: (profile, texts) =>
    solveDialogue({ userSystem: userOf(profile, texts), most: { steps: stepsOf(profile), errors: mostErrors } }, domainOf(profile, texts)),
  score: (item, evidence) => scoreDialogue(item, evidence),
  demo: (item, right) => (right ? item.target : 'I cannot help with that.'),
  demoTurn: (item, right, messages) => demoDialogue(factsIn(item), right, messages),
}

export default task
