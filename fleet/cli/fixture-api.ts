import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { card } from '#shared/benchmarks/mmlu_pro/card.ts'
import { main } from './main.ts'

export type Asked = { method: string; path: string; query: URLSearchParams; headers: IncomingMessage['headers']; body: unknown }
export type Answer = (asked: Asked, response: ServerResponse, count: number) => void
export type FixtureApi = AsyncDisposable & { url: string; asked: Asked[]; on(route: string, answer: Answer): void }

/** An HTTP API on loopback that answers what a test puts there under `METHOD /path`, and keeps what it was asked. */
export async function openFixtureApi(): Promise<FixtureApi> {
  const answers = new Map<string, Answer>()
  const asked: Asked[] = []
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', 'http://fixture')
    const route = `${request.method} ${url.pathname}`
    const text = Buffer.concat(chunks).toString('utf8')
    const one = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text && JSON.parse(text),
    }
    asked.push(one)
    counts.set(route, (counts.get(route) ?? 0) + 1)
    const answer = answers.get(route)
    if (answer) answer(one, response, counts.get(route) ?? 1)
    else problem(404, 'not-found', `There is nothing at ${url.pathname}.`)(one, response, 1)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    on: (route, answer) => void answers.set(route, answer),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export const json =
  (body: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

export const problem =
  (
    status: number,
    code: string,
    detail: string,
    headers: Record<string, string> = {},
    errors?: { pointer: string; message: string }[],
  ): Answer =>
  (asked, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    response.end(
      JSON.stringify({ type: `urn:bench:problem:${code}`, code, title: 'It did not work', status, detail, instance: asked.path, errors }),
    )
  }

type Ran = { code: number; out: string[]; err: string[]; progress: string[]; pauses: number[] }

/** Runs one command line as a process would; pauses pass at once, `now` moves by a second with every look at it. */
export async function runBench(
  args: string[],
  env: Record<string, string | undefined> = {},
  more: { interactive?: boolean; colour?: boolean; columns?: number; signal?: AbortSignal; say?(line: string): void } = {},
): Promise<Ran> {
  const ran: Ran = { code: -1, out: [], err: [], progress: [], pauses: [] }
  let now = 0
  ran.code = await main(args, {
    out: (line) => {
      ran.out.push(line)
      more.say?.(line)
    },
    err: (line) => void ran.err.push(line),
    progress: (line) => void ran.progress.push(line),
    env,
    fetch,
    now: () => (now += 1_000),
    pause: async (ms) => void ran.pauses.push(ms),
    signal: more.signal ?? new AbortController().signal,
    holdOn: () => undefined,
    interactive: more.interactive ?? false,
    colour: more.colour ?? false,
    columns: more.columns ?? null,
  })
  return ran
}

export const exampleRunId = '0199c0de-1111-7000-8000-000000000001'
const at = '2026-11-21T12:00:00.000Z'
const usage = { input_tokens: 1000, output_tokens: 500, cached_tokens: 0, reasoning_tokens: 0 }
const estimate = { value: 0.75, low: 0.5, high: 0.9, n: 4, method: 'wilson' }
const tally = { total: 5, right: 3, wrong: 1, failed: 1, score_sum: 3, flags: {} }
const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
const data = { source: 'sample', repo: 'sample', revision: 'a'.repeat(40), files: [] }

/** A head as a stream's snapshot carries it, with `done` of five trials. */
export function exampleHead(status = 'succeeded', seq = 9, counts = { right: 3, wrong: 1, failed: 1 }) {
  const done = counts.right + counts.wrong + counts.failed
  return {
    ...{
      run_id: exampleRunId,
      status,
      seq,
      total: 5,
      leased: 0,
      done,
      lost: 0,
      order: ['mmlu_pro'],
      groups: {},
      failures: { 'provider/overloaded': 1 },
    },
    benchmarks: { mmlu_pro: { ...tally, ...counts, score_sum: counts.right, status: 'running', started_at: at, completed_at: null } },
    ...{ usage, cost_usd: 0.0123, retried: 0, concurrency: 64, priority: 0, max_failure_share: 0.01, budget_usd: null, reserve_usd: null },
    ...{ parked: null, agents: {}, created_at: at, started_at: at, completed_at: '2026-11-21T12:03:20.000Z' },
  }
}

/** A run as the API answers it; `model` is shown to people, so tests put nasty texts there. */
export function exampleRun(status = 'succeeded', model = 'demo-model') {
  const benchmark = {
    ...{
      id: '1',
      benchmark_name: 'mmlu_pro',
      display_name: 'MMLU-Pro',
      status: 'succeeded',
      total_items: 70,
      completed_items: 5,
      sampled_items: 5,
    },
    ...{ epochs: 1, profile: 'builtin', data, score: 0.75, estimate, worst_case: 0.6, best_case: 0.8, right: 3, wrong: 1, failed: 1 },
    ...{ metrics: {}, estimates: {}, groups: [], error_message: null, started_at: at, completed_at: at },
  }
  const planned = {
    name: 'mmlu_pro',
    version: card.version,
    profile: 'builtin',
    epochs: 1,
    total_items: 70,
    sampled_items: 5,
    gated: false,
    data,
    params,
  }
  const spec = {
    ...{
      run_id: exampleRunId,
      owner_id: 'local',
      visibility: 'public',
      model: { id: 'm', slug: model, provider: 'demo' },
      own_credential: false,
    },
    ...{ price: null, benchmarks: [planned], subset: { pct: 100, count: 5, seed: 's', sampling: 'sha256' }, concurrency: 64, priority: 0 },
    ...{ max_failure_share: 0.01, budget_usd: null, created_at: at },
  }
  return {
    ...{
      id: exampleRunId,
      model_id: 'm',
      model_slug: model,
      provider: 'demo',
      subset_pct: 100,
      subset_count: 5,
      subset_seed: null,
      status,
    },
    ...{
      selected_benchmarks: ['mmlu_pro'],
      overall_score: 0.75,
      error_message: null,
      provider_metadata: null,
      started_at: at,
      completed_at: at,
    },
    ...{
      created_at: at,
      benchmarks: [benchmark],
      labels: ['demo', 'sample'],
      estimate,
      visibility: 'public',
      mine: true,
      spec,
      head: exampleHead(status),
    },
  }
}

/** Server-sent events as one text: numbered events, or a snapshot without a number. */
export function sse(...events: { id?: number; [key: string]: unknown }[]): string {
  return events.map((event) => `${event.id === undefined ? '' : `id: ${event.id}\n`}data: ${JSON.stringify(event)}\n\n`).join('')
}

export function streamed(id: number, event_type: string, payload: unknown = {}) {
  return { id, event_type, benchmark_name: 'mmlu_pro', message: '', data: payload, created_at: at }
}
