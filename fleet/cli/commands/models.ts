import * as z from 'zod'
import { ModelList } from '#shared/contract/api.ts'
import { createClient } from '../client.ts'
import { defineCommand, integer } from '../command.ts'
import { exitCodes } from '../io.ts'
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
  summary: 'Models that can be run here.',
  options: {
    search: { help: 'part of the name', value: 'TEXT' },
    provider: { help: 'only this provider', value: 'NAME' },
    limit: { help: 'how many (default 100)', value: 'N' },
  },
  values: z.object({ search: z.string().optional(), provider: z.string().optional(), limit: integer(1, 500).default(100) }),
  examples: ['bench models', 'bench models --search qwen --json'],
  async run({ values, json, url }, io) {
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
