import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cards } from '../benchmarks/cards.ts'
import { tasks } from '../benchmarks/tasks.ts'
import { mostAtOnce } from '../contract/resources.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { noUsage } from '../contract/usage.ts'
import { sampleItems } from '../run/plan.ts'
import { JanusItem, janusBenchmarks } from './item-schema.ts'
import { toItem } from './janus-item.ts'
import { analyseReport, compareReports, JanusReport, reportLines } from './read-report.ts'
import { reportHead, reportItem } from './report.ts'
import { janusScores } from './score/item-score.ts'
import { ScoredFacts } from './score/scored-facts.ts'
import { exchanged, turnWith } from './testing/exchanged.ts'

const record = (given: Partial<TrialRecord>): TrialRecord => ({
  ordinal: 0,
  attempt: 1,
  benchmark: 'janus_cost',
  item_id: '0',
  epoch: 0,
  source_id: 'concise_001',
  item_hash: 'h',
  group: 'concise_response',
  outcome: 'right',
  score: 1,
  answer: null,
  expected: null,
  explanation: null,
  flags: [],
  detail: {},
  messages: [],
  params: null,
  evidence: exchanged([turnWith('Mercury')]),
  failure: null,
  item_metadata: {
    benchmark: 'janus_cost',
    subtype: 'concise_response',
    evaluation: { type: 'contains_and_length', required: ['mercury'], max_words: 3, baseline_tokens: 30 },
  },
  usage: noUsage,
  cost_usd: 0.001,
  calls: 1,
  model_reported: null,
  system_fingerprint: null,
  latency_ms: 820,
  ttft_ms: 300,
  max_gap_ms: 300,
  ...given,
})
const finished_at = '2026-11-24T10:00:00+01:00'
const failure = { at: 'provider', reason: 'overloaded', retryable: true, detail: 'busy', status: 503 } as const
const trials = [
  { record: record({}), finished_at },
  {
    record: record({ ordinal: 1, item_id: '1', source_id: 'concise_002', outcome: 'failed', evidence: null, failure, latency_ms: 4000 }),
    finished_at,
  },
]
const run = { run_id: 'r', suite: 'janus/intelligence', target_url: 't', model: 'm', started_at: null, completed_at: null }
const reportOf = (version: 'v1' | 'v2') =>
  JanusReport.parse(
    JSON.parse(JSON.stringify({ ...reportHead(run, trials, version), results: trials.map((trial) => reportItem(trial, version)) })),
  )

test('[JANUS22] a report has composite, parts, figures and items under the official names, with the other reading beside', () => {
  const head = reportHead(run, trials, 'v2')
  expect(head).toMatchObject({
    composite_score: null,
    cost_score: 25,
    absent: expect.arrayContaining(['janus_research']),
    total_tasks: 2,
    passed_tasks: 1,
    failed_tasks: 1,
    avg_latency_seconds: 2.41,
    p50_latency_seconds: 2.41,
  })
  expect(head.beside).toMatchObject({ scoring: 'janus-v1', composite_score: expect.closeTo(0.15 * 50, 9) })
  expect(head.benchmark_metrics).toMatchObject({
    janus_cost: { tokens_per_task: 30, avg_quality_score: 1, token_savings_pct: expect.closeTo(66.667, 2) },
  })
  expect(reportItem(trials[0]!, 'v2')).toMatchObject({
    task_id: 'concise_001',
    task_type: 'concise_response',
    success: true,
    response_text: 'Mercury',
    latency_seconds: 0.82,
    total_tokens: 30,
    quality_score: 1,
    cost_score: 0.5,
    streaming_metrics: {
      ttft_seconds: 0.3,
      max_gap_seconds: 0.3,
      max_gap_after_first_token_seconds: 0.05,
      total_chunks: 12,
      continuity_score: 1,
      avg_tps: 20,
    },
    timestamp: '2026-11-24T09:00:00.000Z',
  })
  expect(reportItem(trials[1]!, 'v2')).toMatchObject({ success: false, error: 'busy', quality_score: 0, cost_score: 0, streaming_score: 0 })
  expect(reportItem(trials[1]!, 'v1')).toMatchObject({ success: false, cost_score: 0.5 })
})

