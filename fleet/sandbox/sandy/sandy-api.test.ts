import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { createBubblewrap } from '../bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '../cgroup/control-groups.ts'
import { contractSpec } from '../sandbox.contract.ts'
import { createSandyProbe } from './probe-sandy.ts'
import { createSandyCalls } from './sandy-calls.ts'
import { createSandyHttp } from './sandy-http.ts'
import type { Asked, Fault, Route } from './testing/sandy-server.ts'
import { answer, apiKey, startSandy } from './testing/start-sandy.ts'

const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.string()).optional(),
  requestBody: z.object({ $ref: z.string() }).optional(),
  responses: z.record(z.string(), z.object({ $ref: z.string() })),
})
const Api = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
})
const api = Api.parse(parse(readFileSync(join(import.meta.dirname, 'testing/sandy-api.yaml'), 'utf8')))
const schemaOf = ({ $ref }: { $ref: string }): z.ZodType => z.fromJSONSchema(api.components.schemas[$ref.split('/').at(-1)!]!)

const groups = await findControlGroups()
const absent = spawnSync('bwrap', ['--version']).status !== 0 || 'missing' in groups ? 'bubblewrap holds no sandbox here' : null
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => bubblewrap.close())
const never = new AbortController().signal

/** The operation of a request by the document; undefined where it has none. */
const operationOf = ({ method, url }: Pick<Asked, 'method' | 'url'>) =>
  Object.entries(api.paths).find(([path]) => new RegExp(`^${path.replace('{id}', '[^/]+')}$`).test(url.pathname))?.[1][method.toLowerCase()]

/** What of a request or its answer is not as the document has it. */
function deviations(asked: Asked): string[] {
  const operation = operationOf(asked)
  if (!operation) return [`${asked.method} ${asked.url.pathname} is no operation`]
  const { operationId, parameters = [], requestBody, responses } = operation
  const found: string[] = []
  const compare = (what: string, schema: z.ZodType, value: unknown): void => {
    const { error } = schema.safeParse(value)
    if (error) found.push(`${operationId} ${what}: ${error.message}`)
  }
  if (requestBody) compare('request', schemaOf(requestBody), JSON.parse(asked.body))
  else if (asked.body !== '') found.push(`${operationId} has a body`)
  if ([...asked.url.searchParams.keys()].join() !== parameters.join()) found.push(`${operationId} has other parameters`)
  if (asked.authorization !== `Bearer ${apiKey}`) found.push(`${operationId} has no key`)
  if (asked.answer && !Buffer.isBuffer(asked.answer.body)) {
    const response = responses[String(asked.answer.status)]
    if (response) compare(`answer ${asked.answer.status}`, schemaOf(response), asked.answer.body)
    else found.push(`${operationId} is answered ${asked.answer.status}`)
  }
  return found
}

