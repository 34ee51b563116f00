import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { readHosts } from './network-hosts.ts'
import { writeToml } from './parse-toml.ts'
import { readTaskToml, type TaskToml } from './read-task-toml.ts'

function read(text: string): TaskToml {
  const result = readTaskToml(text)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.toml
}
const problems = (text: string) => {
  const result = readTaskToml(text)
  return result.ok ? [] : result.problems.map(({ key, text: what }) => [key, what])
}

test('[HARB1] a task.toml that says nothing is one of version 1.4 with the defaults of Harbor 0.25.0', () => {
  const { config, migrations, unknown } = read('')
  expect(config).toMatchObject({
    schema_version: '1.4',
    agent: { timeout_sec: null, user: null, network_mode: null },
    verifier: { timeout_sec: 600, environment_mode: null, environment: null, collect: [], env: {} },
    environment: {
      network_mode: 'public',
      build_timeout_sec: 600,
      cpus: null,
      memory_mb: null,
      storage_mb: null,
      os: 'linux',
      healthcheck: null,
    },
    solution: { env: {} },
    steps: null,
    artifacts: [],
    multi_step_reward_strategy: null,
  })
  expect([migrations, unknown]).toEqual([[], []])
  const { healthcheck } = read('[environment.healthcheck]\ncommand = "true"').config.environment
  expect(healthcheck).toEqual({ command: 'true', interval_sec: 5, timeout_sec: 30, start_period_sec: 0, start_interval_sec: 5, retries: 3 })
})

test('[HARB1] every key of version 1.4 is read', () => {
  const { config, unknown } = read(`
schema_version = "1.4"
source = "set"
multi_step_reward_strategy = "final"
artifacts = ["/out", { source = "/var/x", destination = "x", exclude = ["*.log"], service = "db" }]
[task]
name = "org/name"
version = "2"
description = "d"
keywords = ["k"]
authors = [{ name = "A", email = "a@example.org" }]
[metadata]
difficulty = "easy"
nested = { any = [1, 2] }
[agent]
timeout_sec = 10
user = "agent"
network_mode = "allowlist"
allowed_hosts = ["Example.org"]
[verifier]
timeout_sec = "20"
user = 1000
env = { A = "\${B:-c}" }
[verifier.environment]
docker_image = "v"
[[verifier.collect]]
command = "dump"
service = "db"
timeout_sec = 5
user = "root"
[environment]
os = "Linux"
cpus = 1.5
memory_mb = 100
storage_mb = 200
gpus = 1
gpu_types = ["T4"]
tpu = { type = "v4", topology = "2x4" }
skills_dir = "/skills"
workdir = "/w"
mcp_servers = [{ name = "m", transport = "http", url = "http://x" }]
[solution]
env = { S = "1" }
[[steps]]
name = "one"
min_reward = 0.5
healthcheck = { command = "h" }
artifacts = ["/s"]
[steps.agent]
timeout_sec = 1
[steps.verifier]
timeout_sec = 2
[[steps]]
name = "two"
min_reward = { a = 1 }
`)
  expect(unknown).toEqual([])
  expect(config.agent).toEqual({ timeout_sec: 10, user: 'agent', network_mode: 'allowlist', allowed_hosts: ['example.org'] })
  expect(config.verifier).toMatchObject({ timeout_sec: 20, user: 1000, environment: { docker_image: 'v', build_timeout_sec: 600 } })
  expect(config.verifier.collect).toEqual([{ command: 'dump', service: 'db', timeout_sec: 5, user: 'root' }])
  expect(config.environment).toMatchObject({ os: 'linux', cpus: 1.5, tpu: { type: 'v4', topology: '2x4' }, skills_dir: '/skills' })
  expect(config.environment.mcp_servers[0]).toMatchObject({ transport: 'streamable-http' })
  expect(config.steps?.map(({ name, min_reward, agent, verifier }) => [name, min_reward, agent.timeout_sec, verifier.timeout_sec])).toEqual(
    [
      ['one', { reward: 0.5 }, 1, 2],
      ['two', { a: 1 }, null, 600],
    ],
  )
  expect(config.artifacts[1]).toEqual({ source: '/var/x', destination: 'x', exclude: ['*.log'], service: 'db' })
  expect(config.metadata).toEqual({ difficulty: 'easy', nested: { any: [1, 2] } })
})

test('[HARB2] what was written in an older way is read in the present one and told', () => {
  const { config, migrations } = read(
    'version = "1.0"\n[environment]\nmemory = "2G"\nstorage = "512M"\nallow_internet = false\n[verifier.environment]\nallow_internet = true\nmemory = 5\n',
  )
  expect(config.schema_version).toBe('1.0')
  expect(config.environment).toMatchObject({ memory_mb: 2048, storage_mb: 512, network_mode: 'no-network' })
  expect(config.verifier.environment).toMatchObject({ memory_mb: null, network_mode: 'public' })
  expect(migrations).toEqual([
    'version: read as schema_version',
    'environment.memory: read as memory_mb = 2048',
    'environment.storage: read as storage_mb = 512',
    'environment.allow_internet: read as network_mode = "no-network"',
    'verifier.environment.memory: ignored, because it is no text such as "2G"; write memory_mb',
    'verifier.environment.allow_internet: read as network_mode = "public"',
  ])
})

