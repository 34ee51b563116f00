import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Server } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
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
const atOnce = 3

/**
 * Two network name spaces with one cable between them: the other host, and the end of the cable at this
 * host. The name space of this machine must not change, because Chromium would abort its requests.
 */
const network = {
  here: `bench-here-${process.pid}`,
  guest: `bench-guest-${process.pid}`,
  cable: 'cable',
  address: '10.213.77.1',
  guestAddress: '10.213.77.2',
}
const ip = (...args: string[]): boolean => spawnSync('ip', args).status === 0
const cabled =
  ip('netns', 'add', network.here) &&
  ip('netns', 'add', network.guest) &&
  ip('-n', network.here, 'link', 'add', network.cable, 'type', 'veth', 'peer', 'name', network.cable, 'netns', network.guest) &&
  ip('-n', network.here, 'addr', 'add', `${network.address}/24`, 'dev', network.cable) &&
  ip('-n', network.here, 'link', 'set', network.cable, 'up') &&
  ip('-n', network.guest, 'addr', 'add', `${network.guestAddress}/24`, 'dev', network.cable) &&
  ip('-n', network.guest, 'link', 'set', network.cable, 'up') &&
  ip('-n', network.guest, 'link', 'set', 'lo', 'up')
const absent = cabled ? await ensureMachineImage() : 'a second host takes root, ip of iproute2 and network name spaces'

/** Listens at the end of the cable: a process of that name space opens the port and hands it over. */
async function listenAtCable(): Promise<Server> {
  const open = `const server = require('node:net').createServer()
    server.listen(0, '${network.address}', () => process.send('open', server, () => process.exit()))`
  const opener = spawn('ip', ['netns', 'exec', network.here, process.execPath, '--eval', open], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [[, server]] = await Promise.all([once(opener, 'message'), once(opener, 'exit')])
  return server as Server
}
/** Passes all bytes on to the service, as a proxy before it does. */
function passOn(server: Server, port: number): void {
  server.on('connection', (from) => {
    const to = connect(port, '127.0.0.1')
    pipeline(from, to, from, () => {})
  })
}

const [dir, guestDir] = [newDataDir(), newDataDir()]
let stack: Stack
let guest: ChildProcess
let cableEnd: Server

beforeAll(async () => {
  if (absent !== null) return
  cableEnd = await listenAtCable()
  const edge = `http://${network.address}:${(cableEnd.address() as AddressInfo).port}`
  stack = await startStack(dir.path, { PUBLIC_URL: edge, BENCH_SANDBOX_CPUS: String(atOnce) })
  passOn(cableEnd, Number(new URL(stack.url).port))
  const { agent_token } = JSON.parse(readFileSync(join(dir.path, 'secrets.json'), 'utf8')) as { agent_token: string }
  const own = {
    BENCH_AGENT_TOKEN: agent_token,
    BENCH_DATA: guestDir.path,
    BENCH_SANDBOX_CPUS: String(atOnce),
    OPENAI_BASE_URL: '',
    CHUTES_API_KEY: '',
  }
  const command = [process.execPath, join(root, 'fleet/cli/bench.mjs'), 'agent', '--edge', edge, '--name', 'guest']
  guest = spawn('ip', ['netns', 'exec', network.guest, ...command], { stdio: 'ignore', env: { PATH: process.env.PATH, ...own } })
})
afterAll(async () => {
  if (guest && guest.exitCode === null) {
    guest.kill('SIGTERM')
    await once(guest, 'exit')
  }
  await stack?.stop()
  cableEnd?.close()
  ip('netns', 'del', network.guest)
  ip('netns', 'del', network.here)
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
  // Each agent is given as many episodes as it has room for. The later ones go to the faster agent.
  expect(made[0]).toBeGreaterThanOrEqual(atOnce)
})

const Rows = z.object({ rows: z.array(z.object({ epoch: z.int() })) })

test('[FLEET111] an agent whose host is cut off in the middle loses nothing: others end its episodes, each once, and it comes back', async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  const run_id = await startEpisodes()
  await untilRun(stack.url, run_id, ({ head }) => Object.keys(head.agents).length === 2 && head.done > 0)
  ip('-n', network.here, 'link', 'set', network.cable, 'down')
  const { status, head } = await untilEnded(stack.url, run_id)
  expect([status, head.done, head.benchmarks.terminal_tasks]).toMatchObject(['succeeded', episodes, { right: episodes, failed: 0 }])
  await untilRecorded(stack.url, run_id)
  const { rows } = Rows.parse(await (await call(stack.url, 'GET', `/api/runs/${run_id}/rows?limit=100`)).json())
  expect(rows.map(({ epoch }) => epoch).sort((a, b) => a - b)).toEqual(Array.from({ length: episodes }, (_, epoch) => epoch))
  ip('-n', network.here, 'link', 'set', network.cable, 'up')
  await joined()
  expect(linesOf('docker', 'ps', '--all', '--quiet', '--filter', `label=chutes-bench.run=${run_id}`)).toEqual([])
})
