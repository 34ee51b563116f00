import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Clock } from '#shared/run/clock.ts'
import type { ArtifactBody } from '#shared/solvers/kit.ts'
import { createHttpStore } from './http-store.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

const ends: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const token = 'agt_secret_of_the_agent'
const hashOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')
const never = new AbortController().signal

/** A service that gives these answers in turn, the last of them again and again, and a store that reaches it; its waits take no time and are kept. */
async function start(...answers: Answer[]) {
  const asked: Asked[] = []
  const waits: number[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, headers })
    await answers[Math.min(asked.length, answers.length) - 1]!(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const spoolDir = mkdtempSync(join(tmpdir(), 'bench-spool-'))
  const clock: Clock = {
    now: () => 0,
    after(ms, run) {
      waits.push(ms)
      const soon = setImmediate(run)
      return () => clearImmediate(soon)
    },
  }
  const store = createHttpStore({
    ...{ edgeUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token, spoolDir, clock, random: () => 1, silenceMs: 300 },
  })
  let passes = 0
  const run = store.of('11111111-1111-4111-8111-111111111111', () => ({ agent_id: 'box', session: 's-1', pass: `pass-${++passes}` }))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
    rmSync(spoolDir, { recursive: true })
  }, store.close)
  const keep = (body: ArtifactBody, signal: AbortSignal = never) =>
    run.keep({ ordinal: 7, attempt: 2, kind: 'log', media_type: 'text/plain', body }, signal)
  return { asked, waits, keep, spoolDir }
}

/** Reads the body and answers whether its hash is the one of the address. */
const take: Answer = async (request, response) => {
  const hash = createHash('sha256')
  for await (const piece of request) hash.update(piece)
  response.writeHead(request.url!.includes(hash.digest('hex')) ? 201 : 422).end('{}')
}
const answer =
  (status: number, headers: Record<string, string> = {}, text = ''): Answer =>
  async (request, response) => {
    for await (const _ of request);
    response.writeHead(status, headers).end(text)
  }
async function* pieces(count: number, bytes = 1000): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n++) yield new Uint8Array(bytes).fill(n)
}
const whole = (count: number, bytes = 1000) => Buffer.concat(Array.from({ length: count }, (_, n) => Buffer.alloc(bytes, n)))

test('[KIT11] bytes at hand and bytes that are made meanwhile are put under their hash, with their length, by the agent that holds the trial', async () => {
  const { asked, keep, spoolDir } = await start(take)
  const sha256 = hashOf(whole(5))
  for (const body of [whole(5), pieces(5), new Uint8Array(0)]) expect(await keep(body)).toMatchObject({ ok: true })
  expect(await keep(pieces(5))).toEqual({ ok: true, value: { sha256, bytes: 5000 } })
  expect(asked[1]).toMatchObject({
    method: 'PUT',
    url: `/api/runs/11111111-1111-4111-8111-111111111111/artifacts/${sha256}?ordinal=7&attempt=2&kind=log`,
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'text/plain', 'content-length': '5000' },
      ...{ 'x-bench-agent': 'box', 'x-bench-session': 's-1', 'x-bench-pass': 'pass-2' },
    },
  })
  expect(asked.map(({ headers }) => [headers['content-length'], headers['transfer-encoding']])).toEqual([
    ['5000', undefined],
    ['5000', undefined],
    ['0', undefined],
    ['5000', undefined],
  ])
  expect(readdirSync(spoolDir)).toEqual([])
})

test('[KIT11] what is made meanwhile lies in a file without a name, so that nothing is left of it whatever ends the process', async () => {
  const { keep, spoolDir } = await start(take)
  const seen: string[][] = []
  async function* looking() {
    for await (const piece of pieces(3)) {
      seen.push(readdirSync(spoolDir))
      yield piece
    }
  }
  expect(await keep(looking())).toMatchObject({ ok: true })
  expect(seen).toEqual([[], [], []])
})

test('[KIT11] bytes that the service has already are taken at its word, however little of them it has read', async () => {
  const { asked, keep } = await start((_, response) => void response.writeHead(200).end('{}'))
  for (let n = 0; n < 3; n++) expect(await keep(pieces(300, 50_000))).toMatchObject({ ok: true, value: { bytes: 15_000_000 } })
  expect(asked).toHaveLength(3)
})

