import type { ApartRun, Board, BoardRow, BoardSetup, Leaderboard } from '../contract/board.ts'
import { roleEntries, roleTitles } from '../contract/role.ts'
import { csvLine } from '../export/formats/csv-line.ts'
import { count, duration, usd } from '../metrics/number-text.ts'
import { scoreText } from '../metrics/score-text.ts'
import { agentText } from '../run/agent-text.ts'
import { paramTexts } from '../run/param-texts.ts'

/** What was asked otherwise than by the name alone: parameters that are set, who helped, and which program worked with it. */
export function setupText({ params, roles, agent }: Pick<BoardSetup, 'params' | 'roles' | 'agent'>): string {
  const set = paramTexts(params).map(([name, text]) => `${name} ${text}`)
  const helped = roleEntries(roles).map(([role, { model }]) => `${roleTitles[role].toLowerCase()} ${model.slug}`)
  return [...set, ...helped, ...(agent ? [agentText(agent)] : [])].join(', ')
}

/** A board in a line: `version 3, official, pinned data org/set at 0123abcd`. */
export function boardText({ version, scorer_version, profile, data }: Board): string {
  const scored = scorer_version === version ? '' : `, scored by version ${scorer_version}`
  const source = { pinned: 'data', sample: 'sample data', override: 'own data', upload: 'uploaded task' }[data.source]
  return `version ${version}${scored}, ${profile}, ${source} ${data.repo} at ${data.revision.slice(0, 8)}`
}

/** Why a run is not ranked and what it covered, for people. */
export function apartText({ reason, sampled_items, total_items, planned_epochs, run }: ApartRun): string {
  const items = `${count(sampled_items)} of ${count(total_items)} items`
  return {
    canceled: `canceled, ${items} planned`,
    subset: items,
    epochs: `${run.epochs} of ${planned_epochs} epochs`,
    unfinished: `did not get through its plan of ${items}`,
    failures: `${count(run.failed)} of ${count(run.total)} trials failed`,
  }[reason]
}

/** How many runs a row is made of, and which of them not everybody sees. */
export function runsText({ runs, withdrawn_runs, unlisted_runs }: BoardRow): string {
  const parts = [runs === 1 ? '1 run' : `${count(runs)} runs`]
  if (unlisted_runs > 0) parts.push(`${count(unlisted_runs)} not public`)
  if (withdrawn_runs > 0) parts.push(`${count(withdrawn_runs)} withdrawn`)
  return parts.join(', ')
}

const heads = [
  'Rank',
  'Model',
  'Provider',
  'Setup',
  'Runs',
  'Mean (95 %)',
  'Best (95 %)',
  'Cost of best',
  'Time of best',
  'Failed trials',
  'Ended',
]

/** The ranked rows as a Markdown table, for people. */
export function boardMarkdown({ board, rows }: Pick<Leaderboard, 'board' | 'rows'>): string {
  if (!board) return ''
  const lines = rows.map((row) => [
    String(row.rank),
    `${row.model_slug}${row.demo ? ' (demo)' : ''}`,
    row.provider,
    setupText(row),
    runsText(row),
    scoreText(row.mean.estimate),
    scoreText(row.best.estimate),
    row.best.cost_usd === null ? '–' : usd(row.best.cost_usd),
    duration(row.best.duration_ms),
    `${count(row.failed)} of ${count(row.total)}`,
    row.best.ended_at.slice(0, 10),
  ])
  const table = [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.map(escaped).join(' | ')} |`)
  return `${board.benchmark}, ${boardText(board)}\n\n${table.join('\n')}\n`
}

const escaped = (text: string): string => text.replaceAll(/[\\|`*_<>[\]]/g, '\\$&').replaceAll(/\s+/g, ' ')

const columns = [
  'rank',
  'model',
  'provider',
  'setup',
  'demo',
  'runs',
  'unlisted_runs',
  'withdrawn_runs',
  'mean',
  'mean_low',
  'mean_high',
  'mean_cost_usd',
]
const bestColumns = [
  'mean_duration_ms',
  'best',
  'best_low',
  'best_high',
  'n',
  'best_cost_usd',
  'best_duration_ms',
  'best_run_id',
  'failed',
  'total',
  'ended_at',
]

/** The ranked rows as CSV, numbers as they are. */
export function boardCsv({ rows }: Pick<Leaderboard, 'rows'>): string {
  const lines = rows.map(({ mean, best, ...row }) => [
    ...[row.rank, row.model_slug, row.provider, setupText(row), row.demo, row.runs, row.unlisted_runs, row.withdrawn_runs],
    ...[mean.estimate.value, mean.estimate.low, mean.estimate.high, mean.cost_usd, mean.duration_ms],
    ...[best.estimate.value, best.estimate.low, best.estimate.high, best.estimate.n, best.cost_usd, best.duration_ms, best.run_id],
    ...[row.failed, row.total, best.ended_at],
  ])
  return [[...columns, ...bestColumns], ...lines].map(csvLine).join('')
}
