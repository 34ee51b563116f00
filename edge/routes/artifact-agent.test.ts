import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createHttpStore } from '#fleet/artifacts/http-store.ts'
import { initialHead } from '#shared/run/apply.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { openApp } from '../testing/call-app.ts'
import { leaseName } from '../testing/memory-deps.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const claim = { agent_id: 'box', session: 'session-1', pass: 'pass-1', ordinal: 3, attempt: 1 }
const bytes = new TextEncoder().encode('what the trial left\n'.repeat(5000))
const sha256 = createHash('sha256').update(bytes).digest('hex')

/** The service's own routes behind a socket, with a run of which an agent holds one trial, and that agent's store. */
async function start() {
  const service = openApp()
  const spec = testSpec()
  service.living.set(spec.run_id, { spec, head: initialHead(spec) })
  service.leases.add(leaseName(claim))
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const headers = new Headers(request.headers as Record<string, string>)
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const answer = await service.app.request(`https://bench.example${url}`, { method, headers, body })
    statuses.push(answer.status)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const spoolDir = mkdtempSync(join(tmpdir(), 'bench-service-'))
  const edgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = { now: () => 0, after: (_ms: number, run: () => void) => clearImmediate.bind(null, setImmediate(run)) }
  const store = createHttpStore({ edgeUrl, token: 'agent-token-1', spoolDir, clock })
  ends.push(() => {
    server.closeAllConnections()
    server.close()
    rmSync(spoolDir, { recursive: true })
  }, store.close)
  const { agent_id, session, pass } = claim
  const run = store.of(spec.run_id, () => ({ agent_id, session, pass }))
  const keep = (attempt = claim.attempt) =>
    run.keep({ ordinal: 3, attempt, kind: 'log', media_type: 'text/plain', body: bytes }, new AbortController().signal)
  return { ...service, statuses, keep, key: `${spec.run_id}/${sha256}` }
}

test('[KIT11] agent and service understand each other: what is kept lies there under its hash, and is not taken twice', async () => {
  const { keep, statuses, bucket, key } = await start()
  expect(await keep()).toEqual({ ok: true, value: { sha256, bytes: bytes.length } })
  expect(await keep()).toMatchObject({ ok: true })
  expect(statuses).toEqual([201, 200])
  expect([...bucket.objects].map(([name, held]) => [name, held.bytes.length])).toEqual([[key, bytes.length]])
})

test('[KIT13] agent and service understand each other: a trial that is another’s, a bucket that is away, and none at all', async () => {
  const { keep, statuses, bucket, deps } = await start()
  expect(await keep(2)).toMatchObject({ ok: false, failure: { at: 'store', reason: 'unavailable', retryable: false, status: 409 } })
  bucket.away = true
  const waits = keep()
  while (statuses.length < 3) await new Promise((resolve) => setImmediate(resolve))
  bucket.away = false
  expect(await waits).toMatchObject({ ok: true })
  expect([statuses[0], statuses[1], statuses.at(-1)]).toEqual([409, 503, 201])
  Object.assign(deps, { artifacts: null })
  expect(await keep()).toMatchObject({ ok: false, failure: { retryable: false, status: 501 } })
})
