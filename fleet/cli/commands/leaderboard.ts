import * as z from 'zod'
import { apartText, boardText, runsText, setupText } from '#shared/board/board-text.ts'
import { boardSorts, Leaderboard, ListingState } from '#shared/contract/board.ts'
import { countText, scoreWithLimits } from '#shared/metrics/score-text.ts'
import { createClient } from '../client.ts'
import { defineCommand, integer } from '../command.ts'
import { findRunId } from '../find-run.ts'
import { exitCodes, type Io, UsageError } from '../io.ts'
import { cost, count, duration } from '../numbers.ts'
import { table } from '../terminal.ts'

const columns = [
  { title: 'rank', right: true },
  { title: 'model' },
  { title: 'setup' },
  { title: 'runs' },
  { title: 'mean (95 %)', right: true },
  { title: 'best (95 %)', right: true },
  { title: 'n', right: true },
  { title: 'cost', right: true },
  { title: 'time', right: true },
  { title: 'failed', right: true },
  { title: 'best run', whole: true },
]
const apartColumns = [{ title: 'run', whole: true }, { title: 'model' }, { title: 'covered' }, { title: 'score (95 %)', right: true }]

export const leaderboard = defineCommand({
  name: 'leaderboard',
  summary: 'Compares models by their ended runs over a whole benchmark: mean and best run, with the cost and the time of the best one.',
  arguments: ['[BENCHMARK]'],
  options: {
    benchmark: { help: 'the benchmark, as the argument', value: 'NAME', short: 'b' },
    profile: { help: 'only this profile', value: 'PROFILE' },
    board: { help: 'the board with this id, as --json lists them', value: 'ID' },
    sort: { help: 'by the mean (default) or the best run', value: 'BY', choices: boardSorts },
    limit: { help: 'how many rows (default 100)', value: 'N' },
    withdraw: { help: 'take a run of yours from the leaderboard; nothing is deleted', value: 'RUN' },
    restore: { help: 'put it back', value: 'RUN' },
  },
  values: z.object({
    benchmark: z.string().optional(),
    profile: z.string().optional(),
    board: z.string().optional(),
    sort: z.enum(boardSorts).optional(),
    limit: integer(1, 500).optional(),
    withdraw: z.string().optional(),
    restore: z.string().optional(),
  }),
  examples: ['bench leaderboard mmlu_pro', 'bench leaderboard mmlu_pro --profile official --json', 'bench leaderboard --withdraw last'],
  async run({ values: { withdraw, restore, ...wanted }, positionals: [first], json, url }, io) {
    const client = createClient(io, url)
    const named = withdraw ?? restore
    if (named !== undefined) {
      if (withdraw !== undefined && restore !== undefined) throw new UsageError('--withdraw and --restore do not go together.')
      const id = await findRunId(client, named)
      const state = await client.put(`/api/runs/${id}/leaderboard`, { listed: withdraw === undefined }, ListingState)
      const done = state.listed ? 'may stand on the leaderboard again' : 'is withdrawn from the leaderboard'
      io.out(json ? JSON.stringify({ run_id: id, ...state }) : `Run ${id} ${done}.`)
      return exitCodes.ok
    }
    const { benchmark = first } = wanted
    if (first !== undefined && benchmark !== first) throw new UsageError(`Name one benchmark: ${first} or --benchmark ${benchmark}.`)
    const given = Object.entries({ ...wanted, benchmark }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    const answer = await client.get(`/api/leaderboard?${new URLSearchParams(given)}`, Leaderboard)
    if (json) io.out(JSON.stringify(answer))
    else show(answer, io)
    return exitCodes.ok
  },
})

function show({ board, boards, rows, total, apart, apart_total, withdrawn }: Leaderboard, io: Io): void {
  if (!board) {
    const known = [...new Set(boards.map((one) => one.benchmark))].join(', ')
    io.out(`No ended run fits. ${known ? `There are boards of: ${known}.` : 'Start one over a whole benchmark: bench run --help'}`)
    return
  }
  io.out(`${board.benchmark}, ${boardText(board)}`)
  const lines = rows.map(({ best, mean, ...row }) => [
    String(row.rank),
    `${row.model_slug} @ ${row.provider}${row.demo ? ' (demo model)' : ''}`,
    setupText(row),
    runsText({ best, mean, ...row }),
    scoreWithLimits(mean.estimate),
    scoreWithLimits(best.estimate),
    countText(best.estimate).replace('n = ', ''),
    cost(best.cost_usd),
    best.duration_ms === null ? '–' : duration(best.duration_ms),
    `${count(row.failed)} of ${count(row.total)}`,
    best.run_id,
  ])
  for (const line of lines.length > 0 ? table(columns, lines, io.columns) : ['No run is ranked yet.']) io.out(line)
  if (total > rows.length) io.err(`${rows.length} of ${total}; more with --limit`)
  if (apart.length > 0) {
    io.out('')
    io.out(`Not ranked, ${apart.length === apart_total ? count(apart_total) : `the newest ${apart.length} of ${count(apart_total)}`}:`)
    const others = apart.map((one) => [one.run.run_id, one.model_slug, apartText(one), scoreWithLimits(one.run.estimate)])
    for (const line of table(apartColumns, others, io.columns)) io.out(line)
  }
  for (const one of withdrawn) io.out(`Withdrawn by the ${one.by}: ${one.run_id} ${one.model_slug}`)
}
