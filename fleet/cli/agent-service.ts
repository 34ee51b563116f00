import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { agentVariables } from '#fleet/agent-variables.ts'
import { drainMs } from '#shared/run/patience.ts'

/** Name of the unit and of its folders. */
export const serviceName = 'bench-agent'

/**
 * Files of an agent that systemd runs, and whether it is the system's systemd or that of one user.
 */
export type ServicePlace = { unit: string; environment: string; scope: 'system' | 'user'; data: string }

/**
 * Finds where the files go: below `/etc` for root, below the user's configuration otherwise. `root`
 * stands before `/etc`.
 */
export function servicePlace({ isRoot, home, root }: { isRoot: boolean; home: string; root: string }): ServicePlace {
  if (isRoot)
    return {
      unit: join(root, 'etc/systemd/system', `${serviceName}.service`),
      environment: join(root, 'etc', serviceName, 'agent.env'),
      scope: 'system',
      data: `/var/lib/${serviceName}`,
    }
  const config = join(root, home, '.config')
  return {
    unit: join(config, 'systemd/user', `${serviceName}.service`),
    environment: join(config, serviceName, 'agent.env'),
    scope: 'user',
    data: join(home, '.local/state', serviceName),
  }
}

/** Drains take `drainMs`; systemd kills the agent ten seconds after that. */
const stopSeconds = Math.ceil(drainMs / 1000) + 10

/**
 * Writes the unit. The system's runs as a user that systemd makes (`DynamicUser`), with control
 * groups of its own (`Delegate`), in which bubblewrap limits programs, and with Docker's group
 * where the machine has one.
 */
export function unitText(
  { scope, environment }: ServicePlace,
  { program, groups, root }: { program: readonly string[]; groups: readonly string[]; root: string },
): string {
  const inside = (path: string): string => (root === '/' ? path : path.slice(root.replace(/\/$/, '').length))
  const asUser = ['DynamicUser=yes', `User=${serviceName}`, ...(groups.length > 0 ? [`SupplementaryGroups=${groups.join(' ')}`] : [])]
  return `${[
    '# Made by bench agent install; bench agent uninstall removes it.',
    '[Unit]',
    'Description=Agent of Chutes Bench Runner',
    'Wants=network-online.target',
    'After=network-online.target docker.service',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${[...program, 'agent'].map(quoteWord).join(' ')}`,
    `Environment=BENCH_DATA=%S/${serviceName}`,
    `EnvironmentFile=${inside(environment)}`,
    ...(scope === 'system' ? asUser : []),
    `StateDirectory=${serviceName}`,
    'StateDirectoryMode=0700',
    `WorkingDirectory=%S/${serviceName}`,
    'Delegate=yes',
    '# The agent takes SIGTERM itself: it finishes calls in flight and hands the rest back.',
    'KillMode=mixed',
    `TimeoutStopSec=${stopSeconds}`,
    'Restart=always',
    'RestartSec=10',
    '',
    '[Install]',
    `WantedBy=${scope === 'system' ? 'multi-user.target' : 'default.target'}`,
  ].join('\n')}\n`
}

/** A word of `ExecStart`: systemd expands `%` and `$`, and splits at blanks. */
const quoteWord = (word: string): string => {
  const text = word.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w@%+=:,./$-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

/**
 * Lines of an `EnvironmentFile`: the variables that an agent reads, and those that
 * `BENCH_PROVIDERS` names for keys. The unit itself sets `BENCH_DATA`.
 */
export function environmentText(env: Record<string, string | undefined>): string {
  const named = [...(env.BENCH_PROVIDERS ?? '').matchAll(/"(?:api_key_env|env)"\s*:\s*"([A-Z_][A-Z0-9_]*)"/g)].map((match) => match[1]!)
  const lines = [...new Set([...agentVariables, ...named])].flatMap((name) => {
    const value = name === 'BENCH_DATA' ? undefined : env[name]
    return value ? [`${name}="${value.replaceAll(/["\\`$]/g, '\\$&')}"`] : []
  })
  return `${lines.join('\n')}\n`
}

/**
 * Groups of this machine that an agent should be in: Docker's, where there is one. `groupFile`: the
 * text of `/etc/group`.
 */
export const groupsOf = (groupFile: string): string[] => (/^docker:/m.test(groupFile) ? ['docker'] : [])

/** Writes both files. Only its owner reads the environment, which holds keys. */
export function writeService(place: ServicePlace, texts: { unit: string; environment: string }): void {
  mkdirSync(dirname(place.environment), { recursive: true, mode: 0o700 })
  writeFileSync(place.environment, texts.environment, { mode: 0o600 })
  chmodSync(place.environment, 0o600) // the mode above is for a new file
  mkdirSync(dirname(place.unit), { recursive: true })
  writeFileSync(place.unit, texts.unit, { mode: 0o644 })
}

/** Files that are there and belong to the service. */
export const writtenFiles = ({ unit, environment }: ServicePlace): string[] => [unit, environment].filter((path) => existsSync(path))

export function removeService(place: ServicePlace): void {
  for (const path of writtenFiles(place)) rmSync(path)
}

export const readGroups = (root: string): string => {
  try {
    return readFileSync(join(root, 'etc/group'), 'utf8')
  } catch {
    return ''
  }
}
