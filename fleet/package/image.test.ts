import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { drainMs } from '#shared/run/patience.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

/** Instructions of the Dockerfile's last stage, the image itself; continued lines are joined. */
function imageInstructions(): { word: string; rest: string }[] {
  const lines = read('fleet', 'Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1) }))
  return lines.slice(lines.findLastIndex(({ word }) => word === 'FROM'))
}

const restOf = (word: string): string[] => imageInstructions().flatMap((one) => (one.word === word ? [one.rest] : []))

test('[AGENT80] the image holds what its build stage made and nothing else, and runs it without a shell and without root', () => {
  expect(restOf('FROM')).toEqual(['scratch'])
  expect(restOf('RUN').concat(restOf('ADD'))).toEqual([])
  for (const copy of restOf('COPY')) expect(copy).toMatch(/^--from=build /)
  expect(restOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)])
  const health = restOf('HEALTHCHECK').map((rest) => rest.slice(rest.indexOf('CMD ') + 4))
  const commands = [...restOf('ENTRYPOINT'), ...restOf('CMD'), ...health].map((json) => JSON.parse(json) as string[])
  expect(commands).toEqual([['/usr/bin/node', '/app/bench.mjs'], ['agent'], ['/usr/bin/node', '/app/bench.mjs', 'agent', '--health']])
})

test('[AGENT80] only the sources that the program is made of reach the build', () => {
  const rules = read('fleet', 'Dockerfile.dockerignore').trim().split('\n')
  expect(rules[0]).toBe('*')
  expect(rules.filter((rule) => rule.startsWith('!'))).toEqual(['!package.json', '!package-lock.json', '!shared', '!fleet'])
})

type Service = {
  profiles?: string[]
  env_file?: unknown
  environment: Record<string, unknown>
  volumes: string[]
  [key: string]: unknown
}
const compose = parse(read('fleet.compose.yml')) as { services: Record<string, Service>; volumes: Record<string, unknown> }
const { agent, engine, scaler } = compose.services as Record<'agent' | 'engine' | 'scaler', Service>

test('[AGENT353] compose passes every variable of .env on to the agent, whose data stays in its volume', () => {
  expect(agent.env_file).toEqual([{ path: '.env', required: false }])
  // What is written in the file goes before .env; a name alone takes the shell's value or that of .env.
  expect([agent.environment.BENCH_DATA, agent.volumes[0]]).toEqual(['/data', 'data:/data'])
  const named = Object.keys(agent.environment).filter((name) => agent.environment[name] === null)
  expect(named).toEqual(expect.arrayContaining(['BENCH_PROVIDERS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']))
})

test('[AGENT81] compose gives an agent no right it does not need, and more time to stop than it takes', () => {
  expect(agent).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  for (const right of ['ports', 'privileged', 'cap_add', 'devices', 'network_mode', 'pid']) expect(agent).not.toHaveProperty(right)
  const graceSeconds = Number(/^(\d+)s$/.exec(String(agent.stop_grace_period))?.[1])
  expect(graceSeconds * 1000).toBeGreaterThanOrEqual(drainMs + 10_000)
  // What starts agents has the engine's socket, starts only when it is asked for, and gives its agents nothing.
  expect(scaler.profiles).toEqual(['scale'])
  for (const right of ['ports', 'privileged', 'cap_add']) expect(scaler).not.toHaveProperty(right)
})

/** A volume as Compose reads it where these variables are set: `${A:-b}` and `${A:+b}`. */
const interpolated = (text: string, set: Record<string, string> = {}): string =>
  text.replaceAll(/\$\{([A-Z_]+):([-+])([^}]*)\}/g, (_, name: string, sign: string, other: string) =>
    sign === '-' ? (set[name] ?? other) : set[name] ? other : '',
  )

