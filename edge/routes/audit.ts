import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { AuditAction, AuditEntry, AuditPage } from '#shared/contract/audit.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { TeamId } from '#shared/contract/team-place.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { getManaged } from './team-view.ts'

/** Entries of one page of an export, and most entries that one export holds. */
const pageLength = 500
const mostExported = 100_000

const filter = {
  team: TeamId.optional().describe('The log of this team, for its admins: what was done to its things, members and invitations'),
  action: AuditAction.optional().describe('Only entries of this action'),
  before: queryInteger(1, Number.MAX_SAFE_INTEGER).optional().describe('Only entries with a lower number: `next` of the page before'),
}
const refused = refusals('unauthorized', 'forbidden', 'team-not-found', 'validation', 'rate-limited', 'unavailable')
const list = declareRoute({
  method: 'get',
  path: '/api/audit',
  access: { who: 'signed in or operator' },
  cost: 'search',
  summary: 'Who did what, when and from where: your own actions and those on your things; for the operator all',
  request: { query: z.object({ ...filter, limit: queryInteger(1, 200).default(50).describe('Most entries') }) },
  responses: { 200: json(AuditPage, 'Entries, newest first'), ...refused },
})
const download = declareRoute({
  method: 'get',
  path: '/api/audit/export',
  access: { who: 'signed in or operator' },
  cost: 'heavy',
  summary: 'The same as a file, newest first, at most 100,000 entries',
  description: 'A longer log is taken in parts: pass the number of the last entry as `before`.',
  request: { query: z.object({ ...filter, format: z.enum(['jsonl', 'csv']).default('jsonl').describe('JSON lines, or CSV') }) },
  responses: {
    200: {
      description: 'One entry a line',
      content: { 'application/x-ndjson': { schema: z.string() }, 'text/csv': { schema: z.string() } },
    },
    ...refused,
  },
})

export function auditRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const { limit, action, team, before = null } = c.req.valid('query')
      const whose = await getManaged(team, c.get('whose'), c.get('principal'), deps)
      const entries = await deps.store.listAudit({ whose, action, before, limit })
      return c.json({ entries, next: entries.length === limit ? entries.at(-1)!.seq : null }, 200)
    })
    .openapi(download, async (c) => {
      const { format, action, team, before = null } = c.req.valid('query')
      const whose = await getManaged(team, c.get('whose'), c.get('principal'), deps)
      const pages = { write: format === 'csv' ? csvLine : jsonLine, head: format === 'csv' ? `${columns.join(',')}\r\n` : '' }
      const read = (next: number | null, limit: number) => deps.store.listAudit({ whose, action, before: next, limit })
      const first = await read(before, pageLength) // a database that is away is told before the file begins
      const name = `audit-${deps.now().toISOString().slice(0, 10)}.${format}`
      return c.body(streamOf(first, read, pages), 200, {
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
        'content-disposition': `attachment; filename="${name}"`,
      })
    })
}

type Pages = { write(entry: AuditEntry): string; head: string }

/** Reads one page at a time, as fast as the reader takes the lines. */
function streamOf(first: AuditEntry[], read: (before: number | null, limit: number) => Promise<AuditEntry[]>, { write, head }: Pages) {
  const encoder = new TextEncoder()
  let page = first
  let written = 0
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (head) controller.enqueue(encoder.encode(head))
    },
    async pull(controller) {
      if (page.length > 0) controller.enqueue(encoder.encode(page.map(write).join('')))
      written += page.length
      if (page.length < pageLength || written >= mostExported) return controller.close()
      page = await read(page.at(-1)!.seq, Math.min(pageLength, mostExported - written))
    },
  })
}

const jsonLine = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`

const columns = Object.keys(AuditEntry.shape) as (keyof AuditEntry)[] // keys of the schema
const csvLine = (entry: AuditEntry): string => `${columns.map((name) => cell(entry[name])).join(',')}\r\n`

/** A cell that a spreadsheet takes for text: one that looks like a formula begins with an apostrophe. */
function cell(value: unknown): string {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
