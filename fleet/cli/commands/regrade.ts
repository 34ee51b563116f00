import { existsSync } from 'node:fs'
import * as z from 'zod'
import { readTaskFolders } from '#fleet/catalogue/pack-terminal-tasks.ts'
import { machineHost } from '#fleet/machine/machine-host.ts'
import { loadTask } from '#shared/harbor/load-task.ts'
import type { HarborTask } from '#shared/harbor/task.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { findRunId } from '../find-run.ts'
import { CommandError, exitCodes, type Io, UsageError } from '../io.ts'
import { count } from '../numbers.ts'
import { type RegradedTrial, regradeRun } from '../regrade-run.ts'
import { regradeThere } from '../regrade-there.ts'
import { openLocalRun, openServedRun } from '../rescore-sources.ts'
import { type Column, cleanLine, table } from '../terminal.ts'

export const regrade = defineCommand({
  name: 'regrade',
  summary:
    'Runs the tests of terminal tasks again on the submissions of an ended run, and shows each reward that differs. No agent works\n' +
    'again and no model is asked. With --tasks this machine grades: RUN is a run of the service, the folder of a local run, or an exported ZIP with its\n' +
    'artifacts, and it takes Docker. Without, the service does, by the newest tests of the tasks there: a new run that says whose hand-over it grades.\n' +
    'It takes tasks whose verifier has a machine of its own, and episodes that handed something over, whatever became of their first grade. RUN itself\n' +
    'never changes. Exit code 0: every score is the same; 3: one changed; 1: none changed, but some could not be graded again.',
  arguments: ['RUN'],
  options: {
    tasks: { help: 'the tasks in Harbor’s format, with the tests as they are now: graded on this machine', value: 'DIR' },
    task: { help: 'the uploaded task whose tests grade at the service; the newest of the same name where left out', value: 'ID' },
  },
  values: z.object({ tasks: z.string().optional(), task: z.string().optional() }),
  examples: ['bench regrade last', 'bench regrade runs/0199c0de-… --tasks my-tasks/', 'bench regrade last --tasks my-tasks/ --json'],
  async run({ values, positionals, json, url }, io) {
    const [named = ''] = positionals
    const { run_id, graded } = await regradeBy(named, values, url, io)
    if (graded.length === 0) throw new CommandError('The run has no episode at a terminal that could be graded again.', 'no-episodes')
    if (json) for (const one of graded) io.out(JSON.stringify({ type: 'regrade', run_id, ...one }))
    else for (const line of regradeText(graded, io.columns)) io.out(line)
    if (graded.some(changed)) return exitCodes.changed
    return graded.some((one) => 'skipped' in one) ? exitCodes.error : exitCodes.ok
  },
})

/** The episodes graded again: on this machine by the tasks given, else by the service. */
async function regradeBy(
  named: string,
  { tasks: dir, task }: { tasks?: string | undefined; task?: string | undefined },
  url: string | undefined,
  io: Io,
): Promise<{ run_id: string; graded: RegradedTrial[] }> {
  const local = named !== 'last' && existsSync(named)
  if (dir !== undefined) {
    if (task !== undefined) throw new UsageError('Name tasks of this machine (--tasks DIR) or one of the service (--task ID), not both.')
    const tasks = await readTasks(dir)
    const source = local ? await openLocalRun(named) : await openServedRun(createClient(io, url), named, io)
    return { run_id: source.run_id, graded: await regradeRun(source, tasks, machineHost(io.env), io) }
  }
  if (local)
    throw new UsageError('Say where the tasks lie, with the tests that are to grade: --tasks DIR. The service grades runs of its own.')
  const client = createClient(io, url)
  const run_id = await findRunId(client, named)
  return { run_id, graded: await regradeThere(client, run_id, task, io) }
}

async function readTasks(dir: string): Promise<Map<string, HarborTask>> {
  const tasks = new Map<string, HarborTask>()
  const wrong: string[] = []
  for (const { name, files } of await readTaskFolders(dir)) {
    const loaded = loadTask(name, files)
    if (loaded.ok) tasks.set(loaded.task.name, loaded.task)
    else wrong.push(...loaded.problems.map(({ entry, text }) => `${name}/${entry}: ${text}`))
  }
  if (wrong.length > 0) throw new CommandError(wrong.join('\n'))
  if (tasks.size === 0) throw new CommandError(`${dir} holds no task: a task is a folder with a task.toml.`)
  return tasks
}

/** Whether an episode that had a grade has another now. */
const changed = (one: RegradedTrial): boolean => 'after' in one && one.before !== null && one.after !== one.before

const columns: Column[] = [
  { title: 'task', whole: true },
  { title: 'epoch', right: true },
  { title: 'reward then', right: true },
  { title: 'now', right: true },
  { title: '' },
]
const rewardText = (value: number | null): string => (value === null ? '–' : String(Math.round(value * 1000) / 1000))

function regradeText(graded: readonly RegradedTrial[], width: number | null): string[] {
  const rows = graded.map((one) => {
    const where = [cleanLine(one.source_id ?? one.item_id), count(one.epoch), rewardText(one.before)]
    return 'after' in one
      ? [...where, rewardText(one.after), one.before === null ? 'first grade' : changed(one) ? 'changed' : '']
      : [...where, '–', '']
  })
  const now = graded.filter((one) => 'after' in one)
  const again = now.filter(({ before }) => before !== null)
  const first = now.filter(({ before }) => before === null)
  const mean = (values: readonly (number | null)[]): string =>
    values.length === 0 ? '–' : rewardText(values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length)
  const skipped = Map.groupBy(
    graded.filter((one) => 'skipped' in one),
    (one) => one.skipped,
  )
  return [
    ...table(columns, rows, width),
    '',
    ...(first.length > 0
      ? [`${count(first.length)} graded for the first time; mean reward of these ${mean(first.map(({ after }) => after))}`]
      : []),
    `${count(again.length)} of ${count(graded.length)} episodes graded again, ${count(again.filter(changed).length)} changed; mean reward of these ${mean(again.map(({ before }) => before))} → ${mean(again.map(({ after }) => after))}  n = ${count(again.length)}`,
    ...[...skipped].map(([why, all]) => `not graded again, ${count(all.length)}: ${cleanLine(why, 500)}`),
  ]
}
