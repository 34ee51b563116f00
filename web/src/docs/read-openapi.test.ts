import { expect, test } from 'vitest'
import { type OpenApi, readOpenApi } from './read-openapi.ts'

const document: OpenApi = {
  info: { title: 'T', version: '1' },
  paths: {
    '/api/runs/{id}': {
      get: {
        summary: 'A run',
        responses: {
          200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Run' } } } },
          404: { description: 'No such run' },
        },
      },
    },
    '/api/runs': {
      post: {
        security: [{ bearer: [] }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/New' } } } },
        responses: { 201: { description: 'made' } },
      },
    },
  },
  components: {
    schemas: {
      Run: {
        type: 'object',
        properties: { id: { type: 'string' }, tags: { type: 'array', items: { enum: ['a', 'b'] } }, score: { type: ['number', 'null'] } },
        required: ['id', 'score'],
      },
      New: {
        type: 'object',
        properties: { model_id: { type: 'string', example: "it's" }, pct: { type: 'integer', minimum: 1 }, more: { type: 'string' } },
        required: ['model_id', 'pct'],
      },
    },
  },
}
const docs = readOpenApi(document, 'https://example.org')

test('[UI19] every operation is listed, grouped by what it is about', () => {
  expect(docs.operations.map((one) => [one.tag, one.method, one.path])).toEqual([
    ['runs', 'GET', '/api/runs/{id}'],
    ['runs', 'POST', '/api/runs'],
  ])
  expect(docs.operations[0]!.answers).toEqual([
    { status: '200', description: 'ok', type: 'Run' },
    { status: '404', description: 'No such run', type: undefined },
  ])
})

test('[UI19] types are written as text', () => {
  expect(docs.schemas[0]).toEqual({ name: 'Run', text: '{\n  id: string\n  tags?: ("a" | "b")[]\n  score: number | null\n}' })
})

test('[UI19] the command carries the key by name, an example of the required fields, and no open quote', () => {
  expect(docs.operations[1]!.curl.split(' \\\n  ')).toEqual([
    "curl -X POST 'https://example.org/api/runs'",
    '-H "authorization: Bearer $BENCH_API_KEY"',
    "-H 'content-type: application/json'",
    `-d '{"model_id":"it'\\''s","pct":1}'`,
  ])
})

test('[UI19] where the document gives an example of a body, the command carries that', () => {
  const post = document.paths['/api/runs']!.post!
  const example = { model_id: 'org/model', selected_benchmarks: ['mmlu_pro'] }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/New' }, example } }
  const [operation] = readOpenApi(
    { paths: { '/api/runs': { post: { ...post, requestBody: { content } } } } },
    'https://example.org',
  ).operations
  expect(operation!.curl).toContain(`-d '${JSON.stringify(example)}'`)
})

test('[UI19] the command of an admin operation carries the admin secret, and that of an open one nothing', () => {
  const about = (security: Record<string, never[]>[]) =>
    readOpenApi({ paths: { '/api/x': { get: { security, responses: {} } } } }, 'https://example.org').operations[0]!
  expect(about([{ admin: [] }, { bearer: [] }]).curl).toContain('-H "x-admin-secret: $ADMIN_SECRET"')
  for (const open of [about([]), about([{}, { bearer: [] }])])
    expect([open.needsKey, open.curl]).toEqual([false, "curl 'https://example.org/api/x'"])
})
