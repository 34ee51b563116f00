import * as z from 'zod'
import { BenchmarkList } from '#shared/contract/api.ts'
import { needsText } from '#shared/run/needs-text.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../io.ts'
import { count } from '../numbers.ts'
import { table } from '../terminal.ts'

const columns = [{ title: 'benchmark', whole: true }, { title: 'items', right: true }, { title: 'data', whole: true }, { title: 'needs' }]
const wideColumns = [...columns, { title: 'profiles' }, { title: 'what it measures' }]

export const benchmarks = defineCommand({
  name: 'benchmarks',
  summary: 'Lists benchmarks, the data that a run here would use, and the parts that an agent needs for them.',
  options: { wide: { help: 'profiles and a description of each too' } },
  values: z.object({ wide: z.boolean().default(false) }),
  examples: ['bench benchmarks', 'bench benchmarks --wide', 'bench benchmarks --json | jq .card.data'],
  async run({ values: { wide }, json, url }, io) {
    const { benchmarks: found } = await createClient(io, url).get('/api/benchmarks', BenchmarkList)
    if (json) {
      for (const benchmark of found) io.out(JSON.stringify(benchmark))
      return exitCodes.ok
    }
    const rows = found.map((one) => [
      one.name,
      count(one.total_items),
      one.data_source === 'sample' ? 'SAMPLE' : one.data_source,
      one.lacks ? `${needsText(one.card.needs)}: no agent has it` : needsText(one.card.needs),
      ...(wide ? [one.card.profiles.map((profile) => profile.id).join(', '), one.description] : []),
    ])
    for (const line of table(wide ? wideColumns : columns, rows, io.columns)) io.out(line)
    if (!wide) io.err('More of each with --wide')
    return exitCodes.ok
  },
})
