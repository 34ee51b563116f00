import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { demoModelId } from '#fleet/model/demo-server.ts'
import { Run } from '#shared/contract/api.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import { type Client, createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, type Io, UsageError } from '../io.ts'
import { withTaskNames } from '../item-option.ts'
import { withOwnDefaults } from '../own-defaults.ts'
import { eachTaken, previewRuns, showPlans } from '../preview-runs.ts'
import { readResponses } from '../response-file.ts'
import { createRunsOf, RunValues, runDefaults, runOptions, titleOf } from '../run-options.ts'
import { cleanLine } from '../terminal.ts'
import { executeUploaded } from '../uploaded-tasks.ts'
import { tellWithoutAgents, watchRuns } from '../watch-run.ts'
import { answersOfNobody, warnOfTasks, withTasks } from '../with-tasks.ts'
import { visibilityLine } from './steer.ts'

export const run = defineCommand({
  name: 'run',
  summary:
    'Starts a run of a model over benchmarks. Prints its id, and with --wait follows it to its end. Several models or levels are a run each, over the same items.',
  options: {
    ...runOptions,
    wait: { help: 'follow the run, or several in turn; exit code 0 only when all succeed', short: 'w' },
    'cancel-on-interrupt': { help: 'with --wait: Ctrl-C cancels the run too' },
    'dry-run': { help: 'show what would be asked and start nothing; with --local the prompts themselves, word by word' },
    local: { help: 'run here, without any service; results go to a folder. Without --model it is the demo model' },
    out: { help: 'folder for --local (default runs/)', value: 'DIR', short: 'o' },
    task: {
      help: 'run a task that was uploaded to the service, by its id or name; --profile says who works, --epochs how often. Beside --benchmark it is the name of an item',
      value: 'ID',
    },
    tasks: {
      help: 'with --local: run the tasks in Harbor’s format that lie here, in place of a benchmark. Where no such folder is, names of code tasks',
      value: 'DIR',
    },
  },
  values: RunValues.extend({
    wait: z.boolean().default(false),
    'cancel-on-interrupt': z.boolean().default(false),
    'dry-run': z.boolean().default(false),
    local: z.boolean().default(false),
    out: z.string().optional(),
    task: z.string().optional(),
    tasks: z.string().optional(),
  }),
  examples: [
    'bench run -m demo-model -b mmlu_pro --limit 200 --wait',
    'bench run -m Qwen/Qwen3-32B -b mmlu_pro,gpqa_diamond --subset 5% --budget-usd 2',
    'bench run -m my-model -b aime_2025 --local --out results/',
    'bench run --local -b mmlu_pro --limit 20 --data sample --profile builtin',
    'bench run -m demo-model -b mmlu_pro --data sample --json --wait | jq .type',
    'bench run --local --dry-run -b code_tasks --limit 1   prints the prompts and calls no model',
    'bench run -m org/small -m org/large -b mmlu_pro -k 3 --wait',
    'bench run --response-file former-run.zip -b mmlu_pro --wait',
    `bench run -m org/model --local --tasks my-tasks/ --agent-command 'my-agent --task "$BENCH_INSTRUCTION_FILE"'`,
    'bench run -m org/model --tasks python_expert_workflow_scheduler,go_expert_lru_cache',
    'bench run -m org/model -b mmlu_pro --item group:math --limit 50',
    'bench run --task my-task -m org/model -k 10 --wait',
    'bench run --local --tasks my-tasks/ --profile oracle   a verdict on each task; exit code 1 when one is not sound',
  ],
  async run({ values: written, json, url, quiet }, here) {
    const asked = withTaskNames(written)
    if (asked.task !== undefined) return runUploaded(asked.task, asked, { json, quiet }, createClient(here, url), here)
    const { values: named, io } = asked.tasks === undefined ? { values: asked, io: here } : withTasks(asked, asked.tasks, here)
    if (asked.tasks !== undefined && !quiet) await warnOfTasks(asked.tasks, io)
    const given = (await readResponses(named['response-file'], named['response-text'])) ?? answersOfNobody(named)
    const values = named.local || given ? named : await withOwnDefaults(named, createClient(io, url), io)
    const bodies = createRunsOf(values, given, runDefaults(io.env, values.local ? demoModelId : undefined))
    if (bodies.length > 1 && !quiet) io.err(`${bodies.length} runs: ${bodies.map((body) => cleanLine(titleOf(body))).join('; ')}`)
    if (values.local && values['dry-run']) return showPromptsHere(bodies, json, io)
    if (values.local) refuseServiceOptions(values)
    const sweeps = values['sweep-thinking']
    if (values.local) return runAllHere(bodies, values.out ?? 'runs', { json, quiet, sweeps }, io)
    if (values.out !== undefined) throw new UsageError('--out belongs to --local; download a run with "bench export".')
    const client = createClient(io, url)
    // A refusal comes before the first of several has begun to spend.
    const previewed = values['dry-run'] || bodies.length > 1 ? await previewRuns(client, bodies, sweeps, io) : []
    if (values['dry-run']) {
      showPlans(previewed, json, io)
      return exitCodes.ok
    }
    const ids: string[] = []
    const seen: string[] = []
    for (const body of bodies.length > 1 ? previewed.map((one) => one.body) : bodies) {
      const started = await client.post('/api/runs', body, Run, { 'idempotency-key': randomUUID() })
      if (json) io.out(JSON.stringify({ type: 'run', run: started }))
      else io.out(started.id)
      ids.push(started.id)
      seen.push(visibilityLine(started.spec.visibility))
    }
    if (values.wait && !json) for (const line of new Set(seen)) io.err(line)
    if (values.wait) return watchRuns(client, io, ids, { json, quiet, cancels: values['cancel-on-interrupt'] })
    await tellWithoutAgents(client, io)
    if (!json) for (const [at, id] of ids.entries()) io.err(`${client.url}/runs/${id}\n${seen[at]}\nFollow it with: bench watch ${id}`)
    return exitCodes.ok
  },
})

