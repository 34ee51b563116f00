import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { PlanPreview } from '#shared/contract/api.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import type { ItemRow, ItemRowPage } from '#shared/contract/item-rows.ts'
import { type ProblemCode, problems } from '#shared/contract/problem.ts'
import { outcomes, type TrialRecord } from '#shared/contract/trial.ts'
import { targetOf } from '#shared/metrics/draw.ts'
import { plannedLimits, plannedScores, smallestDetectable, smallestDetectableMean } from '#shared/metrics/plan-limits.ts'
import { countItems } from '#shared/run/count-items.ts'
import { trialCount } from '#shared/run/plan.ts'
import { benchmarks, models } from './fixture-cards.ts'
import { openapi } from './fixture-openapi.ts'
import { createRun, emit, type Playing, runOf, runs, seedRuns, specOf, tick } from './fixture-runs.ts'
import { itemOf } from './fixture-trials.ts'

/** Development only: answers the contract's routes with invented runs, one of them alive, so that pages can be built without the Worker. */
const port = Number(process.argv[2] ?? 8791)
const demo = process.argv.includes('--demo')
const empty = process.argv.includes('--empty')
if (!empty) seedRuns()
setInterval(tick, 250)

type Call = { method: string; url: URL; body: string; response: ServerResponse; request: IncomingMessage }
const json = (call: Call, value: unknown, status = 200) => {
  call.response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_01J9FIXTURE' })
  call.response.end(JSON.stringify(value))
}
const refuse = (call: Call, code: ProblemCode, detail: string) =>
  json(call, { type: `/docs#${code}`, code, ...problems[code], detail, instance: call.url.pathname }, problems[code].status)

createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const call: Call = { method: request.method!, url: new URL(request.url!, 'http://local'), body, response, request }
  const path = call.url.pathname.replace(/^\/api/, '')
  const run = /^\/runs\/([^/]+)/.exec(path)
  if (path === '/status') return json(call, { maintenance_mode: false, message: '', version: '0.1.0', agents: 2, local: true, demo })
  if (path === '/models') return listModels(call)
  if (path === '/benchmarks') return json(call, { benchmarks })
  if (path === '/runs/plan') return json(call, planOf(JSON.parse(body)))
  if (path === '/runs') return call.method === 'POST' ? start(call) : listRuns(call)
  if (path === '/agents') return json(call, { agents: empty ? [] : agents })
  if (path === '/exports/keys')
    return json(call, {
      keys: [
        {
          fingerprint: '56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c',
          public_key: 'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
          valid_from: '2026-01-01T00:00:00Z',
          retired_at: null,
        },
      ],
    })
  if (path === '/openapi.json') return json(call, openapi)
  if (run) {
    const found = runs.get(run[1]!)
    return found
      ? runRoute(call, found, path.slice(run[0].length))
      : refuse(call, 'run-not-found', `There is no run ${run[1]}, or you may not see it.`)
  }
  refuse(call, 'not-found', `Nothing answers ${call.url.pathname}.`)
}).listen(port, '127.0.0.1', () => console.log(`fixture API on http://127.0.0.1:${port}`))

function listModels(call: Call) {
  const search = (call.url.searchParams.get('search') ?? '').toLowerCase()
  const found = empty ? [] : models.filter((m) => m.slug.toLowerCase().includes(search))
  json(call, { models: found.slice(0, Number(call.url.searchParams.get('limit') ?? 100)), total: found.length })
}

function listRuns(call: Call) {
  const { searchParams: q } = call.url
  const all = [...runs.values()]
    .map(runOf)
    .filter(
      (r) =>
        (!q.get('status') || r.status === q.get('status')) &&
        r.model_slug.toLowerCase().includes((q.get('model_slug') ?? '').toLowerCase()),
    )
  all.sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const offset = Number(q.get('offset') ?? 0)
  json(call, { runs: all.slice(offset, offset + Number(q.get('limit') ?? 50)), total: all.length })
}

function start(call: Call) {
  const spec = specOf(JSON.parse(call.body) as CreateRun, crypto.randomUUID(), new Date().toISOString())
  json(call, runOf(createRun(spec)), 201)
}

const points = (share: number | null) => (share === null ? null : share * 100)

