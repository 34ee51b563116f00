import { mostEpisodes } from '#shared/contract/task-upload.ts'
import { count } from '../ui/format.ts'

/** What somebody has chosen to start; all of it stands in the address. What is undefined falls back to what the task was uploaded with. */
export type StartChoice = {
  agent: string | undefined
  model: string | undefined
  provider: string | undefined
  episodes: number | undefined
  /** Tasks that are started together, by their ids; on the page of one task nothing. */
  tasks: string[]
}

type Search = Record<string, string | string[] | undefined>

/** Most tasks that are started by one press. */
export const mostChosen = 100

/** Reads a choice from the address; what is missing or makes no sense is left open. */
export function readStartChoice(search: Search): StartChoice {
  const text = (key: string) => (typeof search[key] === 'string' && search[key] !== '' ? (search[key] as string) : undefined)
  return {
    agent: text('agent')?.slice(0, 40),
    model: text('model')?.slice(0, 300),
    provider: text('provider')?.slice(0, 60),
    episodes: readEpisodes(text('episodes') ?? ''),
    tasks: [...new Set(text('tasks')?.split(',').filter(Boolean))].slice(0, mostChosen),
  }
}

/** A number of episodes as somebody wrote it, brought into its bounds; undefined where it is no whole number. */
export function readEpisodes(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Math.min(mostEpisodes, Math.max(1, Number(text))) : undefined
}

/** The address of a choice. */
export function writeStartChoice({ agent, model, provider, episodes, tasks }: StartChoice): Record<string, string | undefined> {
  const more = { episodes: episodes === undefined ? undefined : String(episodes), tasks: tasks.join(',') || undefined }
  return { agent, model, provider, ...more }
}

/** `1 episode`, `2,000 episodes`. */
export const episodesText = (episodes: number): string => `${count(episodes)} ${episodes === 1 ? 'episode' : 'episodes'}`

/** What is ticked, in a line: the name of one, or how many there are. */
export function chosenText(names: readonly string[]): string {
  if (names.length === 0) return 'No task is chosen. Tick some in the list; what you upload is ticked by itself.'
  return names.length === 1 ? names[0]! : `${count(names.length)} tasks are chosen.`
}

type Ready = {
  tasks: number
  /** Undefined while the list of solvers is on its way. */
  agent: { asks: boolean } | undefined
  model: boolean
  /** Why none of the tasks can be worked at by this solver. */
  hindered: string | undefined
  uploading: number
}

/** Why a viewer of a team does not start its tasks. */
export const runnersOnly = 'Runners and admins of its team start it'

/** What keeps the button from being pressed, in the button's own words; undefined when nothing does. */
export function whatStartLacks({ tasks, agent, model, hindered, uploading }: Ready): string | undefined {
  if (tasks === 0) return uploading > 0 ? 'Uploading' : 'Choose a task'
  if (agent === undefined) return 'Choose a solver'
  if (hindered !== undefined) return hindered
  return agent.asks && !model ? 'Choose a model' : undefined
}
