import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, test as everyTest, expect, vi } from 'vitest'
import { echoFile } from '#fleet/machine/testing/fixture-tasks.ts'
import { ensureMachineImage, machineImage } from '#fleet/machine/testing/machine-image.ts'
import { missingForEngine, startOwnEngine } from '#fleet/sandbox/docker/testing/own-engine.ts'
import { drawnTests, sized } from '#shared/testing/draws.ts'
import { type BenchRun, containersOf, lastSaid, onlyRun, resultsOf, sleeping, startBench, tracesOf } from './local-run.ts'
import { type ModelServer, startModelServer } from './scripted/model-server.ts'
import { newDataDir, root } from './stack.ts'

const episodes = sized(6, 32)
const absent = await ensureMachineImage()
const dir = newDataDir()
const tasks = join(dir.path, 'tasks')
let models: ModelServer

beforeAll(async () => {
  models = await startModelServer()
  for (const [path, text] of Object.entries(echoFile())) {
    const file = join(tasks, 'echo-file', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text ?? '', { mode: path.endsWith('.sh') ? 0o755 : 0o644 })
  }
})
afterAll(async () => {
  await models?.close()
  dir.remove()
})

/** Episodes of the task, all at once, by a model that works at the terminal as the server of models tells it to. */
const bench = (args: readonly string[], more: Record<string, string> = {}): BenchRun =>
  startBench(root, args, {
    ...{ OPENAI_BASE_URL: models.url, OPENAI_MODELS: 'scripted-worker', BENCH_DATA: join(dir.path, 'data'), TMPDIR: dir.path },
    ...{ BENCH_SANDBOX_CPUS: String(episodes), ...more },
  })
const asked = (count: number, out: string): string[] => [
  ...['run', '--local', '-m', 'scripted-worker', '--tasks', tasks, '--profile', 'builtin', '-k', String(count)],
  ...['--concurrency', String(count), '--json', '--out', out],
]

const test = drawnTests(everyTest, 1, 2)

test(`[EPI20] an agent killed with ${episodes} episodes under way: the next removes their machines and ends every episode once, and none is scored for it`, async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  const out = join(dir.path, 'killed')
  models.sleep = `7779.${process.pid}` // longer than anybody waits, and no other process of this machine does
  const agent = bench(asked(episodes, out))
  const early = agent.ended.then(({ err }) => Promise.reject(new Error(`it ended before it was killed: ${err}`)))
  const all = vi.waitFor(() => expect(sleeping(models.sleep)).toHaveLength(episodes), { timeout: 240_000, interval: 200 })
  await Promise.race([all, early])
  early.catch(() => undefined)
  const open = containersOf(agent.pid)
  expect(open).toHaveLength(episodes)

  process.kill(agent.pid, 'SIGKILL')
  await agent.ended
  const slept = models.sleep
  models.sleep = '0'
  const folder = onlyRun(out)
  const next = bench(['resume', folder, '--tasks', tasks, '--json'])
  const { code, out: said, err } = await next.ended

  expect([code, err]).toEqual([0, expect.any(String)])
  const tally = { total: episodes, right: episodes, wrong: 0, failed: 0 }
  expect(lastSaid(said)).toMatchObject({ head: { status: 'succeeded', benchmarks: { terminal_tasks: tally } } })
  const { records, told } = resultsOf(folder)
  const planned = Array.from({ length: episodes }, (_, ordinal) => ordinal)
  expect(records.map(({ ordinal }) => ordinal).sort((a, b) => a - b)).toEqual(planned)
  expect(records.every(({ outcome, failure, score }) => outcome === 'right' && failure === null && score === 1)).toBe(true)
  expect(told).toEqual(planned)
  expect([containersOf(agent.pid), containersOf(next.pid), sleeping(slept)]).toEqual([[], [], []])
  expect(tracesOf(open.map((line) => line.split(' ').at(-1)!))).toEqual([])
})

test('[EPI20] an engine that is started anew under episodes is a failure of the sandbox: they are tried again, and none is scored for it', async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  const why = await missingForEngine()
  skip(why !== null, String(why))
  await using engine = await startOwnEngine()
  await engine.load(machineImage)
  models.sleep = `7780.${process.pid}`
  models.wait = 10 // an episode notices a dead engine at the end of its wait
  const agent = bench(asked(3, join(dir.path, 'engine')), { DOCKER_HOST: `unix://${engine.socketPath}` })
  await vi.waitFor(() => expect(sleeping(models.sleep)).toHaveLength(3), { timeout: 120_000, interval: 100 })
  models.sleep = '0'
  await engine.stop()
  await engine.start()
  const { code, out: said, err } = await agent.ended
  expect([code, err]).toEqual([0, expect.any(String)])
  const { dir: folder, head } = lastSaid(said) as { dir: string; head: unknown }
  const tally = { total: 3, right: 3, wrong: 0, failed: 0 }
  expect(head).toMatchObject({ status: 'succeeded', benchmarks: { terminal_tasks: tally } })
  expect(resultsOf(folder).records.map(({ attempt }) => attempt > 1)).toEqual([true, true, true])
  expect(await engine.docker('ps', '--all', '--quiet')).toBe('')
})