test('[FLEETUP9] every request of the client, and every answer of the stand-in, is as the document has it', {
  timeout: 60_000,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const { sandy, server, options, close } = await startSandy({ provider: bubblewrap, apiKey })
  await createSandyProbe(options).probe()
  const opened = await sandy.open(contractSpec, never)
  if (!opened.ok) throw new Error(opened.failure.detail)
  const box = opened.value
  const large = new Uint8Array(200_000).fill(97)
  await box.write('large.txt', large)
  expect((await box.read('large.txt', 300_000))?.length).toBe(large.length)
  expect((await box.exec({ argv: ['true'], timeout_ms: 5000, output_bytes: 9 })).end).toBe('exited')
  await box[Symbol.asyncDispose]()
  expect(server.asked.flatMap(deviations)).toEqual([])
  const every = Object.values(api.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  expect([...new Set(server.asked.map(({ route }) => route))].sort()).toEqual(every.sort() as Route[])
  await close()
})

test('[FLEETUP9] the document refuses what the real service ignores or refuses', () => {
  const asked = (route: Route, path: string, body: unknown, status = 200, told: unknown = {}): Asked => ({
    ...{ route, method: 'POST', url: new URL(path, 'http://x'), body: JSON.stringify(body), authorization: `Bearer ${apiKey}` },
    answer: { status, body: told },
  })
  const at = '/api/sandboxes/a/exec'
  const fine = { stdout: '', stderr: '', exitCode: 0 }
  expect(deviations(asked('exec', at, { command: 'true', timeoutMs: 1 }, 200, fine))).toEqual([])
  expect(deviations(asked('exec', at, { command: 'true', timeout: 1 }, 200, fine)).join()).toMatch(/exec request/)
  expect(deviations(asked('create', '/api/sandboxes', { priority: 4 }, 200, { sandboxId: 'a' })).join()).toMatch(/create request/)
  expect(deviations(asked('create', '/api/sandboxes', {}, 200, { id: 'a' })).join()).toMatch(/create answer 200/)
  expect(deviations(asked('create', '/sandboxes', {})).join()).toMatch(/no operation/)
})

/** Calls of the client at a service that answers the first request of a route so. */
async function callsAt(route: Route, fault: Fault) {
  const started = await startSandy({ provider: bubblewrap, apiKey, fault: (one) => (one === route ? fault : undefined) })
  const http = createSandyHttp(started.options)
  const calls = createSandyCalls(http, apiKey, { clock: started.clock, random: () => 1 })
  return {
    calls,
    async [Symbol.asyncDispose]() {
      await http.close()
      await started.close()
    },
  }
}

const created = { sandboxId: 'sb-1', url: 'https://sb-1.sandy.example', createdAt: '2026-01-17T10:00:00Z' }
test.each([
  ['with all fields', { ...created, timeoutAt: '2026-01-17T12:00:00Z', status: 'running', vnc: { enabled: false } }, true],
  ['with its id alone', { sandboxId: 'sb-1' }, true],
  ['by another name of its id', { id: 'sb-1' }, false],
])('[FLEETUP9] a sandbox told %s is read: %j', async (_, body, isRead) => {
  await using place = await callsAt('create', answer(200, body))
  expect(schemaOf({ $ref: 'Created' }).safeParse(body).success).toBe(isRead)
  expect(await place.calls.create(60, never)).toMatchObject(isRead ? { ok: true, value: 'sb-1' } : { ok: false })
})

test.each([
  ['all of it', { stdout: 'a', stderr: 'b', exitCode: 3 }, { type: 'answer', stdout: 'a', stderr: 'b', exitCode: 3 }],
  ['no output', { stdout: null, exitCode: 0 }, { type: 'answer', stdout: '', stderr: '', exitCode: 0 }],
  ['no exit code', { stdout: 'a', stderr: '' }, { type: 'lost' }],
])('[FLEETUP9] a command told with %s is read', async (_, body, wanted) => {
  await using place = await callsAt('exec', answer(200, body))
  expect(schemaOf({ $ref: 'Execed' }).safeParse(body).success).toBe(wanted.type === 'answer')
  expect(await place.calls.exec('sb-1', 'true', 1000, 1000, never)).toMatchObject(wanted)
})

test.each([
  [{ content: 'text' }, 'text'],
  [{ content: 'dGV4dA==', encoding: 'base64' }, 'text'],
  [{ content: 'text', encoding: null }, 'text'],
  [Buffer.from('raw bytes'), 'raw bytes'],
])('[FLEETUP9] a file told as %j is read', async (body, wanted) => {
  await using place = await callsAt('read', answer(200, body))
  expect(await place.calls.read('sb-1', 'file', 1000, never)).toBe(wanted)
})

test.each([
  [{ error: 'capacity reached' }],
  [{ detail: 'capacity reached' }],
  [{ detail: [{ msg: 'capacity reached' }] }],
  [{ message: 'capacity reached' }],
  [Buffer.from('capacity reached')],
])('[FLEETUP9] why no sandbox is made is told in every form: %j', async (body) => {
  await using place = await callsAt('create', answer(503, body))
  const made = await place.calls.create(60, never)
  expect(made).toMatchObject({ ok: false, failure: { status: 503, retryable: true } })
  expect(JSON.stringify(made)).toContain('capacity reached')
})

test('[FLEETUP9] a sandbox that is gone counts as ended, and one that is not does not', async () => {
  await using gone = await callsAt('terminate', answer(404, { detail: 'not found' }))
  expect(await gone.calls.terminate('sb-1')).toBeNull()
  await using away = await callsAt('terminate', answer(500, { detail: 'busy' }))
  expect(await away.calls.terminate('sb-1')).toContain('busy')
})
