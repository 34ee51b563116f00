import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { draws } from '#shared/testing/draws.ts'
import { asAdmin, openApp } from './testing/call-app.ts'
import { exampleEnded, exampleEvent, exampleModel, exampleSpec, exampleTrials } from './testing/example-records.ts'
import { exampleTask } from './testing/example-task.ts'

const Operation = z.looseObject({
  summary: z.string().min(5),
  description: z.string().min(20),
  tags: z.array(z.string()).length(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ name: z.string(), description: z.string().min(5) })).default([]),
  responses: z.record(z.string(), z.looseObject({ description: z.string().min(2) })),
})
const Document = z.looseObject({
  info: z.looseObject({ license: z.looseObject({ name: z.string() }) }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()), securitySchemes: z.record(z.string(), z.unknown()) }),
})

/** The text of the document. It is written once, because each app writes the same text. */
let written: Promise<string> | undefined
async function readDocument() {
  const app = openApp()
  written ??= app.call('GET', '/api/openapi.json').then((response) => response.text())
  return { ...app, document: Document.parse(JSON.parse(await written)) }
}

/** Paths of all properties in a schema that say nothing about themselves. */
function undescribed(node: unknown, where: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'properties' in node && typeof node.properties === 'object' ? Object.entries(node.properties ?? {}) : []
  const silent = own.filter(([, schema]) => !/\w{2}/.test((schema as { description?: string }).description ?? ''))
  const inner = Object.entries(node).flatMap(([key, value]) => (key === 'properties' ? [] : undescribed(value, where)))
  return [
    ...silent.map(([name]) => `${where}.${name}`),
    ...own.flatMap(([name, schema]) => undescribed(schema, `${where}.${name}`)),
    ...inner,
  ]
}

test('[API116] every operation, parameter and field of the document says what it is', async () => {
  const { document } = await readDocument()
  expect(Object.entries(document.components.schemas).flatMap(([id, schema]) => undescribed(schema, id))).toEqual([])
  expect(Object.entries(document.paths).flatMap(([path, methods]) => undescribed(methods, path))).toEqual([])
  expect(JSON.stringify(document)).not.toContain('__shared')
})

test('[API116] every operation says who may call it, by schemes that the document has, and every used tag is described', async () => {
  const { document } = await readDocument()
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const schemes = operations.flatMap((operation) => operation.security.flatMap((one) => Object.keys(one)))
  expect(new Set(schemes)).toEqual(new Set(Object.keys(document.components.securitySchemes)))
  expect(new Set(operations.flatMap((operation) => operation.tags))).toEqual(new Set(document.tags.map((tag) => tag.name)))
  const who = (path: string, method: string) => document.paths[path]![method]!.security
  expect(who('/api/health', 'get')).toEqual([])
  expect(who('/api/runs', 'get')).toContainEqual({})
  expect(who('/api/runs', 'post')).toEqual([{ bearer: [] }, { admin: [] }])
  expect(who('/api/admin/sync-models', 'post')[0]).toEqual({ admin: [] })
})

test('[API116] Allow names exactly the methods of a path, for OPTIONS and for another method', async () => {
  const { app, call } = await readDocument()
  const methodsOf = Map.groupBy(
    app.routes.filter((route) => route.method !== 'ALL'),
    (route) => route.path,
  )
  for (const path of methodsOf.keys()) {
    // A path of words alone is no run: `/api/runs/plan` takes its own methods and not those of `/api/runs/{id}`.
    const real = path.replaceAll(/:\w+/g, '11111111-1111-4111-8111-111111111111')
    const methods = new Set(methodsOf.get(path)!.map((route) => route.method))
    const expected = [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted()
    const options = await call('OPTIONS', real)
    expect([path, options.status, listed(options)]).toEqual([path, 204, expected])
    const refused = await call(methods.has('PUT') ? 'PATCH' : 'PUT', real)
    expect([path, refused.status, listed(refused)]).toEqual([path, 405, expected])
  }
})

const listed = (response: Response): string[] => (response.headers.get('allow') ?? '').split(', ').toSorted()

type Schema = {
  type?: string
  enum?: string[]
  const?: string
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  format?: string
}

/** Texts of a query parameter that its schema allows. */
function allowed(schema: Schema): fc.Arbitrary<string> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(allowed))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum: min = -1000, maximum: max = 2 ** 53 - 1 } = schema
    return fc.integer({ min, max: Math.min(max, 2 ** 31 - 1) }).map(String)
  }
  const moments = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString())
  if (schema.format === 'uuid') return fc.uuid({ version: 4 })
  if (schema.format === 'date-time') return moments
  if (schema.format === 'date') return moments.map((moment) => moment.slice(0, 10))
  const { minLength = 0, maxLength = 50 } = schema
  return fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 50) })
    .filter((text) => !text.includes('\0') && text.length <= maxLength)
}

