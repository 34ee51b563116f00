import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { demoModelId } from '#fleet/model/demo-server.ts'
import { PlanPreview, Run } from '#shared/contract/api.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, UsageError } from '../io.ts'
import { planText } from '../plan-text.ts'
import { createRunOf, RunValues, runOptions } from '../run-options.ts'
import { tellWithoutAgents, watchRun } from '../watch-run.ts'

export const run = defineCommand({
  name: 'run',
  summary: 'Starts a run of a model over benchmarks. Prints its id, and with --wait follows it to its end.',
  options: {
    ...runOptions,
    wait: { help: 'follow the run; exit code 0 only when it succeeds', short: 'w' },
    'cancel-on-interrupt': { help: 'with --wait: Ctrl-C cancels the run too' },
    'dry-run': { help: 'show what would be asked and start nothing' },
    local: { help: 'run here, without any service; results go to a folder. Without --model it is the demo model' },
    out: { help: 'folder for --local (default runs/)', value: 'DIR', short: 'o' },
  },
  values: RunValues.extend({
    model: z.string().optional(),
    wait: z.boolean().default(false),
    'cancel-on-interrupt': z.boolean().default(false),
    'dry-run': z.boolean().default(false),
    local: z.boolean().default(false),
    out: z.string().optional(),
  }),
  examples: [
    'bench run -m demo-model -b mmlu_pro --limit 200 --wait',
    'bench run -m Qwen/Qwen3-32B -b mmlu_pro,gpqa_diamond --subset 5% --budget-usd 2',
    'bench run -m my-model -b aime_2025 --local --out results/',
    'bench run --local -b mmlu_pro --limit 20 --data sample --profile builtin',
    'bench run -m demo-model -b mmlu_pro --data sample --json --wait | jq .type',
  ],
  async run({ values, json, url, quiet }, io) {
    if (values.local && values['dry-run']) throw new UsageError('--dry-run asks a service for a preview; it does not go with --local.')
    const model = values.model ?? (values.local ? demoModelId : undefined)
    if (model === undefined) throw new UsageError('--model: is needed')
    const body = createRunOf({ ...values, model })
    if (values.local) {
      const { runHere } = await import('../run-here.ts')
      return runHere(body, values.out ?? 'runs', { json, quiet }, io)
    }
    if (values.out !== undefined) throw new UsageError('--out belongs to --local; download a run with "bench export".')
    const client = createClient(io, url)
    if (values['dry-run']) {
      const preview = await client.post('/api/runs/plan', body, PlanPreview)
      for (const line of json ? [JSON.stringify({ type: 'plan', ...preview })] : planText(preview, io.columns)) io.out(line)
      return exitCodes.ok
    }
    const started = await client.post('/api/runs', body, Run, { 'idempotency-key': randomUUID() })
    if (json) io.out(JSON.stringify({ type: 'run', run: started }))
    else io.out(started.id)
    if (!values.wait) {
      await tellWithoutAgents(client, io)
      if (!json) io.err(`${client.url}/runs/${started.id}\nFollow it with: bench watch ${started.id}`)
      return exitCodes.ok
    }
    return watchRun(client, io, started.id, { json, quiet, cancels: values['cancel-on-interrupt'] })
  },
})
