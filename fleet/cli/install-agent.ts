import { homedir } from 'node:os'
import {
  environmentText,
  groupsOf,
  readGroups,
  removeService,
  type ServicePlace,
  serviceName,
  servicePlace,
  unitText,
  writeService,
  writtenFiles,
} from './agent-service.ts'
import { CommandError, exitCodes, type Io, UsageError } from './io.ts'

export type InstallOptions = { root: string; isDry: boolean; json: boolean; given: Record<string, string | undefined> }

const placeAt = (root: string): ServicePlace => servicePlace({ isRoot: process.getuid?.() === 0, home: homedir(), root })

/** `systemctl` for the place, with what it is told. */
const systemctl = ({ scope }: ServicePlace, words: string): string => `systemctl ${scope === 'user' ? '--user ' : ''}${words}`

/**
 * `bench agent install`: writes a unit of systemd and its environment, and prints the commands that
 * start it. `isDry`: prints both files, without values.
 */
export function installAgent({ root, isDry, json, given }: InstallOptions, io: Io): number {
  const env = { ...io.env, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
  if (!env.BENCH_EDGE_URL) throw new UsageError('Say which service to join: --edge URL or BENCH_EDGE_URL.')
  if (!env.BENCH_AGENT_TOKEN) throw new UsageError('Give the agent token in BENCH_AGENT_TOKEN; the operator of the service has it.')
  if (/[\n\r]/.test(env.BENCH_AGENT_TOKEN)) throw new UsageError('The agent token has more than one line.')
  const place = placeAt(root)
  const entry = process.argv[1]
  if (!entry) throw new CommandError('This program does not know its own file; start it as bench.')
  const unit = unitText(place, { program: [process.execPath, entry], groups: groupsOf(readGroups(root)), root })
  const environment = environmentText(env)
  const names = environment.split('\n').flatMap((line) => line.split('=')[0] || [])
  if (!isDry) write(place, { unit, environment })
  const next = [systemctl(place, 'daemon-reload'), systemctl(place, `enable --now ${serviceName}`), logCommand(place)]
  if (json) {
    io.out(JSON.stringify({ ...place, dry_run: isDry, variables: names, unit_text: unit, next }))
    return exitCodes.ok
  }
  io.out(`${isDry ? 'Would write' : 'Wrote'} ${place.unit}`)
  if (isDry) io.out(unit.trimEnd())
  io.out(`${isDry ? 'Would write' : 'Wrote'} ${place.environment} (mode 600): ${names.join(', ')}`)
  io.out('Next:')
  for (const command of next) io.out(`  ${command}`)
  if (place.scope === 'user') io.out('  loginctl enable-linger   # it then runs while you are signed out')
  io.out(`Data sets and spools will lie in ${place.data}. bench doctor says which benchmarks this machine can run.`)
  return exitCodes.ok
}

/**
 * `bench agent uninstall`: removes both files and says how to stop what runs and where the data
 * lies.
 */
export function uninstallAgent({ root, isDry, json }: Omit<InstallOptions, 'given'>, io: Io): number {
  const place = placeAt(root)
  const files = writtenFiles(place)
  if (!isDry) removeService(place)
  const next = [systemctl(place, `disable --now ${serviceName}`), systemctl(place, 'daemon-reload')]
  if (json) {
    io.out(JSON.stringify({ ...place, dry_run: isDry, files, next }))
    return exitCodes.ok
  }
  if (files.length === 0) io.out('No agent is installed here.')
  for (const path of files) io.out(`${isDry ? 'Would remove' : 'Removed'} ${path}`)
  if (files.length > 0) {
    io.out('Next:')
    for (const command of next) io.out(`  ${command}`)
    io.out(`Its data stays in ${place.data}.`)
  }
  return exitCodes.ok
}

function write(place: ServicePlace, texts: { unit: string; environment: string }): void {
  try {
    writeService(place, texts)
  } catch (cause) {
    throw new CommandError(`The files of the service cannot be written: ${(cause as Error).message}`, 'failed', null, { cause })
  }
}

const logCommand = ({ scope }: ServicePlace): string => `journalctl ${scope === 'user' ? '--user-unit' : '--unit'} ${serviceName} --follow`
