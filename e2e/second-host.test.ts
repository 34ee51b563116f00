import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { echoFile, solvedBy } from '#fleet/machine/testing/fixture-tasks.ts'
import { ensureMachineImage } from '#fleet/machine/testing/machine-image.ts'
import { provedPools, Resources } from '#shared/contract/resources.ts'
import { TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { sized } from '#shared/testing/draws.ts'
import { call, untilEnded, untilRecorded, untilRun } from './call-api.ts'
import { linesOf } from './local-run.ts'
import { newDataDir, root, type Stack, startStack } from './stack.ts'
import { archiveOf } from './task-archives.ts'

const episodes = sized(12, 24)
/** Each machine takes a processor, so that each agent has as many episodes at once. */
const atOnce = '3'

/** A host of its own as far as networks go: a name space with one cable to this one. */
const network = {
  name: `bench-${process.pid}`,
  here: `bh${process.pid}`,
  there: `bt${process.pid}`,
  address: '10.213.77.1',
  guest: '10.213.77.2',
}
const ip = (...args: string[]): boolean => spawnSync('ip', args).status === 0
const cabled =
  ip('netns', 'add', network.name) &&
  ip('link', 'add', network.here, 'type', 'veth', 'peer', 'name', network.there) &&
  ip('link', 'set', network.there, 'netns', network.name) &&
  ip('addr', 'add', `${network.address}/24`, 'dev', network.here) &&
  ip('link', 'set', network.here, 'up') &&
  ip('-n', network.name, 'addr', 'add', `${network.guest}/24`, 'dev', network.there) &&
  ip('-n', network.name, 'link', 'set', network.there, 'up') &&
  ip('-n', network.name, 'link', 'set', 'lo', 'up')
const absent = cabled ? await ensureMachineImage() : 'a second host takes root, ip of iproute2 and network name spaces'

const [dir, guestDir] = [newDataDir(), newDataDir()]
let stack: Stack
let guest: ChildProcess

beforeAll(async () => {
  if (absent !== null) return
  stack = await startStack(dir.path, { HOST: '0.0.0.0', BENCH_SANDBOX_CPUS: atOnce })
  const { agent_token } = JSON.parse(readFileSync(join(dir.path, 'secrets.json'), 'utf8')) as { agent_token: string }
  const edge = `http://${network.address}:${new URL(stack.url).port}`
  const own = {
    BENCH_AGENT_TOKEN: agent_token,
    BENCH_DATA: guestDir.path,
    BENCH_SANDBOX_CPUS: atOnce,
    OPENAI_BASE_URL: '',
    CHUTES_API_KEY: '',
  }
  const command = [process.execPath, join(root, 'fleet/cli/bench.mjs'), 'agent', '--edge', edge, '--name', 'guest']
  guest = spawn('ip', ['netns', 'exec', network.name, ...command], { stdio: 'ignore', env: { PATH: process.env.PATH, ...own } })
})
afterAll(async () => {
  if (guest && guest.exitCode === null) {
    guest.kill('SIGTERM')
    await once(guest, 'exit')
  }
  await stack?.stop()
  ip('link', 'del', network.here)
  ip('netns', 'del', network.name)
  for (const one of [dir, guestDir]) one.remove()
})

/** Uploads a task whose solution takes a moment, and starts all its episodes; gives the run's id. */
async function startEpisodes(): Promise<string> {
  const { name, bytes } = await archiveOf('echo-file', echoFile({}, solvedBy('sleep 2; echo hello > /app/out.txt')))
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const task = UploadedTask.parse(await (await fetch(`${stack.url}/api/tasks`, { method: 'POST', body: form })).json())
  const body = { agent: 'oracle', num_runs: episodes, concurrency: episodes }
  const started = await call(stack.url, 'POST', `/api/tasks/${task.id}/execute-async`, { body })
  return TaskExecuted.parse(await started.json()).run_id
}

/** Counts the machines that are made from now on, by the process of the agent that makes them. */
function watchMachines() {
  const format = '{{index .Actor.Attributes "chutes-bench.run"}} {{index .Actor.Attributes "chutes-bench.process"}}'
  const watch = spawn('docker', ['events', '--filter', 'event=create', '--filter', 'type=container', '--format', format])
  const ended = text(watch.stdout)
  return async (run_id: string): Promise<number[]> => {
    watch.kill('SIGTERM')
    // Other tests may use the same engine.
    const makers = (await ended).split('\n').filter((line) => line.startsWith(`${run_id} `))
    return [...Map.groupBy(makers, (process) => process).values()].map((all) => all.length).sort((a, b) => a - b)
  }
}

const AgentList = z.object({
  agents: z.array(z.object({ agent_id: z.string(), connected: z.boolean(), silent: z.boolean(), resources: Resources })),
})
/** The agent of the other host as the service sees it; undefined before it has joined. */
async function guestThere() {
  const { agents } = AgentList.parse(await (await call(stack.url, 'GET', '/api/agents')).json())
  return agents.find(({ agent_id }) => agent_id === 'guest')
}
const joined = async (): Promise<void> => {
  await vi.waitFor(
    async () => {
      const there = await guestThere()
      expect([
        there?.connected,
        there?.silent,
        there && provedPools(there.resources).some(({ kinds }) => kinds.includes('machine')),
      ]).toEqual([true, false, true])
    },
    { timeout: 120_000, interval: 200 },
  )
}

test('[FLEET110] an agent on another host joins with one command and takes its half of the episodes', async ({ skip }) => {
  skip(absent !== null, String(absent))
  await joined()
  const counted = watchMachines()
  const run_id = await startEpisodes()
  const { head } = await untilEnded(stack.url, run_id)
  expect(head.benchmarks.terminal_tasks).toMatchObject({ total: episodes, right: episodes, failed: 0 })
  const made = await counted(run_id)
  expect(made).toHaveLength(2)
  // Half each, but for what one of them is busy with at the end.
  expect(made[0]).toBeGreaterThanOrEqual(episodes / 3)
})

const Rows = z.object({ rows: z.array(z.object({ epoch: z.int() })) })

test('[FLEET111] an agent whose host is cut off in the middle loses nothing: others end its episodes, each once, and it comes back', async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  const run_id = await startEpisodes()
  await untilRun(stack.url, run_id, ({ head }) => Object.keys(head.agents).length === 2 && head.done > 0)
  ip('link', 'set', network.here, 'down')
  const { status, head } = await untilEnded(stack.url, run_id)
  expect([status, head.done, head.benchmarks.terminal_tasks]).toMatchObject(['succeeded', episodes, { right: episodes, failed: 0 }])
  await untilRecorded(stack.url, run_id)
  const { rows } = Rows.parse(await (await call(stack.url, 'GET', `/api/runs/${run_id}/rows?limit=100`)).json())
  expect(rows.map(({ epoch }) => epoch).sort((a, b) => a - b)).toEqual(Array.from({ length: episodes }, (_, epoch) => epoch))
  ip('link', 'set', network.here, 'up')
  await joined()
  expect(linesOf('docker', 'ps', '--all', '--quiet', '--filter', `label=chutes-bench.run=${run_id}`)).toEqual([])
})
