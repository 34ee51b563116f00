import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProblemBody } from '#shared/contract/problem.ts'
import { asAdmin, openApp } from './testing/call-app.ts'
import { exampleEnded, exampleEvent, exampleModel, exampleSpec, exampleTrials } from './testing/example-records.ts'

const spec = exampleSpec()
function stage() {
  const app = openApp()
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  app.record.trials.set(spec.run_id, exampleTrials())
  app.record.events.set(spec.run_id, [exampleEvent(1)])
  app.record.models.set(exampleModel().id, exampleModel())
  return app
}

/** Declared statuses of an operation, from the document the service itself publishes. */
async function declaredOf(app: ReturnType<typeof stage>) {
  const document = (await (await app.call('GET', '/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(responses).map(Number),
    })),
  )
}

const everywhere = [404, 405, 413, 422]
const word = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('0', '-1', '1e999', 'null', '%00', "' or 1=1 --"),
)
const field = fc.constantFrom(
  ...['model_id', 'subset_pct', 'subset_count', 'subset_seed', 'selected_benchmarks', 'config', 'provider', 'epochs', 'profile', 'data'],
  ...[
    'limit',
    'offset',
    'after',
    'status',
    'q',
    'order',
    'format',
    'epoch',
    'name',
    'scopes',
    'mode',
    'message',
    'concurrency',
    '__proto__',
  ],
)
const value = fc.oneof(word, fc.jsonValue(), fc.constantFrom(exampleModel().id, 'mmlu_pro', 5, ['mmlu_pro'], 'csv', 'sample'))

test('[API6] random requests on every route get declared answers, and every error is a problem', async () => {
  const app = stage()
  const operations = await declaredOf(app)
  const quiet = ['/api/admin/sync-models']
  const request = fc.record({
    operation: fc.constantFrom(...operations.filter((one) => !quiet.includes(one.path))),
    known: fc.boolean(),
    parts: fc.array(word, { minLength: 3, maxLength: 3 }),
    query: fc.dictionary(field, word, { maxKeys: 3 }),
    body: fc.oneof(
      fc.dictionary(field, value, { maxKeys: 6 }).map((body) => ({ model_id: exampleModel().id, ...body })),
      fc.jsonValue(),
    ),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, known, parts, query, body }) => {
      let at = 0
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        known && name === 'id' ? spec.run_id : encodeURIComponent(parts[at++]!.toWellFormed() || 'x'),
      )
      const search = new URLSearchParams(query).toString()
      const given = ['GET', 'DELETE'].includes(operation.method) ? { headers: asAdmin } : { headers: asAdmin, body }
      const response = await app.call(operation.method, `${path}?${search}`, given)
      expect([...operation.statuses, ...everywhere]).toContain(response.status)
      if (response.status >= 400) ProblemBody.parse(await response.json())
      else await response.body?.cancel()
    }),
    { numRuns: 1500 },
  )
})
