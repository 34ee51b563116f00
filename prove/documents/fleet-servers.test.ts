import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { agentVariables } from '#fleet/agent-variables.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const userData = parse(read('docs/fleet/cloud-init.yaml')) as {
  packages: string[]
  write_files: { path: string; permissions: string; content: string }[]
  runcmd: string[][]
}
const servers = read('docs/fleet/servers/main.tf')
const compose = parse(read('fleet.compose.yml')) as { services: Record<string, { profiles: string[] }> }

/** `NAME=value` lines by name. */
const linesOf = (text: string): Map<string, string> =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

test('[FLEETUP6] cloud-init installs Docker with Compose, keeps the settings closed, and starts the profile full', () => {
  expect(read('docs/fleet/cloud-init.yaml').startsWith('#cloud-config\n')).toBe(true)
  expect(userData.packages).toEqual(['docker.io', 'docker-compose-v2', 'git'])
  const [settings] = userData.write_files
  expect(settings).toMatchObject({ path: '/opt/bench.env', permissions: '0600' })
  const set = linesOf(settings!.content)
  expect(compose.services.engine!.profiles[0]!.startsWith(set.get('COMPOSE_PROFILES')!)).toBe(true)
  expect(compose.services.agent!.profiles).toContain(set.get('COMPOSE_PROFILES'))
  const known = new Set<string>(['COMPOSE_PROFILES', ...agentVariables])
  expect([...set.keys()].filter((name) => !known.has(name))).toEqual([])
  const commands = userData.runcmd.map((words) => words.join(' '))
  expect(commands.map((command) => command.split(' ').slice(0, 2).join(' '))).toEqual(['git clone', 'install -m', 'docker compose'])
  expect(commands.at(-1)).toBe('docker compose --project-directory /opt/bench -f /opt/bench/fleet.compose.yml up --build --detach')
})

test('[FLEETUP6] the module takes hosts and settings, starts the same on each, and stops what leaves the list', () => {
  const variables = [...servers.matchAll(/^variable "(\w+)"/gm)].map((match) => match[1])
  expect(variables).toEqual(['hosts', 'private_key_file', 'repository', 'revision', 'settings'])
  expect(servers).toContain('/../cloud-init.yaml")')
  expect(servers).not.toMatch(/required_providers|^provider /m)
  const start = userData.runcmd.at(-1)!.slice(0, 6).join(' ')
  expect(servers).toContain(`"sudo ${start}"`)
  expect(servers).toMatch(/when\s+= destroy\n\s+on_failure = continue\n\s+inline\s+= \["sudo docker compose .* down --volumes"\]/)
  // Everybody's settings are secret, and so is the user data made of them.
  expect(servers).toMatch(/variable "settings" \{[^}]*sensitive\s+= true/)
  expect(servers).toMatch(/output "cloud_init" \{[^}]*sensitive\s+= true/)
  const hetzner = read('docs/fleet/hetzner/main.tf')
  expect(hetzner).toContain('source     = "../servers"')
  expect(hetzner).toContain('user_data   = module.fleet.cloud_init')
})
