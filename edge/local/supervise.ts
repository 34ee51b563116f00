import { join, resolve } from 'node:path'
import { buildIfChanged } from './build.ts'
import { CannotStart, clearDataDir, createDataDir, openSecrets } from './data-dir.ts'
import { readIdentities } from './data-identities.ts'
import { takeLock } from './lock.ts'
import { keepRunning, type Part, type PartSpec, stopAll } from './part.ts'
import { agentSpec, type DatabaseAddress, databaseSpec, demoSpec, edgeSpec, type Plan } from './part-specs.ts'
import { demoProvider, type LocalProvider, providersFrom } from './providers.ts'
import { claimPort, readSettings, type Settings, usage } from './settings.ts'
import { syncModels, waitForAgent } from './worker-calls.ts'

type Add = (spec: PartSpec) => Part

const say = (part: string, line: string) => console.log(`  ${part.padEnd(9)} ${line}`)

/** Brings all parts up in order, keeps them running until a signal comes, and takes them down in the reverse order. */
async function supervise(settings: Settings): Promise<void> {
  const started: Part[] = []
  const add: Add = (spec) => {
    const part = keepRunning(spec, { logsDir: join(settings.dataDir, 'logs'), say })
    started.push(part)
    return part
  }
  const stopped = whenToldToStop(() => {
    for (const part of started) part.kill()
  })
  try {
    if ((await Promise.race([start(settings, add), stopped])) === 'serving') await stopped
    console.log('stopping')
  } finally {
    await stopAll(started, say)
  }
}

async function start(settings: Settings, add: Add): Promise<'serving'> {
  const { env } = process
  const secrets = openSecrets(settings.dataDir, (line) => say('secrets', line))
  const moved = Promise.withResolvers<(address: DatabaseAddress) => void>()
  const database = add(databaseSpec(settings, env, (message) => moved.promise.then((tell) => tell(message as DatabaseAddress))))
  const [address, providers, identities] = await Promise.all([
    database.ready.then((message) => message as DatabaseAddress),
    findProviders(settings, add),
    readIdentities(settings.root, settings.dataDir),
    build(settings),
  ])
  const url = `http://127.0.0.1:${settings.port}`
  const plan: Plan = { settings, secrets, url, database: address, identities, providers, env }
  const edge = add(edgeSpec(plan))
  moved.resolve((now) => follow(plan, now, edge))
  await edge.ready
  await add(agentSpec(plan, (signal) => waitForAgent(url, signal))).ready
  if (providers.some((provider) => provider.kind === 'chutes')) {
    syncModels(url, env.ADMIN_SECRET || secrets.admin_secret).then((line) => say('chutes', line))
  }
  console.log(`ready ${url}`)
  return 'serving'
}

/** A database that came back on other ports: the Worker gets the new address, which takes a restart of its host. */
function follow(plan: Plan, now: DatabaseAddress, edge: Part): void {
  if (now.url === plan.database.url && now.endpoint_url === plan.database.endpoint_url) return
  plan.database = now
  edge.restart().catch((error) => say('edge', String(error)))
}

async function build(settings: Settings): Promise<void> {
  const startedMs = Date.now()
  const outcome = await buildIfChanged(settings.root, join(settings.dataDir, 'logs', 'build.log'))
  say('build', outcome === 'built' ? `done in ${((Date.now() - startedMs) / 1000).toFixed(1)} s` : 'unchanged')
}

async function findProviders(settings: Settings, add: Add): Promise<LocalProvider[]> {
  const configured = await providersFrom(process.env, fetch, (line) => say('models', line))
  for (const { label, models } of configured) say('models', `${label}${models.length > 0 ? ` (${models.length})` : ''}`)
  if (configured.length > 0) return configured
  const demo = await add(demoSpec(settings, await claimPort(0), process.env)).ready
  return [demoProvider(String(demo.url), demo.models as string[])]
}

/** Resolves at the first signal; a second one calls `onImpatient` and leaves at once. */
function whenToldToStop(onImpatient: () => void): Promise<'stop'> {
  const told = Promise.withResolvers<'stop'>()
  let count = 0
  const stop = () => {
    count += 1
    if (count === 1) return told.resolve('stop')
    onImpatient()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  // start.mjs holds the other end: when it is killed we stop as well.
  process.once('disconnect', () => told.resolve('stop'))
  process.channel?.unref()
  return told.promise
}

async function underLock(settings: Settings, work: () => Promise<void>): Promise<void> {
  createDataDir(settings.dataDir)
  const lock = takeLock(settings.dataDir)
  if (!lock.held) {
    throw new CannotStart(
      `${settings.dataDir} is in use by process ${lock.pid}; stop that one, or choose another directory with BENCH_DATA.`,
    )
  }
  try {
    await work()
  } finally {
    lock.release()
  }
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    return 0
  }
  try {
    const settings = readSettings(resolve(import.meta.dirname, '..', '..'), args, process.env)
    await underLock(settings, async () => {
      const port = await claimPort(settings.port)
      if (settings.fresh) clearDataDir(settings.dataDir, console.log)
      createDataDir(settings.dataDir)
      await supervise({ ...settings, port })
    })
    return 0
  } catch (error) {
    console.error(error instanceof Error && !process.env.BENCH_DEBUG ? error.message : error)
    return 1
  }
}

process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)
process.exit(await main(process.argv.slice(2)))
