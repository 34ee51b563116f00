import { PlanPreview } from '#shared/contract/api.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../io.ts'
import { planText } from '../plan-text.ts'
import { createRunOf, RunValues, runOptions } from '../run-options.ts'

export const plan = defineCommand({
  name: 'plan',
  summary: 'Says what a run would ask, cost and take, and how sure its score would be. Starts nothing.',
  options: runOptions,
  values: RunValues,
  examples: ['bench plan -m Qwen/Qwen3-32B -b mmlu_pro --subset 5%'],
  async run({ values, json, url }, io) {
    const preview = await createClient(io, url).post('/api/runs/plan', createRunOf(values), PlanPreview)
    for (const line of json ? [JSON.stringify({ type: 'plan', ...preview })] : planText(preview, io.columns)) io.out(line)
    return exitCodes.ok
  },
})
