import { reset, env as testEnv } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { ProblemBody } from '#shared/contract/problem.ts'
import { openR2Bucket } from '../adapters/r2-bucket.ts'
import { createRunsPort } from '../adapters/run-objects.ts'
import { keyOf } from '../artifacts/bucket.ts'
import type { Env } from '../objects/env.ts'
import { createPasses, passSecret } from '../objects/passes.ts'
import { greeted, specOf, stubOf } from '../objects/testing/agent-socket.ts'
import { bearer, openApp } from '../testing/call-app.ts'

// No object, alarm or socket of one test lives on beside the next.
afterEach(() => reset())

const env = testEnv as unknown as Env // bindings of objects/testing/wrangler.toml
const bucket = env.ARTIFACTS!
const run_id = '00000000-0000-4000-8000-0000000000b1'
const pass = createPasses(passSecret(env)).passOf({ run_id, session: 'session-1', agent_id: 'agent' })

/** The real routes over real objects and a real bucket, with a run of which one agent holds the trials 0 and 1. */
async function openUpload() {
  const { app, deps } = openApp()
  Object.assign(deps, { artifacts: openR2Bucket(bucket), runs: createRunsPort(env) })
  await stubOf(run_id).create(specOf(run_id))
  const agent = await greeted(run_id)
  agent.say({ type: 'claim', ask: 1, count: 2 })
  await agent.until('leases')
  const put = async (sha256: string, bytes: number | null, body: ReadableStream | null, change: Change = {}) => {
    const { run = run_id, kind = 'log', ordinal = 0, attempt = 1, headers = {} } = change
    const query = new URLSearchParams({ kind, ordinal: String(ordinal), attempt: String(attempt) })
    const said = { 'x-bench-agent': 'agent', 'x-bench-session': 'session-1', 'x-bench-pass': pass, 'content-type': 'text/plain' }
    const length: Record<string, string> = bytes === null ? {} : { 'content-length': String(bytes) }
    const response = await app.request(`https://bench.example/api/runs/${run}/artifacts/${sha256}?${query}`, {
      method: 'PUT',
      headers: { ...bearer('agent-token-1'), ...said, ...length, ...headers },
      body,
    })
    const answer = (await response.json()) as Partial<ProblemBody> & { sha256?: string; bytes?: number }
    return { status: response.status, code: answer.code, answer, response }
  }
  return { app, deps, put }
}
type Change = { run?: string; kind?: string; ordinal?: number; attempt?: number; headers?: Record<string, string> }

/** `pieces` times 64 KiB, as they are asked for; how many of them were. */
function bodyOf(pieces: number) {
  const piece = new Uint8Array(65_536).map((_, at) => at * 7)
  const hash = createHash('sha256')
  for (let at = 0; at < pieces; at++) hash.update(piece)
  const bytes = pieces * piece.length
  const read = { pieces: 0, ended: false }
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read.pieces++ < pieces) controller.enqueue(piece)
        else {
          read.ended = true
          controller.close()
        }
      },
    },
    { highWaterMark: 0 },
  )
  return { sha256: hash.digest('hex'), bytes, source, sized: () => source.pipeThrough(new FixedLengthStream(bytes)), read }
}

test('[API161] 60 MB pass through to the bucket; brought again they are not written again', async () => {
  const { put } = await openUpload()
  const large = bodyOf(960)
  expect(await put(large.sha256, large.bytes, large.sized())).toMatchObject({
    status: 201,
    answer: { sha256: large.sha256, bytes: 62_914_560 },
  })
  expect(await bucket.head(keyOf(run_id, large.sha256))).toMatchObject({ size: 62_914_560, httpMetadata: { contentType: 'text/plain' } })
  const [kept] = (await bucket.list()).objects
  const again = bodyOf(960)
  expect(await put(again.sha256, again.bytes, again.source, { ordinal: 1 })).toMatchObject({ status: 200 })
  expect(again.read.ended).toBe(true) // else its sender is cut off before he sees the answer
  expect((await bucket.list()).objects).toEqual([kept])
})

