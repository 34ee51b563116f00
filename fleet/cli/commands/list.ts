import * as z from 'zod'
import { RunList } from '#shared/contract/api.ts'
import { runStatuses } from '#shared/contract/run.ts'
import { shortForecast } from '#shared/run/forecast-text.ts'
import { createClient } from '../client.ts'
import { defineCommand, integer } from '../command.ts'
import { exitCodes } from '../io.ts'
import { score } from '../numbers.ts'
import { table } from '../terminal.ts'

const columns = [
  { title: 'run', whole: true },
  { title: 'name' },
  { title: 'created', whole: true },
  { title: 'state', whole: true },
  { title: 'model' },
  { title: 'benchmarks' },
  { title: 'done', right: true },
  { title: 'score', right: true },
  { title: 'expected' },
  { title: '' },
]

export const list = defineCommand({
  name: 'list',
  summary: 'Lists the runs that you may see, newest first.',
  options: {
    state: { help: 'only runs in this state', value: 'STATE', choices: runStatuses },
    model: { help: 'part of the model name', value: 'TEXT', short: 'm' },
    benchmark: { help: 'only runs with this benchmark', value: 'NAME', short: 'b' },
    name: { help: 'part of the name, the model, a tag or the id', value: 'TEXT' },
    tag: { help: 'only runs with this tag', value: 'TAG' },
    limit: { help: 'how many (default 20)', value: 'N' },
  },
  values: z.object({
    state: z.enum(runStatuses).optional(),
    model: z.string().optional(),
    benchmark: z.string().optional(),
    name: z.string().optional(),
    tag: z.string().optional(),
    limit: integer(1, 200).default(20),
  }),
  examples: ['bench list', 'bench list --tag nightly', 'bench list --state running --json | jq -r .id'],
  async run({ values, json, url }, io) {
    const query = new URLSearchParams({ limit: String(values.limit) })
    if (values.state) query.set('status', values.state)
    if (values.model) query.set('model_slug', values.model)
    if (values.benchmark) query.set('benchmark', values.benchmark)
    if (values.name) query.set('q', values.name)
    if (values.tag) query.set('tag', values.tag)
    const { runs, total } = await createClient(io, url).get(`/api/runs?${query}`, RunList)
    if (json) {
      for (const run of runs) io.out(JSON.stringify(run))
      return exitCodes.ok
    }
    const rows = runs.map((run) => [
      run.id.slice(0, 8),
      [run.name, ...run.tags.map((tag) => `#${tag}`)].filter(Boolean).join(' '),
      run.created_at.slice(5, 16).replace('T', ' '),
      run.head.parked ? 'parked' : run.status,
      run.model_slug,
      namesText(run.selected_benchmarks),
      `${run.head.done}/${run.head.total}`,
      score(run.estimate),
      run.forecast ? shortForecast(run.forecast, io.now()) : '',
      run.labels.join(', '),
    ])
    for (const line of rows.length > 0 ? table(columns, rows, io.columns) : ['No run fits.']) io.out(line)
    if (total > runs.length) io.err(`${runs.length} of ${total}; more with --limit`)
    return exitCodes.ok
  },
})

/** `mmlu_pro, ifeval + 4`: two names at most, so that a run keeps to one line. */
const namesText = (names: readonly string[]): string =>
  names.length <= 2 ? names.join(', ') : `${names.slice(0, 2).join(', ')} + ${names.length - 2}`