test('[FLEETUP2] no container has the host’s socket, a device or all rights, but for the one that scales agents', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    for (const right of ['privileged', 'devices', 'ports', 'network_mode', 'pid', 'ipc']) expect(service, name).not.toHaveProperty(right)
    const sources = service.volumes.map((volume) => interpolated(volume).split(':')[0])
    expect(sources.filter((source) => source?.startsWith('/'))).toEqual(name === 'scaler' ? ['/var/run/docker.sock'] : [])
  }
  expect(engine.cap_drop).toEqual(['ALL'])
  expect(engine.cap_add).not.toEqual(expect.arrayContaining(['ALL']))
  for (const right of ['SYS_MODULE', 'SYS_RAWIO', 'SYS_BOOT', 'SYS_TIME', 'SYSLOG', 'BPF']) expect(engine.cap_add).not.toContain(right)
})

test('[FLEETUP2] the engine has storage, network and limits of its own, and its socket is in a volume that agents share', () => {
  expect(engine.profiles?.map((profile) => interpolated(profile))).toEqual(['full'])
  expect(engine.volumes.map((volume) => interpolated(volume))).toEqual(['socket:/run/engine', 'engine:/var/lib/docker'])
  expect(agent.volumes.map((volume) => interpolated(volume))).toEqual(['data:/data', 'socket:/var/run', 'engine:/var/lib/docker:ro'])
  for (const limit of ['mem_limit', 'cpus', 'pids_limit']) expect(engine).toHaveProperty(limit)
  expect(Object.keys(compose.volumes).sort()).toEqual(['data', 'engine', 'socket'])
  expect(read('fleet', 'engine', 'start-engine.sh')).toMatch(/dockerd --host=unix:\/\/\/run\/engine\/docker\.sock --group=1000 /)
  // Of the agents, only those that run everything wait for it.
  expect([agent.profiles, agent.depends_on]).toEqual([['questions', 'full'], { engine: { condition: 'service_healthy', required: false } }])
})

test('[FLEETUP2] BENCH_HOST_SOCKET alone gives agents the host’s engine, and leaves the own one out', () => {
  const set = { BENCH_HOST_SOCKET: '/var/run/docker.sock' }
  expect(agent.volumes.map((volume) => interpolated(volume, set))).toContain('/var/run/docker.sock:/var/run/docker.sock')
  expect(engine.profiles?.map((profile) => interpolated(profile, set))).toEqual(['full-without-engine'])
  const before = /^.*\n(?= +- \$\{BENCH_HOST_SOCKET:-socket\}:\/var\/run\$)/m.exec(read('fleet.compose.yml'))
  expect(before?.[0]).toContain('root of the host')
})

test('[FLEETUP3] containers of the engine are kept from every private range that DEPLOY.md closes', () => {
  const rangesOf = (text: string): string[] => (/for range in ([^;]+);/.exec(text)?.[1] ?? '').split(' ')
  const closed = rangesOf(read('DEPLOY.md')).filter((range) => range !== '100.100.100.200') // within 100.64.0.0/10
  expect(closed.length).toBeGreaterThan(8)
  expect(rangesOf(read('fleet', 'engine', 'start-engine.sh'))).toEqual(expect.arrayContaining(closed))
})

test('[FLEETUP10] fleet.bubblewrap.yml adds bubblewrap and the rights it takes to the agent, and nothing of the host', () => {
  const { services } = parse(read('fleet.bubblewrap.yml'), { logLevel: 'silent' }) as { services: Record<string, Service> }
  expect(Object.keys(services)).toEqual(['agent'])
  expect(Object.keys(services.agent!).sort()).toEqual(['build', 'cap_add', 'cgroup', 'security_opt'])
  expect(services.agent!.security_opt).toContain('no-new-privileges:true')
  expect(services.agent!.cap_add).toContain('SYS_ADMIN')
  for (const right of ['ALL', 'SYS_MODULE', 'SYS_RAWIO', 'MKNOD', 'SYS_BOOT']) expect(services.agent!.cap_add).not.toContain(right)
  const { dockerfile } = services.agent!.build as { dockerfile: string }
  const image = read(dockerfile)
  expect(image).toMatch(/^COPY fleet\/images\/programs\/packages\.txt /m)
  expect(image).toMatch(/apt-get install .*\bbubblewrap\b/)
  expect(read(`${dockerfile}.dockerignore`)).toBe(read('fleet/Dockerfile.dockerignore'))
})
