import * as z from 'zod'
import { Done, Run } from '#shared/contract/api.ts'
import { type RunSpec, visibilities } from '#shared/contract/run.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { dollars } from '../dollars.ts'
import { findRunId, isLocalRun } from '../find-run.ts'
import { exitCodes, type Io, UsageError } from '../io.ts'
import { cost } from '../numbers.ts'
import { cleanLine } from '../terminal.ts'
import { whereTasksAre } from '../with-tasks.ts'

/** `ofFolder` takes what is no run of a service but a folder here. */
const steer = (name: string, route: string, summary: string) =>
  defineCommand({
    name,
    summary,
    arguments: ['RUN'],
    options: {},
    values: z.object({}),
    examples: [`bench ${name} last`],
    run: ({ positionals, json, url }, io) => steerThere(positionals[0] ?? '', route, { json, url }, io),
  })

async function steerThere(
  named: string,
  route: string,
  { json, url }: { json: boolean; url: string | undefined },
  io: Io,
): Promise<number> {
  const client = createClient(io, url)
  const id = await findRunId(client, named)
  const done = await client.post(`/api/runs/${id}/${route}`, undefined, Done)
  io.out(json ? JSON.stringify({ run_id: id, ...done }) : cleanLine(done.message))
  return exitCodes.ok
}

export const cancel = steer('cancel', 'cancel', 'Cancels a run for good. Scored trials stay.')
export const pause = steer('pause', 'pause', 'Pauses a run: requests in flight end, no new ones start.')
export const resume = defineCommand({
  name: 'resume',
  summary: 'Resumes a paused or waiting run, or a stopped local one, named by its folder. Stored results are not asked again.',
  arguments: ['RUN'],
  options: { tasks: { help: 'where the tasks of a local run lie that was started with --tasks', value: 'DIR' } },
  values: z.object({ tasks: z.string().optional() }),
  examples: ['bench resume last', 'bench resume runs/0199c0de-…', 'bench resume runs/0199c0de-… --tasks my-tasks/'],
  async run({ positionals, values, json, url, quiet }, io) {
    const [named = ''] = positionals
    if (isLocalRun(named)) return resumeFolder(named, { json, quiet }, values.tasks === undefined ? io : whereTasksAre(values.tasks, io))
    if (values.tasks !== undefined) throw new UsageError('--tasks belongs to a local run, named by its folder.')
    return steerThere(named, 'resume', { json, url }, io)
  },
})
export const retry = steer('retry', 'retry-failed', 'Tries again the failed trials that may still succeed; answers, right or wrong, stay.')

async function resumeFolder(dir: string, mode: { json: boolean; quiet: boolean }, io: Io): Promise<number> {
  const { resumeHere } = await import('../run-here.ts')
  return resumeHere(dir, mode, io)
}

const seenBy: Record<RunSpec['visibility'], string> = {
  private: 'its owner and the operator',
  link: 'everybody who has its address',
  public: 'everybody, in lists and on leaderboards',
}

/** Who may read a run, in a line for people. */
export const visibilityLine = (visibility: RunSpec['visibility']): string => `${visibility}: read by ${seenBy[visibility]}`

export const share = defineCommand({
  name: 'share',
  summary: 'Changes the visibility of a run: its owner (private), everybody with its address (link), or everybody (public).',
  arguments: ['RUN', 'WHO'],
  options: {},
  values: z.object({}),
  examples: ['bench share last link', 'bench share last private'],
  async run({ positionals, json, url }, io) {
    const who = z.enum(visibilities).safeParse(positionals[1])
    if (!who.success) throw new UsageError(`WHO: must be one of ${visibilities.join(', ')}.`)
    const client = createClient(io, url)
    const id = await findRunId(client, positionals[0] ?? '')
    const { visibility } = (await client.patch(`/api/runs/${id}`, { visibility: who.data }, Run)).spec
    io.out(json ? JSON.stringify({ run_id: id, visibility }) : visibilityLine(visibility))
    if (!json && visibility !== 'private') io.err(`${client.url}/runs/${id}`)
    return exitCodes.ok
  },
})

export const budget = defineCommand({
  name: 'budget',
  summary: 'Sets the budget of a run, in dollars, or lifts it with "none". A run that its budget stopped goes on at once.',
  arguments: ['RUN', 'USD'],
  options: {},
  values: z.object({}),
  examples: ['bench budget last 5', 'bench budget last none'],
  async run({ positionals, json, url }, io) {
    const budget_usd = dollars(positionals[1] ?? '')
    const client = createClient(io, url)
    const id = await findRunId(client, positionals[0] ?? '')
    const run = await client.patch(`/api/runs/${id}`, { budget_usd }, Run)
    const limit = run.head.budget_usd === null ? 'The run has no budget any more' : `The budget is now ${cost(run.head.budget_usd)}`
    io.out(
      json ? JSON.stringify({ run_id: id, budget_usd: run.head.budget_usd, status: run.status }) : `${limit}; the run is ${run.status}.`,
    )
    return exitCodes.ok
  },
})