/** Texts that it does not allow; none where it allows every text. */
function refused(schema: Schema): string[] {
  if (schema.anyOf || schema.enum || schema.const) return ['neither', '-1.5', '\0']
  if (schema.type === 'integer')
    return ['', 'x', '1.5', '1.0', ' 7', '0x7', 'null', '1e99', ...(schema.minimum === undefined ? [] : [String(schema.minimum - 1)])]
  if (schema.format === 'uuid') return ['', 'team', '\0']
  return schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]
}

/** Whether nobody is answered without a key or the secret of the operator. */
const keyed = ({ security }: z.infer<typeof Operation>): boolean =>
  security.some((one) => 'admin' in one) && security.every((one) => Object.keys(one).length > 0)

test('[API117] queries that the document allows are answered, those that it does not allow are refused, and every status is declared', async () => {
  const { document, call, record, living } = await readDocument()
  const spec = exampleSpec({ visibility: 'public' })
  record.runs.set(spec.run_id, exampleEnded(spec))
  record.trials.set(spec.run_id, exampleTrials())
  living.set(spec.run_id, exampleEnded(spec))
  record.tasks.set(spec.run_id, exampleTask({ id: spec.run_id }))
  const reading = Object.entries(document.paths).flatMap(([path, { get }]) => (get ? [{ path, get }] : []))
  for (const { path, get } of reading) {
    const real = path
      .replace('{id}', spec.run_id)
      .replace(/\{name\}|\{benchmark\}/, 'mmlu_pro')
      .replace('{item_id}', '0')
      .replace('{ordinal}', '0')
    const queries = get.parameters.filter((one) => one.in === 'query') as unknown as {
      name: string
      schema: Schema
    }[]
    const ask = async (query: Record<string, string>) => {
      const { status, body } = await call('GET', `${real}?${new URLSearchParams(query)}`, { headers: keyed(get) ? asAdmin : {} })
      await body?.cancel() // a download keeps its turn until it is read
      expect([path, query, Object.keys(get.responses)]).toEqual([path, query, expect.arrayContaining([String(status)])])
      return status
    }
    const query = fc.record(Object.fromEntries(queries.map(({ name, schema }) => [name, allowed(schema)])), { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        expect([400, 415, 422]).not.toContain(await ask(given as Record<string, string>))
      }),
      draws(10),
    )
    for (const { name, schema } of queries)
      for (const text of refused(schema)) {
        const status = schema.enum && name === 'provider' && text !== '\0' ? 400 : 422
        expect([path, name, text, await ask({ [name]: text })]).toEqual([path, name, text, status])
      }
  }
})