test('[API161] other bytes than those of the hash are refused and not kept, an empty artifact is kept', async () => {
  const { put } = await openUpload()
  const { bytes, sized } = bodyOf(2)
  const other = 'f'.repeat(64)
  expect(await put(other, bytes, sized())).toMatchObject({ status: 422, code: 'wrong-hash' })
  expect(await bucket.head(keyOf(run_id, other))).toBeNull()
  const empty = createHash('sha256').digest('hex')
  expect(await put(empty, 0, null)).toMatchObject({ status: 201, answer: { bytes: 0 } })
  expect((await bucket.head(keyOf(run_id, empty)))?.size).toBe(0)
})

test('[API160] only the session that the fleet sent and that holds the lease of this attempt may bring anything', async () => {
  const { put } = await openUpload()
  const { sha256, bytes } = bodyOf(2)
  const refused = async (change: Change = {}) => {
    const { source, read } = bodyOf(2)
    const { status, code } = await put(sha256, bytes, source, change)
    return { status, code, read: read.ended }
  }
  const elsewhere = '00000000-0000-4000-8000-0000000000b2'
  const lost: Change[] = [
    { attempt: 2 },
    { ordinal: 2 },
    { ordinal: 2_147_483_647 },
    { headers: { 'x-bench-session': 'session-2' } },
    { headers: { 'x-bench-agent': 'another' } },
    { headers: { 'x-bench-pass': `${pass.slice(0, -1)}!` } },
  ]
  for (const change of lost) expect([change, await refused(change)]).toEqual([change, { status: 409, code: 'lease-lost', read: true }])
  expect(await refused({ run: elsewhere })).toEqual({ status: 404, code: 'run-not-found', read: true })
  expect(await refused({ headers: bearer('another-token') })).toEqual({ status: 401, code: 'unauthorized', read: true })
  await stubOf(run_id).command({ type: 'cancel' })
  expect(await refused()).toEqual({ status: 409, code: 'lease-lost', read: true })
  expect((await bucket.list()).objects).toEqual([])
})

test('[API162] what is larger than its kind allows is refused, as is a length that is not told', async () => {
  const { put, deps } = await openUpload()
  const { sha256, bytes, sized } = bodyOf(2)
  const large = bodyOf(2)
  expect(await put(sha256, 20 * 2 ** 20 + 1, large.source, { kind: 'picture' })).toMatchObject({ status: 413, code: 'body-too-large' })
  for (const [length, change] of [
    [null, {}],
    [bytes, { headers: { 'transfer-encoding': 'chunked' } }],
    [bytes, { kind: 'memo' }],
    [bytes, { headers: { 'content-type': 'text' } }],
    [bytes, { headers: { 'x-bench-agent': '' } }],
  ] as const)
    expect([length, change, await put(sha256, length, bodyOf(2).source, change)]).toMatchObject([
      length,
      change,
      { status: 422, code: 'validation' },
    ])
  expect(large.read.ended).toBe(true)
  const broken = { ...openR2Bucket(bucket), head: openR2Bucket({} as R2Bucket).head }
  Object.assign(deps, { artifacts: broken })
  const { status, code, response } = await put(sha256, bytes, sized())
  expect([status, code, response.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
})

test('[API162] a service without a bucket says so by a problem of its own', async () => {
  const { app, deps } = openApp()
  Object.assign(deps, { artifacts: null })
  const said = { 'x-bench-agent': 'agent', 'x-bench-session': 'session-1', 'x-bench-pass': pass, 'content-type': 'text/plain' }
  const response = await app.request(`https://bench.example/api/runs/${run_id}/artifacts/${'a'.repeat(64)}?kind=log&ordinal=0&attempt=1`, {
    method: 'PUT',
    headers: { ...bearer('agent-token-1'), ...said, 'content-length': '3' },
    body: 'abc',
  })
  expect([response.status, await response.json()]).toMatchObject([501, { code: 'no-artifact-store' }])
})
