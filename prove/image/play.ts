import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { openApi, persist, type RunState } from '../chaos/api.ts'
import { judge, type Verdict } from '../chaos/judge.ts'
import { readLedger } from '../chaos/ledger-file.ts'
import { writeQuestions } from '../chaos/questions.ts'
import { type System, startProvider, startSystem } from '../chaos/system.ts'
import { findCompose } from '../fleet/make-compose.ts'
import { type Compose, openCompose, stateOf } from './docker.ts'

export type PlayOptions = { dir: string; image: string; trials: number; width: number; latencyMs: number; say(line: string): void }

const name = 'container'
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/**
 * Starts a service and, by the fleet's compose file, an agent in the image; waits until it has joined and is healthy, stops it with compose while
 * it works on a run, and judges the run by the provider's ledger. The service's own agent finishes what the container hands back.
 */
export async function playStop(options: PlayOptions): Promise<Verdict> {
  const { dir, trials, latencyMs } = options
  mkdirSync(dir, { recursive: true })
  // The container's user reads the questions, under a number of its own.
  chmodSync(dir, 0o755)
  const questions = writeQuestions(dir, trials, 1)
  const provider = await startProvider(dir, questions.replies, latencyMs)
  try {
    const system = await startSystem({ dir, port: 0, provider: provider.url, overrides: questions.overrides })
    try {
      const compose = await composeFor(options, system, provider.url, questions.overrides)
      try {
        const told = await stopDuringRun(options, system, compose)
        return judge({ ...told, expected: questions.expected, ledger: readLedger(provider.ledger), width: options.width, agentKills: [] })
      } finally {
        await compose('down', '--volumes', '--timeout', '1')
      }
    } finally {
      await system.stop()
    }
  } finally {
    await provider.stop()
  }
}

/** The fleet's compose file for this image, in the host's network, where service and provider listen. */
async function composeFor({ dir, image, say }: PlayOptions, system: System, provider: string, overrides: string): Promise<Compose> {
  const override = join(dir, 'override.json') // JSON is YAML
  const environment = { BENCH_AGENT_ID: name, BENCH_DATA_OVERRIDES: overrides }
  const volumes = [`${dir}:${dir}:ro`]
  writeFileSync(override, JSON.stringify({ services: { agent: { image, network_mode: 'host', environment, volumes } } }))
  return openCompose([...(await findCompose(say)), '--profile', 'questions'], `bench-image-${process.pid}`, override, {
    ...process.env,
    BENCH_EDGE_URL: system.url,
    BENCH_AGENT_TOKEN: system.agentToken,
    OPENAI_BASE_URL: provider,
    OPENAI_MODELS: 'sim',
    OPENAI_API_KEY: '',
    CHUTES_API_KEY: '',
    BENCH_PROVIDERS: '[]',
  })
}

const Agents = z.object({ agents: z.array(z.object({ agent_id: z.string(), connected: z.boolean(), running: z.int() })) })

async function stopDuringRun({ trials, width, say }: PlayOptions, system: System, compose: Compose) {
  const api = openApi(system.url)
  const agent = async () => {
    const { agents } = Agents.parse(await (await fetch(`${system.url}/api/agents`)).json())
    return agents.find(({ agent_id }) => agent_id === name)
  }
  const startedMs = performance.now()
  const seconds = () => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`
  await compose('up', '--detach', '--no-build')
  const container = await compose('ps', '-q', 'agent')
  await persist('the agent to join', async () => ((await agent())?.connected ? true : undefined))
  say(`joined after ${seconds()}`)
  await persist('a green health check', async () => ((await stateOf(container)).health === 'healthy' ? true : undefined))
  say(`healthy after ${seconds()}`)

  const id = await api.createRun('image', width)
  const until = async (fits: (run: RunState) => boolean): Promise<RunState> => {
    for (;;) {
      const run = await api.tryRun(id)
      if (run && fits(run)) return run
      await pause(50)
    }
  }
  await until(({ done }) => done > trials / 4)
  const running = await persist('the container to work on the run', async () => (await agent())?.running || undefined)
  const { done } = await until(() => true)
  const stopMs = performance.now()
  await compose('stop')
  const { exitCode, state } = await stateOf(container)
  say(
    `stopped at trial ${done} of ${trials} with ${running} of its trials in flight: ${state} with ${exitCode} after ${((performance.now() - stopMs) / 1000).toFixed(1)} s`,
  )
  if (exitCode !== 0) throw new Error(`the container ended with ${exitCode}:\n${await compose('logs', 'agent')}`)
  const { status } = await until((run) => ['succeeded', 'failed', 'canceled'].includes(run.status))
  say(`run ${status}`)
  return { run: await api.getRun(id), trials: await api.getTrials(id, trials, () => true), events: await api.getEvents(id) }
}