/** A run of an uploaded task, whose own settings hold where no option says otherwise. */
async function runUploaded(
  named: string,
  values: RunValues & { wait: boolean; local: boolean; 'cancel-on-interrupt': boolean; 'dry-run': boolean; tasks?: string | undefined },
  { json, quiet }: Pick<Mode, 'json' | 'quiet'>,
  client: Client,
  io: Io,
): Promise<number> {
  if (values.local || values.tasks !== undefined)
    throw new UsageError('--task is of the service; on this machine tasks lie in a folder: --local --tasks DIR.')
  if (values['dry-run']) throw new UsageError('--task starts what was uploaded: there is nothing to preview.')
  const executed = await executeUploaded(client, named, values, randomUUID())
  if (json) io.out(JSON.stringify({ type: 'executed', ...executed }))
  else io.out(executed.run_id)
  if (values.wait) return watchRuns(client, io, [executed.run_id], { json, quiet, cancels: values['cancel-on-interrupt'] })
  await tellWithoutAgents(client, io)
  if (!json) io.err(`${executed.message}: ${client.url}/runs/${executed.run_id}\nFollow it with: bench watch ${executed.run_id}`)
  return exitCodes.ok
}

/** Options that only a service can keep to: on this machine there is no list, no queue and nobody else. */
const serviceOptions = ['name', 'tag', 'visibility', 'cancel-on-interrupt'] as const

function refuseServiceOptions(values: RunValues & { 'cancel-on-interrupt': boolean }): void {
  const given = serviceOptions.filter((option) => values[option] !== undefined && values[option] !== false)
  const all = values.priority === 0 ? given : [...given, 'priority']
  if (all.length > 0)
    throw new UsageError(`${all.map((option) => `--${option}`).join(', ')}: belongs to a run of the service, not to --local.`)
}

type Mode = { json: boolean; quiet: boolean; sweeps: boolean }

async function showPromptsHere(bodies: readonly CreateRun[], json: boolean, io: Io): Promise<number> {
  const { promptsHere } = await import('../prompts-here.ts')
  for (const body of bodies) await promptsHere(body, json, io)
  return exitCodes.ok
}

/** One after the other; Ctrl-C ends them all. Exit code 0 only when every run succeeded. */
async function runAllHere(bodies: readonly CreateRun[], out: string, { sweeps, ...mode }: Mode, io: Io): Promise<number> {
  const { runHere } = await import('../run-here.ts')
  const codes = await eachTaken(bodies, sweeps, io, async (body) => {
    return io.signal.aborted ? exitCodes.interrupted : runHere(body, out, mode, io)
  })
  return codes.find((code) => code === exitCodes.interrupted) ?? codes.find((code) => code !== exitCodes.ok) ?? exitCodes.ok
}
