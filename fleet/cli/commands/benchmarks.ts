import * as z from 'zod'
import { BenchmarkList } from '#shared/contract/api.ts'
import { needsText } from '#shared/run/needs-text.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../io.ts'
import { count } from '../numbers.ts'
import { table } from '../terminal.ts'

const columns = [
  { title: 'benchmark', whole: true },
  { title: 'items', right: true },
  { title: 'data' },
  { title: 'profiles' },
  { title: 'needs' },
  { title: 'what it measures' },
]

export const benchmarks = defineCommand({
  name: 'benchmarks',
  summary: 'Benchmarks, the data they would run on here, and what an agent needs for them.',
  options: {},
  values: z.object({}),
  examples: ['bench benchmarks', 'bench benchmarks --json | jq .card.data'],
  async run({ json, url }, io) {
    const { benchmarks: found } = await createClient(io, url).get('/api/benchmarks', BenchmarkList)
    if (json) {
      for (const benchmark of found) io.out(JSON.stringify(benchmark))
      return exitCodes.ok
    }
    const rows = found.map((one) => [
      one.name,
      count(one.total_items),
      one.data_source === 'sample' ? 'SAMPLE' : one.data_source,
      one.card.profiles.map((profile) => profile.id).join(', '),
      needsText(one.card.needs),
      one.description,
    ])
    for (const line of table(columns, rows, io.columns)) io.out(line)
    return exitCodes.ok
  },
})
