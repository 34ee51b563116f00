import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { ExportFormat, exportFormats } from '#shared/contract/export-formats.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { answerDownload } from './download.ts'
import { createShelf, identityOf } from './export-file.ts'
import { openExport } from './open-export.ts'
import { RunParams } from './parameters.ts'
import { getRecordedRun, withheldBenchmarks } from './run-access.ts'
import { toRun } from './run-view.ts'

const json = z.object({ run: z.json(), trials: z.array(z.json()) })
const content = Object.fromEntries(
  Object.values(exportFormats).map(({ media_type }) => {
    const type = media_type.split(';')[0]!
    return [type, { schema: type === 'application/json' ? json : z.string() }]
  }),
)
const exportRun = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/export',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'heavy',
  summary: 'An ended run as a file',
  description:
    'CSV, JSON and JSONL hold all of its trials, the ZIP does so signed. CSV cuts `response` at 500 characters; JSON and JSONL hold it whole. `harbor` is a ZIP of a Harbor job folder, of runs with terminal tasks. PDF and Markdown are a short report for people: scores with intervals, failures, usage, and the hashes that lead to the rest. The file is made once before its first byte leaves, so that its length and SHA-256 (`Repr-Digest`) come with it: a download that breaks is noticed. `Range`, with the `ETag` in `If-Range`, goes on with one. HEAD makes the file ready.',
  request: { params: RunParams, query: z.object({ format: ExportFormat.default('csv') }) },
  responses: {
    200: { description: 'The file', content },
    206: { description: 'The part of the file that `Range` names', content },
    ...refusals(
      'validation',
      'unauthorized',
      'run-not-found',
      'export-not-ready',
      'export-no-episodes',
      'export-too-large',
      'range-not-satisfiable',
      'signing-not-configured',
      'unavailable',
    ),
  },
})

export function runExportRoutes(deps: Deps) {
  const shelf = createShelf(deps)
  return new OpenAPIHono<AppEnv>().openapi(exportRun, async (c) => {
    const principal = c.get('principal')
    const run = await getRecordedRun(c.get('run'), principal, deps)
    const { format } = c.req.valid('query')
    const reader = { view: toRun(run, principal, deps), withheld: withheldBenchmarks(run.spec, principal) }
    const identity = identityOf(format, reader.view, [...reader.withheld], deps.config.version, deps.signer?.fingerprint)
    return answerDownload(c.req.raw, await shelf.get(identity, () => openExport(deps, run, reader, format)))
  })
}