test('[API117] a body with nothing in it, with what is not in the document, or with a date no program reads is refused', async () => {
  const { call, document } = await readDocument()
  const body = JSON.stringify(document.paths['/api/runs/{id}']!.patch)
  expect(body).toContain('"minProperties":1')
  const make = (expires_at: string) => call('POST', '/api/keys', { headers: asAdmin, body: { name: 'x', expires_at } })
  for (const moment of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1999-12-31T23:59:59Z', 'tomorrow'])
    expect((await make(moment)).status).toBe(422)
  expect((await make('2031-01-01T00:00:00Z')).status).toBe(201)
  expect((await call('GET', '/api/runs/plan')).status).toBe(405)
})

test('[API117] a body is refused for its benchmarks, its provider, a blank name or NUL exactly where the document says so', async () => {
  const { call, document, record } = await readDocument()
  const model = exampleModel()
  record.models.set(model.id, model)
  const schema = z.fromJSONSchema(document.components.schemas.CreateRun as z.core.JSONSchema.JSONSchema)
  const parts: Record<string, unknown>[][] = [
    [{}, { selected_benchmarks: null }, { selected_benchmarks: [] }, { selected_benchmarks: ['mmlu_pro'] }],
    [{}, { suite: null }, { suite: 'default' }],
    [{}, { provider: null }, { provider: model.provider }, { provider: '' }, { provider: 'neither' }],
    [{}, { name: 'a b' }, { name: ' \n' }, { name: 'a\0' }, { tags: ['\t'] }, { subset_seed: 'a\0b' }],
  ]
  const bodies = parts.reduce((some, part) => some.flatMap((body) => part.map((one) => ({ ...body, ...one }))), [{ model_id: model.slug }])
  for (const body of bodies) {
    const { status } = await call('POST', '/api/runs/plan', { body })
    const { selected_benchmarks, suite } = body as { selected_benchmarks?: string[] | null; suite?: string | null }
    // The document says in words that one of the two is needed: generators of clients lose the fields beside a choice of schemas.
    const isChosen = (selected_benchmarks?.length ?? 0) > 0 !== (suite != null)
    expect([body, status]).toEqual([body, schema.safeParse(body).success && isChosen ? 200 : expect.toBeOneOf([400, 422])])
  }
})

test('[API117] every event of a stream has the form that the document gives it, the last one too', async () => {
  const { call, document, record } = await readDocument()
  const spec = exampleSpec({ visibility: 'public' })
  record.runs.set(spec.run_id, exampleEnded(spec))
  record.events.set(spec.run_id, [exampleEvent(1), exampleEvent(2)])
  const frame = z.fromJSONSchema(document.components.schemas.StreamFrame as z.core.JSONSchema.JSONSchema)
  const text = await (await call('GET', `/api/runs/${spec.run_id}/events`)).text()
  const frames = text.split('\n\n').map((block) => Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))))
  const events = frames.filter((one) => 'data' in one)
  for (const event of events) expect(frame.safeParse(event)).toMatchObject({ success: true })
  expect(events.at(-1)).toEqual({ event: 'done', data: '{}' })
  expect(document.components.schemas).not.toHaveProperty('RunSpec')
})

/** Number of constant schemas in a choice. `openapi-python-client` checks only the first one. */
const constants = (choice: unknown): number => (Array.isArray(choice) ? choice.filter((one) => 'const' in Object(one)).length : 0)

/** Places in a schema that stop generators of clients or make them write other types than are meant. */
function breaking(node: unknown, where: string, isBody: boolean): string[] {
  if (Array.isArray(node)) return node.flatMap((one, at) => breaking(one, `${where}/${at}`, isBody))
  if (typeof node !== 'object' || node === null) return []
  const own: string[] = []
  if ('prefixItems' in node) own.push(`${where}: prefixItems`)
  if ('items' in node && typeof node.items === 'boolean') own.push(`${where}: items is ${node.items}`)
  if ('properties' in node && ['oneOf', 'anyOf', 'allOf'].some((choice) => choice in node)) own.push(`${where}: a choice beside properties`)
  if (['oneOf', 'anyOf'].some((choice) => constants((node as Record<string, unknown>)[choice]) > 1))
    own.push(`${where}: a choice of constants`)
  if ('$defs' in node || '$schema' in node) own.push(`${where}: a schema of its own`)
  if (isBody && 'default' in node && !where.endsWith('/properties')) own.push(`${where}: a default in a body`)
  return [...own, ...Object.entries(node).flatMap(([key, value]) => (key === 'example' ? [] : breaking(value, `${where}/${key}`, isBody)))]
}

test('[API431] the document holds no construct that stops generators of clients, and bodies have no defaults, which they take for required', async () => {
  const { document } = await readDocument()
  const bodies: string[] = []
  const ids: string[] = []
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const { requestBody, operationId } = operation as { requestBody?: unknown; operationId?: string }
      bodies.push(...breaking(requestBody, `${method} ${path}`, true))
      ids.push(operationId ?? '')
    }
  for (const name of ['CreateRun', 'RescoreSubmission']) bodies.push(...breaking(document.components.schemas[name], name, true))
  expect(bodies).toEqual([])
  expect(breaking(document, '', false)).toEqual([])
  expect(ids.filter((id, at) => !/^[a-z]\w+$/i.test(id) || ids.indexOf(id) !== at)).toEqual([])
  const { properties, required } = document.components.schemas.CreateRun as {
    properties: Record<string, { description?: string }>
    required?: string[]
  }
  expect(required).toBeUndefined() // without a model it means the defaults of its sender
  expect(properties.concurrency?.description).toContain('Default: 64.')
  // A body may be called by a property of any name.
  expect(breaking({ properties: { default: { type: 'string' } } }, 'x', true)).toEqual([])
})
