import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { describeOverrides } from '#fleet/dataset/overrides.ts'
import { namedModel } from '#shared/providers/listed-model.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { buildIfChanged, placeFleet } from '../../edge/local/build.ts'
import { lastLine, launch, stopChild, whenEnded } from '../../edge/local/child.ts'
import { fleetDir, openSecrets } from '../../edge/local/data-dir.ts'
import type { Machine } from '../../edge/local/machine.ts'
import { answerPart, type Message, type PartSpec } from '../../edge/local/part.ts'
import { agentSpec, type DatabaseAddress, databaseSpec, edgeSpec, type Plan } from '../../edge/local/part-specs.ts'
import { claimPort } from '../../edge/local/settings.ts'
import { waitForAgent } from '../../edge/local/worker-calls.ts'

export const root = resolve(import.meta.dirname, '..', '..')

/** A process of ours with what it said when it was ready. */
export type Started = { child: ChildProcess; pid: number; said: Record<string, unknown> }

/** The whole product on a data directory of its own, with nothing shared between two of them. */
export type System = { url: string; databaseUrl: string; database: Started; edge: Started; agent: Started; stop(): Promise<void> }

type Spec = Pick<PartSpec, 'name' | 'file' | 'env' | 'isReady' | 'answer'>

/** Starts one process and waits until it serves; throws with the likely line of its log when it ends before. */
export async function startPart(spec: Spec, logsDir: string): Promise<Started> {
  mkdirSync(logsDir, { recursive: true })
  const child = launch({ name: spec.name, file: spec.file, env: spec.env, logsDir })
  const ready = Promise.withResolvers<Record<string, unknown>>()
  const life = new AbortController()
  whenEnded(child, (how) => {
    life.abort()
    ready.reject(new Error(`${spec.name} ended (${how}): ${lastLine(logsDir, spec.name)}`))
  })
  child.on('message', (message: Message) => void (message.type === 'ask' && answerPart(spec, child, message)))
  if (spec.isReady) spec.isReady(life.signal).then(ready.resolve, () => undefined)
  else child.on('message', (message: Record<string, unknown>) => message.type === 'ready' && ready.resolve(message))
  const said = await ready.promise
  return { child, pid: child.pid!, said } // it said something, so it has an id
}

/** A model that answers every question at once or after `latency` ms, in one piece (`stream`) or a frame every 5 ms (`drip`). */
export const startModel = ({ latency, mode }: { latency: number; mode: 'stream' | 'drip' }, dir: string): Promise<Started> =>
  startPart(
    {
      name: 'model',
      file: join(import.meta.dirname, 'answering-provider.ts'),
      env: { ...process.env, BENCH_LATENCY_MS: String(latency), BENCH_MODE: mode },
    },
    join(dir, 'logs'),
  )

export type SystemOptions = {
  dataDir: string
  itemsPath: string
  modelUrl: string
  slots: number
  agentEnv: Record<string, string>
  /** Agents besides the first. */
  more?: number
  /** Requests a second that the model's key is known to allow. */
  rateLimit?: number | null
}

/** Database, Worker and agents, with `itemsPath` as MMLU-Pro's data and one model behind `modelUrl`. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { dataDir } = options
  mkdirSync(dataDir, { recursive: true })
  const overrides = JSON.stringify({ mmlu_pro: { files: [{ role: 'test', path: options.itemsPath }] } })
  const env = { ...process.env, BENCH_DATA_OVERRIDES: overrides, BENCH_SLOTS: String(options.slots) }
  const settings = { root, dataDir, host: '127.0.0.1', port: await claimPort(0), fresh: false, yes: false }
  const logsDir = join(dataDir, 'logs')
  const secrets = openSecrets(dataDir, () => undefined)
  const started: Started[] = []
  const add = async (spec: Spec): Promise<Started> => {
    const part = await startPart(spec, logsDir)
    started.push(part)
    return part
  }
  const stop = async (): Promise<void> => {
    for (const { child } of started.toReversed()) await stopChild(child, 15_000)
  }
  try {
    const database = await add(databaseSpec(settings, { postgres: await claimPort(0), endpoint: await claimPort(0) }, env))
    const address = database.said as DatabaseAddress
    const machine = await describe(env, options)
    await buildIfChanged(root, join(logsDir, 'build.log'), () => undefined)
    await placeFleet(root, fleetDir(dataDir))
    const url = `http://127.0.0.1:${settings.port}`
    const plan: Plan = { settings, secrets, url, database: address, machine, providers: machine.providers, env, fakeIdp: null }
    const edge = await add(edgeSpec(plan))
    const agent = agentSpec(plan, (signal) => waitForAgent(url, signal))
    const fleet = await add({ ...agent, env: { ...agent.env, ...options.agentEnv } })
    for (let n = 1; n <= (options.more ?? 0); n++) {
      const own = { BENCH_AGENT_ID: `more-${n}`, BENCH_DATA: join(dataDir, `agent-${n}`) }
      const { isReady: _, ...another } = agent
      started.push(launchQuietly({ ...another, name: `agent-${n}`, env: { ...agent.env, ...own } }, logsDir))
    }
    await sandboxesTried(url)
    return { url, databaseUrl: address.url, database, edge, agent: fleet, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Waits until the agents have tried the sandboxes of this machine, which takes both cores for some seconds, or for a minute. */
async function sandboxesTried(url: string): Promise<void> {
  const Agents = z.object({ agents: z.array(z.object({ resources: z.object({ proofs: z.array(z.unknown()) }).nullable() })) })
  for (let tries = 0; tries < 120; tries++) {
    const { agents } = Agents.parse(await (await fetch(`${url}/api/agents`)).json())
    if (agents.every(({ resources }) => (resources?.proofs.length ?? 0) > 0)) return
    await pause(500)
  }
}

/** A process that need not say when it is ready. */
function launchQuietly({ name, file, env }: Spec, logsDir: string): Started {
  const child = launch({ name, file, env, logsDir })
  return { child, pid: child.pid!, said: {} } // spawned from a file that exists
}

async function describe(
  env: NodeJS.ProcessEnv,
  { dataDir, modelUrl, rateLimit = null }: SystemOptions,
): Promise<Machine & { providers: KeyedProvider[] }> {
  const described = await describeOverrides(
    datasetEnv(env, { cacheDir: join(dataDir, 'cache'), benchmarksDir: join(root, 'shared', 'benchmarks') }),
  )
  if (!described.ok) throw new Error(described.failure.detail)
  const api_key = `sim-${randomBytes(8).toString('hex')}`
  const provider: KeyedProvider = {
    ...{ id: 'openai', label: 'Simulator', kind: 'openai', base_url: modelUrl, models: [namedModel('sim')] },
    ...{ api_key, rate_limit: rateLimit },
  }
  return { samples: {}, overrides: described.value, providers: [provider], notes: [] } as unknown as Machine // an identity is plain JSON
}