test('[KIT12] while the service is away, refuses for the moment, falls silent or breaks off, the same bytes are sent again after growing waits', async () => {
  const cut: Answer = (request) => void request.once('data', () => request.socket.resetAndDestroy())
  const silent: Answer = () => undefined
  const { asked, waits, keep } = await start(answer(503, { 'retry-after': '40' }), cut, answer(500), silent, answer(429), cut, take)
  expect(await keep(pieces(400, 10_000))).toMatchObject({ ok: true, value: { bytes: 4_000_000 } })
  expect(waits).toEqual([40_000, 1000, 2000, 4000, 8000, 16_000])
  expect(asked.map(({ headers }) => headers['x-bench-pass'])).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `pass-${n}`)) // the newest each time
})

test('[KIT12] a trial that is given up sends nothing more', async () => {
  const abort = new AbortController()
  const { asked, keep } = await start(answer(503), (request) => void request.once('data', () => abort.abort()))
  expect(await keep(pieces(9), abort.signal)).toMatchObject({ ok: false, failure: { at: 'store', reason: 'unavailable', retryable: true } })
  expect(asked).toHaveLength(2)
})

test('[KIT13] what the service refuses for good is a failure of the store, once, and quotes nothing that it said', async () => {
  const cases: [number, object][] = [
    [409, { reason: 'unavailable', retryable: false, status: 409 }],
    [404, { reason: 'unavailable', retryable: false, status: 404 }],
    [413, { reason: 'too-large', retryable: false, status: 413 }],
    [501, { reason: 'unavailable', retryable: false, status: 501, detail: 'This service keeps no artifacts.' }],
    [401, { reason: 'unavailable', retryable: false, status: 401 }],
  ]
  for (const [status, failure] of cases) {
    const { asked, keep, spoolDir } = await start(answer(status, {}, `no: ${token}`))
    const kept = await keep(pieces(3))
    expect([status, kept]).toMatchObject([status, { ok: false, failure: { at: 'store', ...failure } }])
    expect(JSON.stringify(kept)).not.toContain(token)
    expect([asked.length, readdirSync(spoolDir)]).toEqual([1, []])
  }
})

test('[KIT13] bytes that arrived as others are sent once more', async () => {
  const healed = await start(answer(422), take)
  expect(await healed.keep(pieces(3))).toMatchObject({ ok: true })
  const broken = await start(answer(422))
  expect(await broken.keep(pieces(3))).toMatchObject({ ok: false, failure: { at: 'store', reason: 'unavailable', status: 422 } })
  expect(broken.asked).toHaveLength(2)
})

test('[KIT13] what a body throws while it is made passes through, and leaves nothing behind', async () => {
  const { asked, keep, spoolDir } = await start(take)
  async function* breaking() {
    yield new Uint8Array(5)
    throw new RangeError('out of ideas')
  }
  await expect(keep(breaking())).rejects.toThrow('out of ideas')
  expect([asked, readdirSync(spoolDir)]).toEqual([[], []])
})

test('[KIT14] of 60 MB only a few are on their way at once, and what makes them waits for the disk', async () => {
  let received = 0
  let sent = 0
  let most = 0
  const slow: Answer = async (request, response) => {
    for await (const piece of request) {
      received += (piece as Buffer).length
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.writeHead(201).end()
  }
  const onSent = (message: unknown): void => {
    sent += (message as { chunk: Uint8Array }).chunk.length
    most = Math.max(most, sent - received)
  }
  subscribe('undici:request:bodyChunkSent', onSent)
  ends.push(() => unsubscribe('undici:request:bodyChunkSent', onSent))
  const { keep } = await start(slow)
  expect(await keep(pieces(960, 62_500))).toMatchObject({ ok: true, value: { bytes: 60_000_000 } })
  expect([received, sent]).toEqual([60_000_000, 60_000_000])
  expect(most).toBeLessThan(20_000_000) // the system's own buffers of a connection
})