test('[HARB2] a size that stands there twice must be the same, and a network mode counts before allow_internet', () => {
  expect(problems('[environment]\nmemory = "2G"\nmemory_mb = 1024')).toEqual([
    ['environment.memory', 'memory = "2G" is 2048 MB and memory_mb says 1024: leave out memory'],
  ])
  expect(read('[environment]\nmemory = "2G"\nmemory_mb = 2048').config.environment.memory_mb).toBe(2048)
  expect(read('[environment]\nallow_internet = false\nnetwork_mode = "public"').config.environment.network_mode).toBe('public')
})

test('[HARB3] keys that nobody knows are kept and listed, but for tables that may hold anything', () => {
  const { unknown, table } = read(
    'new = 1\n[metadata]\nx = 1\n[environment]\nfuture = { a = 1 }\n[verifier.env]\nA = "b"\n[[steps]]\nname = "a"\ncolour = "red"\n',
  )
  expect(unknown).toEqual(['new', 'environment.future', 'steps[0].colour'])
  expect(read(writeToml(table)).table).toEqual(table)
  expect(table).toMatchObject({ new: 1, environment: { future: { a: 1 } }, steps: [{ colour: 'red' }] })
})

test('[HARB4] a wrong value is told by its key, with what to write; all of them at once', () => {
  expect(
    problems(
      'schema_version = 1.0\n[environment]\nnetwork_mode = "off"\ncpus = -1\nenv = { PORT = 80 }\n[agent]\ntimeout_sec = "soon"\nallowed_hosts = ["a"]\n[verifier]\nenvironment_mode = "shared"\nenvironment = {}\n',
    ),
  ).toEqual([
    ['schema_version', 'it is 1: write the version of the format in quotes, such as "1.4"'],
    ['verifier.environment_mode', 'it is "shared": write "separate" where there is a [verifier.environment], or leave that out'],
    ['agent.timeout_sec', 'it is "soon": write a number of seconds, such as 600.0'],
    ['environment.network_mode', 'it is "off": write "public" or "no-network" or "allowlist"'],
    ['environment.cpus', 'it is -1: write a number of processors above 0'],
    ['environment.env.PORT', 'it is 80: write every value in quotes'],
  ])
  expect(problems('[[steps]]\nmin_reward = 1')).toEqual([['steps[0].name', 'it is missing: write the name of its folder below steps/']])
  expect(problems('[agent]\nallowed_hosts = ["a"]')).toEqual([
    ['agent.allowed_hosts', 'it is ["a"]: write allowed_hosts only beside network_mode = "allowlist", or leave it out'],
  ])
  for (const artifact of [
    '{ source = "../x" }',
    '{ source = "x", service = "db" }',
    '{ source = "/x", destination = "/y" }',
    '{ source = "/x", destination = "manifest.json" }',
  ]) {
    expect(problems(`artifacts = [${artifact}]`)[0]?.[0]).toMatch(/^artifacts\[0\]\.(source|destination)$/)
  }
})

test('[HARB4] what is no TOML is told with its place', () => {
  expect(problems('a = 1\nb = = 2\n')).toEqual([[null, expect.stringMatching(/^line 2, column \d+: /)]])
  expect(problems('\uFEFFa = 1')).toEqual([[null, 'it begins with a byte order mark: save it as UTF-8 without one']])
})

test('[HARB4] any text gives a task.toml or problems', () => {
  const words = fc.constantFrom(
    '[environment]',
    '[[steps]]',
    'name',
    '=',
    '"x"',
    '1',
    '{',
    '}',
    '\n',
    'memory',
    '"2G"',
    '[',
    ']',
    '.',
    'artifacts',
    'verifier',
    'nan',
    '1979-05-27',
    '__proto__',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words).map((all) => all.join(' ')),
    fc.array(words).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => typeof readTaskToml(text).ok === 'boolean'),
    draws(3000),
  )
})

test('[HARB4] hosts are names, addresses and ranges, kept in one spelling as Harbor keeps them', () => {
  const spelled = [
    'Example.ORG.',
    '*.a.b',
    '10.0.0.0/8',
    '10.0.0.0/255.0.0.0',
    '2001:DB8:0:0::1',
    '::ffff:1.2.3.4',
    '1:0:0:2:0:0:0:3',
    '::/0',
  ]
  expect(readHosts(spelled)).toEqual({
    ok: true,
    hosts: ['example.org', '*.a.b', '10.0.0.0/8', '10.0.0.0/8', '2001:db8::1', '::ffff:102:304', '1:0:0:2::3', '::/0'],
  })
  for (const wrong of ['http://x', 'a:80', '10.0.0.1/8', '*.1.2.3.4', 'a*', '', 'fe80::1%eth0', '[::1]', '1::2::3', 'a_b']) {
    expect(readHosts(['a', wrong])).toEqual({ ok: false, entry: wrong })
  }
})
