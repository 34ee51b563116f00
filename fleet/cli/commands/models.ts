import * as z from 'zod'
import { ModelList } from '#shared/contract/api.ts'
import { createClient } from '../client.ts'
import { defineCommand, integer } from '../command.ts'
import { exitCodes, UsageError } from '../io.ts'
import { modelsHere } from '../models-here.ts'
import { count } from '../numbers.ts'
import { table } from '../terminal.ts'

const columns = [
  { title: 'model', whole: true },
  { title: 'provider' },
  { title: '$/M in', right: true },
  { title: '$/M out', right: true },
  { title: 'context', right: true },
  { title: 'features' },
]

export const models = defineCommand({
  name: 'models',
  summary: 'Lists the models that can be run at a service, or those of the providers of this machine, which LM Studio loads and unloads.',
  options: {
    search: { help: 'part of the name', value: 'TEXT' },
    provider: { help: 'only this provider', value: 'NAME' },
    limit: { help: 'how many (default 100)', value: 'N' },
    here: { help: 'of the providers configured on this machine, without a service; says which models LM Studio has in memory' },
    load: { help: 'have LM Studio load this model, and look whether it has it then', value: 'MODEL' },
    unload: { help: 'have LM Studio let go of this model, or of "all"; with --load before that', value: 'MODEL' },
  },
  values: z.object({
    search: z.string().optional(),
    provider: z.string().optional(),
    limit: integer(1, 500).default(100),
    here: z.boolean().default(false),
    load: z.string().optional(),
    unload: z.string().optional(),
  }),
  examples: [
    'bench models',
    'bench models --search qwen --json',
    'bench models --here --provider lmstudio',
    'bench models --provider lmstudio --unload all --load qwen/qwen3-4b',
  ],
  async run({ values, json, url }, io) {
    const { provider, load, unload, here } = values
    if (here || load !== undefined || unload !== undefined) {
      if (values.search !== undefined) throw new UsageError('--search belongs to the list of a service.')
      return modelsHere({ provider, load, unload, json }, io)
    }
    const query = new URLSearchParams({ limit: String(values.limit) })
    if (values.search) query.set('search', values.search)
    if (values.provider) query.set('provider', values.provider)
    const { models: found, total } = await createClient(io, url).get(`/api/models?${query}`, ModelList)
    if (json) {
      for (const model of found) io.out(JSON.stringify(model))
      return exitCodes.ok
    }
    const rows = found.map((model) => [
      model.slug,
      model.is_active ? model.provider : `${model.provider} (inactive)`,
      model.price ? String(model.price.input_per_million_usd) : '–',
      model.price ? String(model.price.output_per_million_usd) : '–',
      model.context_length === null ? '–' : count(model.context_length),
      model.features.join(', '),
    ])
    const narrowed = values.search !== undefined || values.provider !== undefined
    const none = narrowed ? 'No model fits.' : 'This service knows no model: no provider is configured, or none could be asked.'
    for (const line of rows.length > 0 ? table(columns, rows, io.columns) : [none]) io.out(line)
    if (total > found.length) io.err(`${found.length} of ${total}; more with --limit`)
    return exitCodes.ok
  },
})
