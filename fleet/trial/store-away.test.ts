import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import type { Item } from '#shared/contract/item.ts'
import type { Lease } from '#shared/contract/trial.ts'
import type { Clock } from '#shared/run/clock.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import { createHttpStore } from '../artifacts/http-store.ts'
import { createBubblewrap } from '../sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '../sandbox/cgroup/control-groups.ts'
import { executeTrial, type OpenedBenchmark } from './execute-trial.ts'
import { noResources, type TrialResources } from './resources.ts'
import type { TrialModel } from './trial-model.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => bubblewrap.close())

const planned = testSpec().benchmarks[0]!
const usage = { input_tokens: 10, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0 }
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const itemOf = (item_id: string): Item => ({
  ...{ item_id, source_id: null, item_hash: 'h', group: null, metadata: {} },
  messages: [{ role: 'user', content: 'Write a program.' }],
  target: 'done',
})

/** A clock whose waits take no time: it says how late it is once the longest of them is over. */
function skippingClock(): Clock {
  let now_ms = 0
  return {
    now: () => now_ms,
    after(ms, run) {
      const due_ms = now_ms + ms
      const soon = setImmediate(() => {
        now_ms = Math.max(now_ms, due_ms)
        run()
      })
      return () => clearImmediate(soon)
    },
  }
}

/** A service that breaks off or refuses for the first minute of this clock, then keeps what it gets; the first answer after that is lost on its way. */
async function startService(clock: Clock) {
  const kept = new Map<string, string[]>()
  const seen = { refused: 0, lost: 0 }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    if (clock.now() < 60_000) {
      seen.refused++
      return seen.refused % 3 === 1 ? void request.socket.destroy() : void response.writeHead(503).end()
    }
    const url = new URL(request.url!, 'http://localhost')
    const sha256 = url.pathname.split('/').at(-1)!
    expect(hashOf(body)).toBe(sha256)
    const place = `${url.searchParams.get('ordinal')}/${url.searchParams.get('attempt')}`
    const before = kept.get(sha256) ?? []
    kept.set(sha256, [...before, place])
    if (seen.lost === 0) {
      seen.lost++
      return void request.socket.destroy()
    }
    response.writeHead(before.length === 0 ? 201 : 200).end('{}')
  }
  const server = createServer((request, response) => void serve(request, response).catch((error) => response.destroy(error)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a listening TCP server has an address record
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url, kept, seen, close }
}

/** Runs what the model wrote, keeps its log, and answers with all that it said. */
const solver: OpenedBenchmark['solver'] = async (item, kit) => {
  const answered = answeredEvidence(await kit.ask('model', { messages: item.messages }))
  if (!answered.ok) return answered
  const sandbox = await kit.sandbox({ image: null, cpus: 0.5, memory_mb: 64, disk_mb: 16, network: false })
  if (!sandbox.ok) return sandbox
  const argv = ['sh', '-c', answered.value.text, 'sh', item.item_id] as const
  const { stdout } = await sandbox.value.exec({ argv, timeout_ms: 60_000, output_bytes: 4_000_000 })
  const log = await sandbox.value.read('log', 1000)
  const kept = await kit.keep({ name: 'run.log', kind: 'log', media_type: 'text/plain', body: log! })
  return kept.ok ? { ok: true, value: { ...answered.value, text: new TextDecoder().decode(stdout) } } : kept
}
const program = `echo "ran $1" >> log; head -c 2600000 /dev/zero | tr '\\0' "$1"; echo; echo done`

test('[KIT12] a store that is away for a minute while programs run costs no trial anything: each is run, scored and kept once', {
  timeout: 60_000,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const clock = skippingClock()
  const service = await startService(clock)
  const spoolDir = mkdtempSync(join(tmpdir(), 'bench-spool-'))
  const store = createHttpStore({ edgeUrl: service.url, token: 't', spoolDir, clock, random: () => 1 })
  const calls: string[] = []
  const model: TrialModel = {
    resetAt: () => null,
    async generate(_request, _signal, onCall) {
      calls.push('model')
      onCall(usage)
      const reply = { text: program, reasoning: null, finish_reason: 'stop' as const, usage, usage_known: true }
      return { ok: true, value: { ...reply, latency_ms: 1, ttft_ms: 1, max_gap_ms: 1, model_reported: 'm', system_fingerprint: null } }
    },
  }
  const benchmark: OpenedBenchmark = {
    ...{ planned, solver, helpers: {}, tables: noTables, item: (index: number) => itemOf(String(index)) },
    task: {
      score: (item, evidence) => {
        const right = evidence.kind === 'completion' && evidence.text.trim().endsWith(`\n${item.target}`)
        return { value: right ? 1 : 0, outcome: right ? 'right' : 'wrong', answer: null, explanation: '', flags: [], detail: {} }
      },
    },
  }
  const resources: TrialResources = {
    ...noResources,
    sandboxes: [{ kind: 'bwrap', lane: 'sandbox', provider: bubblewrap }],
    artifacts: store.of('11111111-1111-4111-8111-111111111111', () => ({ agent_id: 'box', session: 's', pass: 'p' })),
  }
  const leases = [1, 2, 3].map((ordinal): Lease => ({ ordinal, attempt: 2, benchmark: planned.name, item_id: String(ordinal), epoch: 0 }))
  try {
    const done = await Promise.all(
      leases.map((lease) => executeTrial(lease, benchmark, model, null, new AbortController().signal, resources)),
    )
    expect(done.map(({ record }) => [record.ordinal, record.outcome, record.failure, record.calls])).toEqual(
      leases.map(({ ordinal }) => [ordinal, 'right', null, 1]),
    )
    expect([calls.length, service.seen.refused > leases.length, service.seen.lost]).toEqual([3, true, 1])
    const told = done.flatMap(({ record }) => (record.artifacts ?? []).map(({ sha256 }) => [sha256, `${record.ordinal}/2`] as const))
    expect(told).toHaveLength(6) // a log and the answer of each
    expect([...service.kept].map(([sha256, places]) => [sha256, places[0]!]).sort()).toEqual([...told].sort())
    expect([...service.kept.values()].map(({ length }) => length).sort()).toEqual([1, 1, 1, 1, 1, 2]) // the one whose answer was lost
    for (const { ordinal } of leases) expect(service.kept.has(hashOf(Buffer.from(`ran ${ordinal}\n`)))).toBe(true)
    expect(readdirSync(spoolDir)).toEqual([])
  } finally {
    await store.close()
    await service.close()
    rmSync(spoolDir, { recursive: true })
  }
})
