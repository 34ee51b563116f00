import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod'
import { mostEpisodes } from '#shared/contract/task-upload.ts'
import { sampleTasks } from '#shared/episode/sample-tasks.ts'
import { taskAgents } from '#shared/episode/task-agents.ts'
import { keyIn } from '../../key-setting.ts'
import { createClient } from '../client.ts'
import { defineCommand, integer } from '../command.ts'
import { CommandError, exitCodes, UsageError } from '../io.ts'
import { loadService } from '../load/load-service.ts'
import { isClean, loadText, stepFigures } from '../load/load-text.ts'

const mostUsers = 200
/** Episodes of one load: more than ten times the 750 that the predecessor planned for. */
const mostAsked = 10_000

export const load = defineCommand({
  name: 'load',
  summary:
    'Puts a load on the service: each user uploads a task, executes it, polls it to its end and deletes it, with real requests. Prints times, statuses and failures by kind of request.\n' +
    'The oracle needs no model. Exit code 1 if a request failed or an episode has not ended. A key comes from BENCH_API_KEY.',
  options: {
    users: { help: 'users at once (5)', value: 'N' },
    tasks: { help: 'tasks of each user, one after the other (1)', value: 'N' },
    episodes: { help: `episodes of each task (1, at most ${mostEpisodes})`, value: 'N', short: 'k' },
    'task-zip': { help: `archive of the task (${sampleTasks[0].name}, from the service)`, value: 'PATH' },
    agent: { help: 'who works at the terminals (oracle)', value: 'NAME', choices: taskAgents.map(({ id }) => id) },
    model: { help: 'the model that the agent asks', value: 'MODEL', short: 'm' },
    poll: { help: 'seconds between two looks at a task (3)', value: 'S' },
    most: { help: 'seconds after which nothing new is sent (600)', value: 'S' },
    keep: { help: 'leave the tasks in the service' },
  },
  values: z.object({
    users: integer(1, mostUsers).default(5),
    tasks: integer(1, 100).default(1),
    episodes: integer(1, mostEpisodes).default(1),
    'task-zip': z.string().optional(),
    agent: z.string().default('oracle'),
    model: z.string().optional(),
    poll: integer(1, 60).default(3),
    most: integer(1, 86_400).default(600),
    keep: z.boolean().default(false),
  }),
  examples: [
    'bench load --users 25 --episodes 10',
    'bench load --users 75 --episodes 10 --most 3600',
    'bench load --task-zip my-task.zip --users 5 --tasks 2',
  ],
  async run({ values, json, url: given }, io) {
    const { users, tasks, episodes, agent, model, poll, most, keep } = values
    if (users * tasks * episodes > mostAsked)
      throw new UsageError(`That is ${users * tasks * episodes} episodes; one load has at most ${mostAsked}.`)
    const client = createClient(io, given)
    const key = keyIn(io.env, 'BENCH_API_KEY')
    const archive = await archiveOf(values['task-zip'], async (path) => (await client.open(path)).blob())
    const plan = { users, tasks, episodes, agent, model, archive, poll_ms: poll * 1000, most_ms: most * 1000, keep }
    const report = await loadService(client.url, plan, io, key ? { authorization: `Bearer ${key}` } : {})
    io.progress('')
    if (json) {
      for (const figures of stepFigures(report.sent)) io.out(JSON.stringify({ type: 'requests', ...figures }))
      const { episodes, left, took_ms } = report
      io.out(JSON.stringify({ type: 'load', clean: isClean(report), episodes, left, took_ms }))
    } else for (const line of loadText(report, io.columns)) io.out(line)
    return isClean(report) ? exitCodes.ok : exitCodes.error
  },
})

async function archiveOf(path: string | undefined, open: (path: string) => Promise<Blob>) {
  if (path === undefined) return { filename: `${sampleTasks[0].name}.zip`, zip: await open(sampleTasks[0].path) }
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new CommandError(`${path} cannot be read.`, 'failed', null, { cause })
  })
  return { filename: basename(path), zip: new Blob([bytes]) }
}