function planOf(body: CreateRun): PlanPreview {
  const spec = specOf(body, crypto.randomUUID(), new Date().toISOString())
  const rows = spec.benchmarks.map((planned) => ({
    name: planned.name as string,
    items: planned.sampled_items,
    epochs: planned.epochs,
    trials: trialCount(planned),
    data_source: planned.data.source,
    profile: planned.profile,
    half_width_pct: 98 / Math.sqrt(planned.sampled_items * 1.3),
    target: targetOf(planned),
    limits: plannedScores.map((score) => ({ score, ...plannedLimits(score, planned) })),
    detectable_pct: points(smallestDetectable(planned.sampled_items)),
    judge: null,
  }))
  const sum = (key: 'input_tokens' | 'output_tokens') =>
    rows.reduce((total, row) => total + row.trials * benchmarks.find((b) => b.name === row.name)!.card.estimate[key], 0)
  const [input_tokens, output_tokens, trials] = [
    sum('input_tokens'),
    sum('output_tokens'),
    rows.reduce((total, row) => total + row.trials, 0),
  ]
  const { price } = spec
  return {
    trials,
    detectable_pct: points(smallestDetectableMean(rows.map(({ items }) => items))),
    benchmarks: rows,
    input_tokens,
    output_tokens,
    cost_usd: price && (input_tokens * price.input_per_million_usd + output_tokens * price.output_per_million_usd) / 1e6,
    judge: null,
    minutes: (trials * 9) / 60 / spec.concurrency,
    notes: rows.some((row) => row.data_source === 'sample')
      ? ['GPQA Diamond runs on its sample: the data set is gated and HF_TOKEN is not set.']
      : [],
  }
}

function runRoute(call: Call, run: Playing, rest: string) {
  const { searchParams: q } = call.url
  const now = new Date().toISOString()
  if (rest === '') return json(call, runOf(run))
  if (rest === '/events') return stream(call, run)
  if (rest === '/rows') return json(call, rowsOf(run, q))
  const named = /^\/benchmarks\/([^/]+)$/.exec(rest)
  if (named) {
    const found = itemsOf(run, new URLSearchParams([...q, ['benchmark', named[1]!]]))
    const page = found.filter((t) => t.record.ordinal > Number(q.get('after') ?? -1)).slice(Number(q.get('offset') ?? 0))
    const limit = Number(q.get('limit') ?? 100)
    const summary = {
      total_items: 1,
      correct: 1,
      incorrect: 0,
      errors: 0,
      avg_latency_ms: 4210,
      avg_ttft_ms: 612,
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_cost_usd: 0,
      output_cost_usd: 0,
      total_cost_usd: 0,
      pricing_input_per_million_usd: null,
      pricing_output_per_million_usd: null,
      error_breakdown: [],
    }
    return json(call, {
      benchmark: runOf(run).benchmarks.find((b) => b.benchmark_name === named[1]),
      items: { items: page.slice(0, limit).map((t) => itemOf(t.record, t.at)), total: found.length, limit, offset: 0 },
      summary,
    })
  }
  const item = /^\/items\/([^/]+)\/([^/]+)$/.exec(rest)
  if (item) {
    const [, benchmark, item_id] = item
    const trial = run.trials.find(
      (t) => t.record.benchmark === benchmark && t.record.item_id === item_id && t.record.epoch === Number(q.get('epoch') ?? 0),
    )
    if (!trial) return refuse(call, 'item-not-found', 'This run has no such item, or it is not done yet.')
    const list = itemsOf(run, new URLSearchParams([...q, ['benchmark', benchmark!]]))
    const before = list.findLast((t) => t.record.ordinal < trial.record.ordinal)
    const after = list.find((t) => t.record.ordinal > trial.record.ordinal)
    const ref = (t: typeof before) => (t ? `${t.record.item_id}:${t.record.epoch}` : null)
    return json(call, {
      item: itemOf(trial.record, trial.at),
      record: trial.record,
      card: benchmarks.find((b) => b.name === benchmark)!.card,
      previous: ref(before),
      next: ref(after),
      epochs: run.trials.filter((t) => t.record.benchmark === benchmark && t.record.item_id === item_id).map(({ record }) => rowOf(record)),
    })
  }
  const commands: Record<string, 'run_canceled' | 'run_paused' | 'run_resumed'> = {
    '/cancel': 'run_canceled',
    '/pause': 'run_paused',
    '/resume': 'run_resumed',
  }
  const type = commands[rest]
  if (type && call.method === 'POST') {
    emit(run, { event_type: type, benchmark_name: null, at: now, data: {} })
    return json(call, { success: true, message: 'done' })
  }
  refuse(call, 'not-found', `Nothing answers ${call.url.pathname}.`)
}

