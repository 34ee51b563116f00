import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../io.ts'
import { withOwnDefaults } from '../own-defaults.ts'
import { previewRuns, showPlans } from '../preview-runs.ts'
import { readResponses } from '../response-file.ts'
import { createRunsOf, RunValues, runDefaults, runOptions } from '../run-options.ts'

export const plan = defineCommand({
  name: 'plan',
  summary: 'Shows the requests, cost and time of a run, and the interval that its score would have. Starts nothing.',
  options: runOptions,
  values: RunValues,
  examples: ['bench plan -m Qwen/Qwen3-32B -b mmlu_pro --subset 5%'],
  async run({ values: named, json, url }, io) {
    const client = createClient(io, url)
    const given = await readResponses(named['response-file'], named['response-text'])
    const values = given ? named : await withOwnDefaults(named, client, io)
    const bodies = createRunsOf(values, given, runDefaults(io.env))
    showPlans(await previewRuns(client, bodies, values['sweep-thinking'], io), json, io)
    return exitCodes.ok
  },
})
