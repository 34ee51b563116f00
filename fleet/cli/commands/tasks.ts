import * as z from 'zod'
import { type Checking, checkTask, referenceRuns, type TaskCheck } from '#fleet/catalogue/check-task.ts'
import { faultText, type ReadTask, readCatalogue } from '#fleet/catalogue/pack-catalogue.ts'
import { type LocalKind, localKinds, openLocalSandboxes } from '#fleet/sandbox/open-local.ts'
import { card, room } from '#shared/benchmarks/code_tasks/card.ts'
import { type CatalogueTask, solvedWorkspace } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { diffAnswer } from '#shared/benchmarks/code_tasks/diff-answer.ts'
import { BenchmarkName } from '#shared/contract/ids.ts'
import type { ReplayAnswer } from '#shared/contract/replay.ts'
import { duration } from '#shared/metrics/number-text.ts'
import { type Client, createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { CommandError, exitCodes, type Io, UsageError } from '../io.ts'
import { clean } from '../terminal.ts'
import { listUploaded, uploadedText } from '../uploaded-tasks.ts'

export const tasks = defineCommand({
  name: 'tasks',
  summary:
    'Lists the tasks that were uploaded to the service, with the mean reward of the newest run of each (`bench run --task` starts one). Or checks the tasks of a catalogue for code_tasks (`check`), or prints the reference solution of one as an answer, without an ID those of all as answers for a replay (`reference`). `check` runs each in a sandbox of this machine, of bubblewrap or with --sandbox docker: exit code 1 when a task is wrong, 3 when none is but something is missing here to check them all.',
  arguments: ['[ACTION]', '[DIR]', '[ID]'],
  words: { ACTION: ['list', 'check', 'reference'] },
  options: {
    sandbox: {
      help: 'the sandbox of `check` (bwrap); of docker with the image in BENCH_SANDBOX_IMAGE',
      value: 'KIND',
      choices: localKinds,
    },
    runs: { help: `how often \`check\` runs each reference (${referenceRuns})`, value: 'N' },
  },
  values: z.object({ sandbox: z.enum(localKinds).default('bwrap'), runs: z.coerce.number().int().min(1).max(100).default(referenceRuns) }),
  examples: [
    'bench tasks                              the tasks that were uploaded to the service',
    'bench tasks check my-catalogue           every task: form, reference, untouched workspace',
    'bench tasks check my-catalogue/my_task   one task',
    'BENCH_SANDBOX_IMAGE=bench-programs:bookworm bench tasks check my-catalogue --sandbox docker --runs 1',
    'bench tasks reference my-catalogue my_task > answer.txt',
    'bench tasks reference my-catalogue > answers.jsonl && bench run -b code_tasks --response-file answers.jsonl',
    `BENCH_DATA_OVERRIDES='{"code_tasks":{"files":[{"role":"test","path":"my-catalogue"}]}}' bench run --local -b code_tasks …   a run on it`,
  ],
  async run({ positionals, values, json, url }, io) {
    const [action, dir, id] = positionals
    if (action === undefined || (action === 'list' && dir === undefined)) return list(createClient(io, url), json, io)
    if (dir === undefined) throw new UsageError('Say where the catalogue lies: bench tasks check DIR, or: bench tasks reference DIR [ID].')
    if (action === 'check' && id === undefined) return check(await read(dir), { ...values, json }, io)
    if (action === 'reference') return reference(await read(dir), id, io)
    throw new UsageError('It is one of: bench tasks, bench tasks check DIR, bench tasks reference DIR [ID].')
  },
})

async function list(client: Client, json: boolean, io: Io): Promise<number> {
  const found = await listUploaded(client)
  if (json) for (const task of found) io.out(JSON.stringify({ type: 'task', task }))
  else if (found.length === 0) io.out('No task was uploaded yet: bench upload PATH brings one.')
  else for (const line of uploadedText(found, io.columns)) io.out(line)
  return exitCodes.ok
}

async function read(dir: string): Promise<ReadTask[]> {
  const found = await readCatalogue(dir).catch((cause: unknown) => {
    throw new CommandError(`${dir} cannot be read as a catalogue of tasks.`, 'failed', null, { cause })
  })
  if (found.length === 0) throw new CommandError(`${dir} holds no task: a task is a folder with a task.json.`)
  return found
}

function reference(read: readonly ReadTask[], id: string | undefined, io: Io): number {
  const found = id === undefined ? read : read.filter((one) => one.id === id)
  if (found.length === 0) throw new CommandError(`There is no task ${id} among ${read.length}.`)
  const faults = found.flatMap((one) => ('faults' in one ? one.faults.map(faultText) : []))
  if (faults.length > 0) throw new CommandError(faults.join('\n'))
  const answers = found.flatMap((one) => ('faults' in one ? [] : [{ item: one.id, answer: answerOf(one.task) }]))
  for (const { item, answer } of answers) io.out(id === undefined ? JSON.stringify(replayed(item, answer)) : answer)
  return exitCodes.ok
}

const answerOf = (task: CatalogueTask): string => diffAnswer(task.workspace, solvedWorkspace(task)).trimEnd()

const replayed = (item: string, answer: string): ReplayAnswer => ({ benchmark: BenchmarkName.parse(card.name), item, texts: [answer] })

type CheckOptions = { sandbox: LocalKind; runs: number; json: boolean }

async function check(read: readonly ReadTask[], { sandbox, runs, json }: CheckOptions, io: Io): Promise<number> {
  const sandboxes = await openLocalSandboxes(sandbox)
  const spec = { image: null, ...room, network: false }
  const checking: Checking = { sandboxes, spec, runs, now: () => performance.now(), signal: io.signal, progress: io.progress }
  const found: TaskCheck['type'][] = []
  try {
    for (const one of read) {
      const done: TaskCheck = 'faults' in one ? { type: 'bad', faults: one.faults.map(faultText) } : await checkTask(one.task, checking)
      io.progress('')
      io.out(json ? JSON.stringify({ task_id: one.id, ...done }) : clean(lineOf(one.id, done)))
      found.push(done.type)
    }
  } finally {
    await sandboxes.close()
  }
  return exitCodeOf(found)
}

/** What checks end with: wrong tasks come before those that could not be checked here. */
export function exitCodeOf(found: readonly TaskCheck['type'][]): number {
  if (found.includes('bad')) return exitCodes.error
  return found.includes('unchecked') ? exitCodes.notVerified : exitCodes.ok
}

function lineOf(id: string, done: TaskCheck): string {
  switch (done.type) {
    case 'good':
      return `good       ${id}  ${done.cases} cases, slowest run ${duration(done.slowest_ms)}`
    case 'bad':
      return `bad        ${id}  ${done.faults.join(' | ')}`
    case 'unchecked':
      return `unchecked  ${id}  ${done.missing}`
  }
}
