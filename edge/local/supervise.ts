import { randomBytes } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { join, resolve } from 'node:path'
import { useProxies } from '#fleet/proxy/use-proxies.ts'
import { removeServiceFile, writeServiceFile } from '#fleet/service-file.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import { askConsent } from './ask-consent.ts'
import { buildIfChanged, placeFleet } from './build.ts'
import { CannotStart, clearDataDir, createDataDir, fleetDir, openSecrets } from './data-dir.ts'
import { diskFault } from './disk-fault.ts'
import { tellOpen } from './listen.ts'
import { takeLock } from './lock.ts'
import { demoProvider, describeMachine, type Machine } from './machine.ts'
import { keepRunning, type Part, type PartSpec, stopAll } from './part.ts'
import { agentSpec, type DatabaseAddress, databaseSpec, demoSpec, edgeSpec, type FakeIdp, fakeIdpSpec, type Plan } from './part-specs.ts'
import { tellProgress } from './progress.mjs'
import { keepProviderLists } from './provider-lists.ts'
import { claimPort, readSettings, type Settings, usage } from './settings.ts'
import { syncModels, waitForAgent } from './worker-calls.ts'

type Add = (spec: PartSpec) => Part

const say = (part: string, line: string) => console.log(`  ${part.padEnd(9)} ${line}`)

/** Brings all parts up in order, keeps them running until a signal comes, and takes them down in the reverse order. */
async function supervise(settings: Settings): Promise<void> {
  const started: Part[] = []
  let stopping = false
  const add: Add = (spec) => {
    if (stopping) throw new CannotStart('stopped')
    const part = keepRunning(spec, { logsDir: join(settings.dataDir, 'logs'), say })
    started.push(part)
    return part
  }
  const stopped = whenToldToStop(() => {
    console.log('not waiting for answers in flight; their trials are asked again at the next start')
    for (const part of started) if (part.name !== 'database') part.kill()
  })
  try {
    if ((await Promise.race([start(settings, add), stopped])) === 'serving') await stopped
    console.log('stopping')
  } finally {
    stopping = true
    removeServiceFile(settings.dataDir)
    await stopAll(started, say)
  }
}

async function start(settings: Settings, add: Add): Promise<'serving'> {
  const { env } = process
  const secrets = openSecrets(settings.dataDir, (line) => say('secrets', line))
  const ports = { postgres: await claimPort(0), endpoint: await claimPort(0) }
  const database = add(databaseSpec(settings, ports, env))
  const [address, { machine, providers }] = await Promise.all([
    database.ready.then((message) => message as DatabaseAddress),
    placeFleet(settings.root, fleetDir(settings.dataDir)).then(() => findProviders(settings, add)),
    build(settings),
  ])
  const url = `http://127.0.0.1:${settings.port}`
  const plan: Plan = {
    settings,
    secrets,
    url,
    database: address,
    machine,
    providers,
    env,
    fakeIdp: await startFakeIdp(settings, add),
    listAgain: keepProviderLists(providers, env).read,
  }
  await add(edgeSpec(plan)).ready
  await add(agentSpec(plan, (signal) => waitForAgent(url, signal))).ready
  if (providers.some((provider) => defOf(provider).catalogue === 'service')) {
    await syncModels(url, env.ADMIN_SECRET || secrets.admin_secret).then((line) => say('chutes', line))
  }
  const secretsPath = join(settings.dataDir, 'secrets.json')
  for (const line of tellOpen({ ...settings, secretsPath, hostname: hostname(), interfaces: networkInterfaces() })) console.log(line)
  writeServiceFile(settings.dataDir, url, process.pid)
  console.log(`ready ${url}`)
  return 'serving'
}

/** Starts the fake identity provider if BENCH_FAKE_IDP is 1. */
async function startFakeIdp(settings: Settings, add: Add): Promise<FakeIdp | null> {
  if (process.env.BENCH_FAKE_IDP !== '1') return null
  const fakeIdp = { url: `http://127.0.0.1:${await claimPort(0)}`, secret: randomBytes(24).toString('hex') }
  await add(fakeIdpSpec(settings, fakeIdp, process.env)).ready
  return fakeIdp
}

async function build(settings: Settings): Promise<void> {
  const startedMs = Date.now()
  const building = buildIfChanged(settings.root, join(settings.dataDir, 'logs', 'build.log'), () =>
    say('build', 'sources changed: building the pages and the Worker'),
  )
  const outcome = await tellProgress('  build     building', building)
  say('build', outcome === 'built' ? `done in ${((Date.now() - startedMs) / 1000).toFixed(1)} s` : 'unchanged')
}

async function findProviders(settings: Settings, add: Add): Promise<{ machine: Machine; providers: KeyedProvider[] }> {
  const machine = await describeMachine(settings.dataDir)
  for (const note of machine.notes) say('models', note)
  for (const { label, models } of machine.providers) say('models', `${label}${models.length > 0 ? ` (${models.length})` : ''}`)
  for (const provider of machine.providers)
    if (provider.models.length === 0 && defOf(provider).catalogue !== 'service')
      say('models', `${provider.label} has listed no models yet; it is asked again when models are listed`)
  if (machine.providers.length > 0) return { machine, providers: machine.providers }
  const demo = await add(demoSpec(settings, await claimPort(0), process.env)).ready
  return { machine, providers: [demoProvider(String(demo.url), demo.models as string[])] }
}

/**
 * Resolves at the first signal. A second Ctrl-C calls `onImpatient`, a third leaves at once; SIGTERM may come several times (from npm, from a
 * group) and means one thing.
 */
function whenToldToStop(onImpatient: () => void): Promise<'stop'> {
  const told = Promise.withResolvers<'stop'>()
  let interrupts = 0
  process.on('SIGINT', () => {
    interrupts += 1
    if (interrupts === 2) onImpatient()
    if (interrupts > 2) process.exit(130)
    told.resolve('stop')
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => told.resolve('stop'))
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

async function consentOf(settings: Settings, sentence: string): Promise<boolean> {
  if (!settings.yes) return askConsent(sentence, { input: process.stdin, output: process.stdout })
  console.log(sentence)
  return true
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    return 0
  }
  let dataDir = ''
  try {
    const settings = readSettings(resolve(import.meta.dirname, '..', '..'), args, process.env)
    const misread = useProxies(process.env)
    if (misread !== null) throw new CannotStart(misread)
    dataDir = settings.dataDir
    await underLock(settings, async () => {
      const port = await claimPort(settings.port, settings.host)
      if (settings.fresh) await clearDataDir(settings.dataDir, (sentence) => consentOf(settings, sentence))
      createDataDir(settings.dataDir)
      await supervise({ ...settings, port })
    })
    return 0
  } catch (error) {
    const told = diskFault(error, dataDir) ?? (error instanceof Error ? error.message : error)
    console.error(process.env.BENCH_DEBUG ? error : told)
    return 1
  }
}

process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)
process.exit(await main(process.argv.slice(2)))
