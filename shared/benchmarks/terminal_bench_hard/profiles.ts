import type { Profile } from '../../contract/card.ts'
import { type CommandAgent, commandProfile } from '../../contract/command-agent.ts'
import { commandWorker } from '../../episode/command-worker.ts'
import { terminalOracle } from '../../episode/oracle-terminal.ts'
import { terminus1, terminus2 } from '../../episode/terminus-worker.ts'
import { nop, type Worker } from '../../episode/worker.ts'
import type { Form } from '../../terminal-bench-1/load-task.ts'
import { officialTerminus2, terminus2Pins } from '../../terminus/official-texts.ts'
import { ownTerminus2 } from '../../terminus/own-texts.ts'
import { officialTerminus1, terminus1Pins } from '../../terminus/terminus1-texts.ts'
import { type ListName, sizeOf } from './lists.ts'

type Texts = Readonly<Record<string, string>>

/** A profile: which tasks, run by whose rules, by whom; and how long agents have where it is not each task's own time. */
type Way = {
  title: string
  list: ListName
  form: Form
  epochs: number
  texts: Profile['texts']
  /** `agent`: the command that the run was planned with, where it was. */
  worker(texts: Texts, agent: CommandAgent | null): Worker
  agent_timeout_ms?: number
}

const unknown = { context_tokens: null, output_tokens: null }
const first = { list: 'tbh-44', form: 'terminal-bench', epochs: 3 } as const
const firstJson = terminus2Pins('terminal-bench', 'json')
const byFirst = (texts: Texts) => officialTerminus2('terminal-bench', 'json', texts)
/** What Artificial Analysis is said to bound trials by, whatever tasks say: turns, tokens read, hours. */
const aaLimits = { max_turns: 100, input_tokens: 1_000_000 }
const aaTime = 24 * 3_600_000

/** No plan of this profile is without a command; what was planned by hand says so in its machine. */
const missing: CommandAgent = { command: 'echo "The run was planned without a command." >&2; exit 2' }

const ways = {
  'tbh-44': {
    title: 'The 44 tasks of Artificial Analysis, terminus-2 of Terminal-Bench 0.2.18, the tasks’ own times',
    ...{ ...first, texts: firstJson, worker: (texts) => terminus2({ texts: byFirst(texts), ...unknown }) },
  },
  'tbh-44-aa': {
    title: 'The same 44 with 100 turns, 1,000,000 tokens read and 24 hours for each, as Artificial Analysis is said to bound them',
    ...{ ...first, texts: firstJson, agent_timeout_ms: aaTime },
    worker: (texts) => terminus2({ texts: byFirst(texts), ...aaLimits, ...unknown }),
  },
  'tbh-44-xml': {
    title: 'The 44, terminus-2 of Terminal-Bench 0.2.18 with answers in XML',
    ...{ ...first, texts: terminus2Pins('terminal-bench', 'xml') },
    worker: (texts) => terminus2({ texts: officialTerminus2('terminal-bench', 'xml', texts), ...unknown }),
  },
  'tbh-44-terminus-1': {
    title: 'The 44, terminus-1 of Terminal-Bench 0.2.18',
    ...{ ...first, texts: [...terminus1Pins], worker: (texts) => terminus1(officialTerminus1(texts)) },
  },
  'tbh-44-harbor': {
    title: 'The 44 mapped to Harbor’s format, where the exit status of the tests decides; Harbor’s terminus-2',
    ...{ ...first, form: 'harbor', texts: terminus2Pins('harbor', 'json') },
    worker: (texts) => terminus2({ texts: officialTerminus2('harbor', 'json', texts), ...unknown }),
  },
  'tbh-47': {
    title: 'NVIDIA’s list of 47, terminus-2 of Terminal-Bench 0.2.18',
    ...{ ...first, list: 'tbh-47', epochs: 1, texts: firstJson, worker: (texts) => terminus2({ texts: byFirst(texts), ...unknown }) },
  },
  'tbh-48': {
    title: 'All 48 tasks that are marked as hard, terminus-2 of Terminal-Bench 0.2.18',
    ...{ ...first, list: 'tbh-48', epochs: 1, texts: firstJson, worker: (texts) => terminus2({ texts: byFirst(texts), ...unknown }) },
  },
  builtin: {
    title: 'The 44, terminus-2 in our own words, answers in JSON',
    ...{
      ...first,
      texts: [],
      worker: () => terminus2({ texts: { ...ownTerminus2('json'), harness: 'terminal-bench', fallbacks: null }, ...unknown }),
    },
  },
  [commandProfile]: {
    title: 'The 44, by a command of whoever starts the run, which reaches the model by a proxy',
    ...{ ...first, texts: [], worker: (_texts, agent) => commandWorker(agent ?? missing) },
  },
  oracle: {
    title: 'Each task’s own solution, all 48: no model is asked',
    ...{ ...first, list: 'tbh-48', epochs: 1, texts: [], worker: () => terminalOracle },
  },
  nop: {
    title: 'Nobody does anything, all 48: no model is asked',
    ...{ ...first, list: 'tbh-48', epochs: 1, texts: [], worker: () => nop },
  },
} as const satisfies Record<string, Way>

/** The way of a profile; an unknown one is that of our own words. */
export const wayOf = (profile: string): Way => (Object.hasOwn(ways, profile) ? ways[profile as keyof typeof ways] : ways.builtin)

/** Tasks that the card counts: those of the longest list. */
export const allTasks = sizeOf('tbh-48')

const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }

export const profiles: Profile[] = Object.entries<Way>(ways).map(([id, { title, list, epochs, texts }]) => ({
  ...{ id, title, texts, files: ['test'], tables: [], params, epochs },
  ...(sizeOf(list) !== allTasks && { total_items: sizeOf(list) }),
}))
