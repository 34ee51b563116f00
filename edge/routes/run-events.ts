import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { StoredRun } from '#db/store.ts'
import { EventList } from '#shared/contract/api.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { isTerminal } from '#shared/contract/run.ts'
import type { RunView } from '#shared/run/audience.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { RunParams } from './parameters.ts'
import { audienceOf, viewOf } from './run-access.ts'
import { StreamFrame } from './stream-frame.ts'

const pageSize = 500
const Cursor = z.union([z.literal('latest'), queryInteger(0, 2_147_483_647)])
type Cursor = z.infer<typeof Cursor>

const EventQuery = z.object({
  format: z.enum(['sse', 'json']).default('sse'),
  after: Cursor.optional(),
  'Last-Event-ID': z.string().max(100).optional(),
  limit: queryInteger(1, 1000).default(pageSize),
  pulse: z.literal('1').optional(),
})
const events = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/events',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'stream',
  summary: 'Everything that happened to a run, as server-sent events (or a JSON list with `format=json`)',
  description:
    'Ids count up from 1 without gaps. Go on after a number with the header Last-Event-ID or `after`; `after=latest` sends new events only. A live stream begins with a snapshot; the stream of a finished run ends with an event named `done`. With `pulse=1` a live stream also carries unnumbered events named `pulse`, at most one a second: what the agents do now, and what holds them up.',
  request: { params: RunParams, query: EventQuery },
  responses: {
    200: {
      description: 'The stream, each event of it as a reader of server-sent events has it, or the list',
      content: { 'text/event-stream': { schema: StreamFrame }, 'application/json': { schema: EventList } },
    },
    ...refusals('validation', 'unauthorized', 'run-not-found', 'unavailable'),
  },
})

export function runEventRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(events, async (c) => {
    const query = c.req.valid('query')
    const run = c.get('run')
    const view = viewOf(run.spec, c.get('principal'))
    const cursor = query.after ?? numberOf(c.req.header('last-event-id')) ?? numberOf(query['Last-Event-ID']) ?? null
    if (query.format === 'json') return c.json(await listEvents(run, cursor, query.limit, view, deps), 200)
    if (c.req.method === 'HEAD') return new Response(null, { headers: streamHeaders })
    if (isTerminal(run.head.status)) return replay(run, cursor, view, deps)
    const audience = audienceOf(run.spec, c.get('principal'))
    const live = await deps.runs.stream(run.spec.run_id, cursor, audience, c.req.raw, query.pulse === '1')
    if (live.status === 404)
      throw new Problem('unavailable', 'The run has been stored but not begun; try again in a moment.', { retry_after_s: 5 })
    return live
  })
}

/** An event id as a client sends it back; the predecessor's ids (UUIDs) and other texts count as none. */
function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

async function listEvents(run: StoredRun, cursor: Cursor | null, limit: number, view: RunView, deps: Deps) {
  const after = cursor === 'latest' ? run.head.seq : (cursor ?? 0)
  const { events: list, next } = await deps.store.listEvents(run.spec.run_id, after, limit)
  return { events: list.map(view.event), last_id: list.at(-1)?.id ?? after, next_after: next }
}

const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' }

/** All events of an ended run from the record, page by page as the reader takes them, then `done`. */
function replay(run: StoredRun, cursor: Cursor | null, view: RunView, deps: Deps): Response {
  const encoder = new TextEncoder()
  let after = cursor === 'latest' ? run.head.seq : (cursor ?? 0)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode('retry: 2000\n\n')),
    async pull(controller) {
      const page = await deps.store.listEvents(run.spec.run_id, after, pageSize)
      const frames = page.events.map((event) => frameOf(view.event(event))).join('')
      if (frames) controller.enqueue(encoder.encode(frames))
      if (page.next !== null) {
        after = page.next
        return
      }
      controller.enqueue(encoder.encode('event: done\ndata: {}\n\n'))
      controller.close()
    },
  })
  return new Response(body, { headers: streamHeaders })
}

function frameOf(event: StreamedEvent): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`
}
