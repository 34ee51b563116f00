import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ExecRequest, Sandbox } from '#shared/solvers/sandbox.ts'
import { createBubblewrap } from '../bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '../cgroup/control-groups.ts'
import { contractSpec } from '../sandbox.contract.ts'
import { createSandyCalls } from './sandy-calls.ts'
import { createSandyHttp } from './sandy-http.ts'
import type { SandyServerOptions } from './testing/sandy-server.ts'
import { answer, apiKey, only, startSandy } from './testing/start-sandy.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => bubblewrap.close())
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const never = new AbortController().signal
/** A service with these faults, and an agent that uses it. */
async function start(fault?: SandyServerOptions['fault'], more: Partial<SandyServerOptions> = {}) {
  const started = await startSandy({ provider: bubblewrap, apiKey, fault, ...more })
  ends.push(started.close)
  return started
}

const opened = async (opening: Promise<Outcome<Sandbox & AsyncDisposable>>) => {
  const outcome = await opening
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}
const sh = (script: string, changes: Partial<ExecRequest> = {}): ExecRequest => ({
  ...{ argv: ['sh', '-c', script] as const, timeout_ms: 30_000, output_bytes: 65_536 },
  ...changes,
})
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const gate = () => Promise.withResolvers<void>()

test('[SBX60] a sandbox is asked for at low priority, for preemption and with an end of its own; nothing of the agent goes in', async (context) => {
  context.skip(absent !== false, String(absent))
  process.env.BENCH_CANARY = 'word-of-the-host'
  const { server, sandy } = await start()
  await using box = await opened(sandy.open(contractSpec, never))
  const { stdout } = await box.exec(sh('env; cat /proc/self/environ', { env: { MINE: 'yes' } }))
  expect(text(stdout)).toContain('MINE=yes')
  expect(JSON.parse(server.asked[0]!.body)).toEqual({ priority: 3, preemptable: true, flavor: 'basic', ttl_seconds: 7200 })
  const everything = JSON.stringify(server.asked.map(({ body }) => body)) + text(stdout)
  for (const secret of [apiKey, 'word-of-the-host']) expect(everything).not.toContain(secret)
  expect(server.asked.every(({ authorization }) => authorization === `Bearer ${apiKey}`)).toBe(true)
})

test('[SBX61] a command is repeated where it certainly did not run, each time after a longer wait', async (context) => {
  context.skip(absent !== false, String(absent))
  const notReady = [
    answer(503),
    answer(429),
    answer(500, { detail: 'vsock handshake failed: agent not ready' }),
    answer(200, { stdout: '', stderr: 'vsock handshake: agent is not ready', exitCode: 1 }),
  ]
  for (const fault of notReady) {
    const { sandy, waits, asked } = await start(only('exec', [1, 2, 3], fault))
    await using box = await opened(sandy.open(contractSpec, never))
    expect(text((await box.exec(sh('echo once >> said; cat said'))).stdout)).toBe('once\n')
    expect([asked('exec'), waits]).toEqual([5, [2000, 4000, 8000]])
  }
  const { sandy, asked, server } = await start(only('exec', [1, 2, 3, 4], answer(503)))
  await using box = await opened(sandy.open(contractSpec, never))
  expect((await box.exec(sh('true'))).end).toBe('unavailable')
  expect(asked('exec')).toBe(5)
  await box[Symbol.asyncDispose]()
  expect(server.live()).toEqual([])
})

test('[SBX61] a service that cannot be reached has not run a command: it is asked again, as long as that is worth it', async () => {
  const { server, waits, clock } = await start()
  await server.close()
  const http = createSandyHttp({ base_url: server.url, api_key: apiKey, clock })
  ends.push(http.close)
  const calls = createSandyCalls(http, apiKey, { clock, random: () => 1 })
  expect(await calls.exec('any', 'true', 1000, 1000, never)).toEqual({ type: 'not-run', why: 'ECONNREFUSED' })
  expect(waits).toEqual([2000, 4000, 8000])
})