test('[JANUS25] a report is shown with its parts, analysed, and compared with another', () => {
  const report = reportOf('v2')
  expect(reportLines(report).join('\n')).toMatch(
    /composite – \(not run: janus_research.*; 25\.0 over what was run\)\n {2}quality –[\s\S]*cost 25\.0/,
  )
  const analysis = analyseReport(report)
  expect(analysis).toMatchObject({
    latency_seconds: { avg: 2.41, p50: 2.41 },
    ttft_ms: { avg: 300 },
    tasks_by_benchmark: { janus_cost: { total: 2, passed: 1, failed: 1, avg_quality_score: 0.5 } },
  })
  expect(analysis.failed_tasks.map(({ task_id }) => task_id)).toEqual(['concise_002'])
  const slow = {
    ...report,
    results: [...report.results, ...report.results, { ...report.results[0]!, task_id: 'slow', latency_seconds: 9 }],
  }
  expect(analyseReport(slow).slow_tasks.map(({ task_id }) => task_id)).toEqual(['slow'])
  const better = { ...report, cost_score: 30, results: report.results.slice(0, 1) }
  const compared = compareReports(report, better)
  expect(compared.winner_by_category).toMatchObject({ cost: 'second', latency_seconds: 'second', ttft_ms: 'tie' })
  expect(compared.deltas.cost).toBe(5)
  expect(compared.deltas.quality).toBeUndefined()
})

test('[JANUS24] six benchmarks are there, each is asked something at 1 %, the same for a seed, and less is asked of the same', () => {
  const own = cards.filter(({ name }) => name.startsWith('janus_'))
  expect(own.map(({ name, total_items, category }) => [name, total_items, category])).toEqual(
    Object.entries({
      janus_research: 100,
      janus_tool_use: 80,
      janus_multimodal: 60,
      janus_streaming: 50,
      janus_cost: 40,
      janus_public: 180,
    }).map(([name, items]) => [name, items, 'Janus Intelligence']),
  )
  expect(own.filter(({ needs }) => needs.timing_sensitive).map(({ name }) => name)).toEqual(['janus_streaming'])
  for (const { name, total_items, subset_rounding } of own) {
    const draw = (pct: number) => sampleItems(name, total_items, { pct, count: null, seed: '42', sampling: 'sha256' }, subset_rounding)
    expect([draw(1).length, draw(7).length]).toEqual([Math.ceil(total_items / 100), Math.ceil((total_items * 7) / 100)])
    expect([draw(5).slice(0, draw(1).length), draw(100).slice(0, draw(5).length), draw(1)]).toEqual([draw(1), draw(5), draw(1)])
  }
})

test('[JANUS59] each benchmark of the competition says how many of its items are at work at once, as the suite has it', () => {
  const bounds = Object.fromEntries(cards.flatMap(({ name, needs }) => (name.startsWith('janus_') ? [[name, mostAtOnce(needs)]] : [])))
  expect(bounds).toEqual({
    janus_research: 3,
    janus_tool_use: 5,
    janus_multimodal: 3,
    janus_streaming: 1,
    janus_cost: 5,
    janus_public: Number.POSITIVE_INFINITY,
  })
})

test('[JANUS26] what a row is scored by stands in the item’s metadata, and so in its record; what is kept from the model does not', () => {
  const names = Object.keys(ScoredFacts.shape)
  for (const benchmark of janusBenchmarks) {
    const text = readFileSync(new URL(`../benchmarks/${benchmark}/items.jsonl`, import.meta.url), 'utf8')
    for (const [index, line] of text.trim().split('\n').entries()) {
      const row = JanusItem.parse(JSON.parse(line))
      const { metadata } = toItem(row, index)
      const facts = ScoredFacts.parse(metadata)
      for (const [name, value] of Object.entries(row).filter(([field]) => names.includes(field) && field !== 'expected'))
        expect([row.id, name, metadata[name]]).toEqual([row.id, name, value])
      expect([row.id, facts.benchmark, facts.subtype]).toEqual([row.id, row.benchmark, row.subtype])
      if ('expected' in row && row.subtype !== 'code') expect([row.id, metadata.expected]).toEqual([row.id, row.expected])
      expect([row.id, JSON.stringify(metadata).includes('"simulated"'), JSON.stringify(metadata).includes('"test_cases"')]).toEqual([
        ...[row.id, false, false],
      ])
    }
  }
})

test('[JANUS26] a score is computed again from evidence and facts alone, and gives the same by JSON', async () => {
  const task = await tasks.janus_cost()
  const item = { target: 'mercury', metadata: trials[0]!.record.item_metadata as Record<string, string> }
  const evidence = exchanged([turnWith('Mercury')])
  const again = JSON.parse(JSON.stringify({ item, evidence }))
  for (const profile of ['janus-v1', 'janus-v2'])
    expect(task.score(again.item, again.evidence, profile, {} as never)).toEqual(task.score(item, evidence, profile, {} as never))
  expect(task.score(item, evidence, 'janus-v2', {} as never)).toMatchObject({
    value: 0.5,
    outcome: 'right',
    detail: { quality: 1, cost: 0.5 },
  })
  expect(janusScores(item, evidence, 'v2').flags).toEqual([])
})
