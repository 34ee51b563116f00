import type { ApartRun, Board, BoardRow, BoardRun, Leaderboard } from '../../contract/board.ts'
import type { Estimate } from '../../contract/estimate.ts'

export const exampleBoard: Board = {
  ...{ id: 'aaaaaaaa-1111-4111-8111-111111111111', benchmark: 'mmlu_pro', version: 3, scorer_version: 3, profile: 'official' },
  data: { source: 'pinned', repo: 'org/set', revision: '0123456789abcdef0123456789abcdef01234567' },
  ...{ models: 2, ranked_runs: 3, apart_runs: 1 },
}

export function exampleEstimate(value: number): Estimate {
  return { value, low: value - 0.02, high: value + 0.02, n: 12_032, method: 'test', target: 'expected' }
}

function exampleBoardRun(value: number, more: Partial<BoardRun> = {}): BoardRun {
  return {
    ...{ run_id: '11111111-1111-4111-8111-111111111111', estimate: exampleEstimate(value), cost_usd: 1.5, duration_ms: 95_000 },
    ...{ failed: 1, total: 12_032, epochs: 1, rescored: false, mine: false, ended_at: '2026-01-02T03:04:05.000Z' },
    ...more,
  }
}

const setup = {
  ...{ model_id: 'm', model_slug: 'org/model-a', provider: 'chutes', roles: {} },
  params: { temperature: 0, top_p: null, max_tokens: 2048, stop: null, seed: null, reasoning_effort: null },
}

export function exampleRow(value: number, more: Partial<BoardRow> = {}): BoardRow {
  return {
    ...{ ...setup, rank: 1, demo: false, runs: 2, unlisted_runs: 0, withdrawn_runs: 0, failed: 2, total: 24_064 },
    mean: { estimate: exampleEstimate(value - 0.01), cost_usd: 1.75, duration_ms: 100_000 },
    best: exampleBoardRun(value),
    ...more,
  }
}

export function exampleApart(more: Partial<ApartRun> = {}): ApartRun {
  return {
    ...{ ...setup, reason: 'subset', demo: false, status: 'succeeded', sampled_items: 601, total_items: 12_032, planned_epochs: 1 },
    run: exampleBoardRun(0.99, { run_id: '22222222-1111-4111-8111-111111111111', total: 601 }),
    ...more,
  }
}

/** A board with two models, one of them with parameters and a judge of its own, and a run apart. */
export function exampleLeaderboard(): Leaderboard {
  const params = { ...setup.params, reasoning_effort: 'high' }
  const roles = { judge: { model: { slug: 'org/judge', provider: 'p' } } }
  const other = { model_slug: '=cmd|x', params, roles, runs: 1, unlisted_runs: 1, withdrawn_runs: 2, demo: true, rank: 2 }
  return {
    ...{ boards: [exampleBoard], board: exampleBoard, sort: 'mean', total: 2, apart: [exampleApart()], apart_total: 1, withdrawn: [] },
    rows: [exampleRow(0.72), exampleRow(0.6, other)],
  }
}