test('[SBX61] a command that may have run is not repeated: a cut connection, no answer in time, an answer that says nothing', async (context) => {
  context.skip(absent !== false, String(absent))
  const faults = [{ type: 'cut-before' }, { type: 'cut-after' }, answer(500), answer(502), answer(200, 'garbage')] as const
  for (const fault of faults) {
    const { sandy, server, asked } = await start(only('exec', [1], fault))
    await using box = await opened(sandy.open(contractSpec, never))
    expect((await box.exec(sh('true'))).end).toBe('unavailable')
    expect((await box.exec(sh('true'))).end).toBe('unavailable')
    expect(asked('exec')).toBe(2)
    await box[Symbol.asyncDispose]()
    expect(server.live()).toEqual([])
  }
  const answers = gate()
  const { sandy, asked, limits, late } = await start(only('exec', [1], { type: 'late', until: answers.promise }))
  await using box = await opened(sandy.open(contractSpec, never))
  const running = box.exec(sh('true', { timeout_ms: 100_000 }))
  await expect.poll(() => asked('exec')).toBe(2)
  expect(limits()).toEqual([145_000])
  late()
  expect((await running).end).toBe('unavailable')
  answers.resolve()
})

test('[SBX62] making, ending and files are asked for again after any failure that may pass, with a time limit each', async (context) => {
  context.skip(absent !== false, String(absent))
  const made = await start(only('create', [0, 1], answer(503)))
  await (await opened(made.sandy.open(contractSpec, never)))[Symbol.asyncDispose]()
  expect([made.asked('create'), made.waits]).toEqual([3, [1000, 2000]])
  const files = await start((route, before) => (['write', 'read'].includes(route) && before < 4 ? { type: 'cut-after' } : undefined))
  await using box = await opened(files.sandy.open(contractSpec, never))
  expect(await box.write('big', new Uint8Array(200_000).fill(7))).toBe('written')
  expect(await box.read('big', 300_000)).toEqual(new Uint8Array(200_000).fill(7))
  expect([files.asked('write'), files.asked('read')]).toEqual([5, 5])
  const ended = await start(only('terminate', [0], { type: 'cut-before' }))
  await (await opened(ended.sandy.open(contractSpec, never)))[Symbol.asyncDispose]()
  expect([ended.asked('terminate'), ended.server.live(), ended.told]).toEqual([2, [], []])
  const slow = gate()
  const first = await start(only('create', [0], { type: 'late', until: slow.promise }))
  const opening = first.sandy.open(contractSpec, never)
  await expect.poll(() => first.asked('create')).toBe(1)
  expect(first.limits()).toEqual([90_000])
  first.late()
  await (await opened(opening))[Symbol.asyncDispose]()
  slow.resolve()
})

test('[SBX63] a sandbox that is preempted is gone: its command ends as unavailable, and the next attempt has a new one', async (context) => {
  context.skip(absent !== false, String(absent))
  const { sandy, server, asked } = await start()
  await using box = await opened(sandy.open(contractSpec, never))
  const running = box.exec(sh('echo began > began; sleep 99'))
  await expect.poll(async () => (await box.read('began', 9))?.length).toBe(6)
  await server.preempt(server.live()[0]!)
  expect(await running).toMatchObject({ end: 'unavailable', exit_code: null })
  const before = asked('exec')
  expect([(await box.exec(sh('true'))).end, await box.write('x', new Uint8Array()), await box.read('began', 9)]).toEqual([
    ...['unavailable', 'unavailable', null],
  ])
  expect(asked('exec')).toBe(before)
  await using next = await opened(sandy.open(contractSpec, never))
  expect((await next.exec(sh('true'))).end).toBe('exited')
  expect(server.made()).toBe(2)
})

test('[SBX64] a refused key is final and says who must act; no capacity is for another attempt; the key is in no text', async (context) => {
  const key = await start(undefined, { apiKey: 'another-key-of-somebody' })
  expect(await key.sandy.open(contractSpec, never)).toMatchObject({
    ok: false,
    failure: {
      at: 'sandbox',
      reason: 'denied',
      retryable: false,
      status: 401,
      detail: expect.stringMatching(/operator must .* SANDY_API_KEY/),
    },
  })
  expect(key.asked('create')).toBe(1)
  const full = await start(only('create', [0, 1, 2], answer(503, { rejectReason: 'full', detail: `no room for Bearer ${apiKey}` })))
  const refused = await full.sandy.open(contractSpec, never)
  expect(refused).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: true, status: 503 } })
  expect(JSON.stringify(refused)).toContain('no room for')
  expect(JSON.stringify(refused)).not.toContain(apiKey)
  const lasting = await start(only('create', [0], answer(404)))
  expect(await lasting.sandy.open(contractSpec, never)).toMatchObject({ ok: false, failure: { retryable: false, status: 404 } })
  expect(await lasting.sandy.open({ ...contractSpec, image: 'debian' }, never)).toMatchObject({
    ok: false,
    failure: { reason: 'denied', retryable: false },
  })
  context.skip(absent !== false, String(absent))
})

