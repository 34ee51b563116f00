import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, test as everyTest, expect, vi } from 'vitest'
import { ensureTestImage, testImage } from '#fleet/sandbox/docker/testing/base-image.ts'
import { missingForEngine, startOwnEngine } from '#fleet/sandbox/docker/testing/own-engine.ts'
import { sandboxHosts } from '#fleet/sandbox/sandbox-hosts.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { drawnTests, sized, someOf } from '#shared/testing/draws.ts'
import { type BenchRun, containersOf, lastSaid, linesOf, onlyRun, resultsOf, sleeping, startBench, tracesOf } from './local-run.ts'
import { checkoutWithScripted, crowdKinds, crowdName } from './scripted/checkout.ts'
import { type ModelServer, startModelServer } from './scripted/model-server.ts'
import { newDataDir } from './stack.ts'

const crowd = sized(10, 50)
const noImage = await ensureTestImage()
process.env.BENCH_SANDBOX_IMAGE = testImage // where Docker's probe looks for it
const unproved = new Map<string, string | null>()
for (const host of sandboxHosts(process.env)) {
  const absence = host.absence()?.why ?? (host.kind === 'docker' ? noImage : null)
  unproved.set(host.kind, absence ?? (await host.probe.probe().then(() => null, String)))
}
const dir = newDataDir()
const tmp = join(dir.path, 'tmp')
const checkout = checkoutWithScripted()
let models: ModelServer

afterAll(async () => {
  await models?.close()
  dir.remove()
  checkout.remove()
})
beforeAll(async () => {
  mkdirSync(tmp)
  models = await startModelServer()
})

/** The command line in the checkout: an agent of its own for one local run. */
const bench = (args: readonly string[], more: Record<string, string> = {}): BenchRun =>
  startBench(checkout.path, args, {
    ...{ OPENAI_BASE_URL: models.url, OPENAI_MODELS: 'scripted-sleeper', BENCH_DATA: join(dir.path, 'data'), TMPDIR: tmp },
    ...{ BENCH_SANDBOX_IMAGE: testImage, ...more },
  })
/** Programs of sandboxes that wait as long as the model said. */
const waiting = (): string[] => sleeping(models.sleep)
/** Control groups of sandboxes of this agent. */
const groupsOf = (pid: number): string[] => linesOf('find', '/sys/fs/cgroup', '-name', `chutes-bench-${pid}-*`)

const kinds = someOf(crowdKinds, 1)
const test = drawnTests(everyTest, 1, kinds.length + 1)
for (const kind of kinds)
  test(`[SBX73] ${kind}: an agent killed with ${crowd} sandboxes open leaves nothing of them; the next ends every trial once, and none is scored for it`, async (context) => {
    const why = unproved.get(kind) ?? null
    context.skip(why !== null, `no sandbox of ${kind} on this machine: ${why}`)
    const benchmark = crowdName(kind)
    const out = join(dir.path, kind)
    const asked = ['-m', 'scripted-sleeper', '-b', benchmark, '--limit', String(crowd), '--concurrency', String(crowd), '--data', 'sample']
    models.sleep = `7777.${process.pid}` // longer than anybody waits, and no other process of this machine does
    const agent = bench(['run', '--local', ...asked, '--out', out])
    const early = agent.ended.then(({ err }) => Promise.reject(new Error(`it ended before it was killed: ${err}`)))
    const all = vi.waitFor(() => expect(waiting()).toHaveLength(2 * crowd), { timeout: 150_000, interval: 100 })
    await Promise.race([all, early])
    const open = kind === 'docker' ? containersOf(agent.pid) : groupsOf(agent.pid)
    const trials = new Set(open.map((line) => /-(t\d+)-a1-/.exec(line)?.[1]).filter(Boolean))
    expect(trials.size).toBe(crowd)
    early.catch(() => undefined)

    process.kill(agent.pid, 'SIGKILL')
    await vi.waitFor(() => expect(waiting()).toEqual([]), { timeout: 30_000, interval: 100 })
    models.sleep = '0'
    const folder = onlyRun(out)
    const next = bench(['resume', folder, '--json'])
    const { code, out: said, err } = await next.ended

    expect([code, err]).toEqual([0, expect.any(String)])
    const { head } = lastSaid(said) as { head: unknown }
    expect(head).toMatchObject({ status: 'succeeded', benchmarks: { [benchmark]: { total: crowd, right: crowd, wrong: 0, failed: 0 } } })
    const { records, told } = resultsOf(folder)
    const planned = Array.from({ length: crowd }, (_, ordinal) => ordinal)
    expect(records.map(({ ordinal }) => ordinal).sort((a, b) => a - b)).toEqual(planned)
    expect(records.every(({ outcome, failure }) => outcome === 'right' && failure === null)).toBe(true)
    expect(told).toEqual(planned)
    for (const { pid } of [agent, next]) expect([groupsOf(pid), containersOf(pid)]).toEqual([[], []])
    expect(tracesOf(kind === 'docker' ? open.map((line) => line.split(' ').at(-1)!) : [])).toEqual([])
    expect(readdirSync(tmp)).toEqual([])
  })

test('[SBX75] docker: an engine that goes away in the middle is a failure of the sandbox; its trials are tried again, and nothing is left of the first', async (context) => {
  const why = unproved.get('docker') ?? (await missingForEngine())
  context.skip(why !== null, String(why))
  await using engine = await startOwnEngine()
  await engine.load(testImage)
  const benchmark = crowdName('docker')
  const out = join(dir.path, 'engine')
  models.sleep = `7778.${process.pid}`
  const asked = [
    'run',
    '--local',
    '-m',
    'scripted-sleeper',
    '-b',
    benchmark,
    '--limit',
    '3',
    '--concurrency',
    '3',
    '--data',
    'sample',
    '--json',
  ]
  const agent = bench([...asked, '--out', out], { DOCKER_HOST: `unix://${engine.socketPath}` })
  await vi.waitFor(() => expect(waiting()).toHaveLength(6), { timeout: 60_000, interval: 100 })
  models.sleep = '0'
  await engine.stop()
  await engine.start()
  const { code, out: said, err } = await agent.ended
  const { dir: folder, head } = lastSaid(said) as { dir: string; head: RunHead }
  const told = { failures: head.failures, status: head.status, benchmarks: head.benchmarks }
  expect({ code, err, ...told }).toMatchObject({
    ...{ code: 0, failures: {}, status: 'succeeded' },
    benchmarks: { [benchmark]: { total: 3, right: 3, wrong: 0, failed: 0 } },
  })
  expect(resultsOf(folder).records.map(({ attempt }) => attempt > 1)).toEqual([true, true, true])
  expect(await engine.docker('ps', '--all', '--quiet')).toBe('')
})