function rowsOf(run: Playing, q: URLSearchParams): ItemRowPage {
  const limit = Number(q.get('limit') ?? 100)
  const found = itemsOf(run, q).map(({ record }) => rowOf(record))
  const at = found.findIndex((row) => `${row.benchmark}:${row.item_id}:${row.epoch}` === q.get('around'))
  const offset = q.get('around') ? Math.floor(Math.max(0, at) / limit) * limit : Number(q.get('offset') ?? 0)
  const open = new URLSearchParams([...q].filter(([key]) => !['outcome', 'flag', 'failure'].includes(key)))
  const groups = itemsOf(run, open).map(({ record }) => ({ ...rowOf(record), count: 1 }))
  const chosen = {
    outcome: outcomes.find((one) => one === q.get('outcome')),
    flag: q.get('flag') ?? undefined,
    failure: q.get('failure') ?? undefined,
  }
  const place = q.get('around') ? { before: Math.max(0, at), listed: at >= 0 } : null
  return { rows: found.slice(offset, offset + limit), limit, offset, until: runOf(run).head.seq, place, ...countItems(groups, chosen) }
}

function rowOf(record: TrialRecord): ItemRow {
  const { ordinal, benchmark, item_id, epoch, group, outcome, score, answer, expected, flags, latency_ms, usage } = record
  const failure = record.failure && `${record.failure.at}/${record.failure.reason}`
  const question = record.item_metadata.question
  const rest = {
    failure,
    latency_ms,
    output_tokens: usage.output_tokens,
    snippet: typeof question === 'string' ? question.slice(0, 140) : '',
  }
  return { ordinal, benchmark, item_id, epoch, group, outcome, score, answer, expected, flags, ...rest }
}

function itemsOf(run: Playing, q: URLSearchParams) {
  const has = (key: string, test: (want: string) => boolean) => !q.get(key) || test(q.get(key)!)
  const rows = run.trials.filter(
    ({ record: r }) =>
      has('outcome', (w) => r.outcome === w) &&
      has('benchmark', (w) => r.benchmark === w) &&
      has('group', (w) => r.group === w) &&
      has('flag', (w) => r.flags.includes(w)) &&
      has('failure', (w) => !!r.failure && `${r.failure.at}/${r.failure.reason}` === w) &&
      has('q', (w) => JSON.stringify([r.messages, r.answer, r.item_id]).toLowerCase().includes(w.toLowerCase())),
  )
  if (q.get('order') === 'finished') rows.reverse()
  if (q.get('order') === 'latency') rows.sort((a, b) => (b.record.latency_ms ?? 0) - (a.record.latency_ms ?? 0))
  return rows
}

function stream(call: Call, run: Playing) {
  call.response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  call.response.write(`retry: 1000\ndata: ${JSON.stringify({ event_type: 'snapshot', head: run.head })}\n\n`)
  const listen = (event: { id: number }) => call.response.write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
  run.listeners.add(listen)
  call.request.on('close', () => run.listeners.delete(listen))
}

const seen = new Date(Date.now() - 86_400_000 * 3).toISOString()
const agents = [
  {
    agent_id: 'ams-1',
    host: 'worker-ams-1',
    version: '0.1.0',
    capabilities: ['llm', 'bwrap', 'python'],
    slots: 256,
    free_slots: 130,
    running: 126,
    draining: false,
    connected: true,
    first_seen: seen,
    last_seen: new Date().toISOString(),
  },
  {
    agent_id: 'laptop',
    host: 'laptop.local',
    version: '0.1.0',
    capabilities: ['llm'],
    slots: 64,
    free_slots: 64,
    running: 0,
    draining: true,
    connected: true,
    first_seen: seen,
    last_seen: new Date().toISOString(),
  },
  {
    agent_id: 'ams-2',
    host: 'worker-ams-2',
    version: '0.0.9',
    capabilities: ['llm', 'docker'],
    slots: 256,
    free_slots: 0,
    running: 0,
    draining: false,
    connected: false,
    first_seen: seen,
    last_seen: seen,
  },
]