test('[SBX65] a trial that is given up while its sandbox is being made ends the sandbox when it comes', async (context) => {
  context.skip(absent !== false, String(absent))
  const comes = gate()
  const { sandy, server, asked } = await start(only('create', [0], { type: 'late', until: comes.promise }))
  const giveUp = new AbortController()
  const opening = sandy.open(contractSpec, giveUp.signal)
  await expect.poll(() => asked('create')).toBe(1)
  giveUp.abort(new Error('given up'))
  await expect(opening).rejects.toThrow('given up')
  expect(server.made()).toBe(0)
  comes.resolve()
  await sandy.close()
  expect([server.made(), asked('terminate'), server.live()]).toEqual([1, 1, []])
})

test('[SBX65] what is open when an agent closes is ended, also what does not begin and what is on its way', async (context) => {
  context.skip(absent !== false, String(absent))
  const comes = gate()
  const { sandy, server, asked } = await start((route, before) =>
    route === 'create' && before === 2 ? { type: 'late', until: comes.promise } : only('exec', [0], answer(500))(route, before),
  )
  expect(await sandy.open(contractSpec, never)).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: true } })
  expect(server.live()).toEqual([])
  const box = await opened(sandy.open(contractSpec, never))
  const running = box.exec(sh('sleep 99'))
  const third = sandy.open(contractSpec, never)
  await expect.poll(() => asked('create')).toBe(3)
  const closed = sandy.close()
  comes.resolve()
  await closed
  expect((await running).end).toBe('unavailable')
  expect((await third).ok).toBe(false)
  expect([server.made(), server.live()]).toEqual([3, []])
})

test('[SBX65] [SBX72] a sandbox that cannot be ended is told by its id and its trial, and nothing is thrown', async (context) => {
  context.skip(absent !== false, String(absent))
  const { sandy, server, told, asked } = await start(only('terminate', [0, 1], answer(500)))
  const trial = { run_id: '0a1b2c3d-1111-4111-8111-111111111111', ordinal: 17, attempt: 2, benchmark: 'alpha', item_id: '142', epoch: 1 }
  const box = await opened(sandy.open(contractSpec, never, trial))
  const [id] = server.live()
  await box[Symbol.asyncDispose]()
  await box[Symbol.asyncDispose]()
  expect(asked('terminate')).toBe(2)
  expect(told).toEqual([expect.stringContaining(`sandbox ${id} of 0a1b2c3d-t17-a2-alpha-i142-e1: HTTP 500 not now`)])
})

test('[SBX66] bytes of any kind and size go in and out, whichever way the service reads files', { timeout: 60_000 }, async (context) => {
  context.skip(absent !== false, String(absent))
  for (const [reads, length] of [
    ['json', 4_000_000],
    ['base64', 200_000],
    ['raw', 200_000],
  ] as const) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7919) >> 3)
    const { sandy } = await start(undefined, { reads })
    await using box = await opened(sandy.open(contractSpec, never))
    expect(await box.write('all', bytes)).toBe('written')
    expect(Buffer.compare((await box.read('all', 5_000_000))!, bytes)).toBe(0)
    const { stdout, end } = await box.exec({ argv: ['cat'], stdin: bytes, timeout_ms: 30_000, output_bytes: 5_000_000 })
    expect([end, Buffer.compare(stdout, bytes)]).toEqual(['exited', 0])
    expect(text((await box.exec(sh('ls -A /tmp /workspace'))).stdout)).toBe('/tmp:\n\n/workspace:\nall\n')
  }
})

test('[SBX67] a command that killed what watches it was killed for what it took: no lost service, and nothing goes on in its sandbox', async (context) => {
  context.skip(absent !== false, String(absent))
  const { sandy, server } = await start()
  await using box = await opened(sandy.open(contractSpec, never))
  expect((await box.exec(sh('kill -9 $PPID; sleep 99'))).end).toBe('out-of-memory')
  expect((await box.exec(sh('true'))).end).toBe('unavailable')
  await expect.poll(() => server.live()).toEqual([])
})
