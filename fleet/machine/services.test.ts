import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { someOf } from '#shared/testing/draws.ts'
import { connectEngine } from '../docker/engine.ts'
import { createMachines } from './open-machines.ts'
import { echoFile, type FixtureFiles, type FixtureToml, fixtureToml, solvedBy, verifiedBy } from './testing/fixture-tasks.ts'
import { ensureMachineImage, machineImage } from './testing/machine-image.ts'
import { type FixtureRun, openFixture, runNop, runOracle } from './testing/run-fixture.ts'

const absent = await ensureMachineImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = 120_000
const owner = `services-test-${process.pid}`
const machines = await createMachines({ owner, room: { cpus: 64, memory_mb: 65_536 } })
afterAll(() => machines.close())

const docker = await connectEngine()
/** What the engine has of these owners: containers, networks, volumes. */
async function standing(whose: string): Promise<{ containers: number; networks: number; volumes: number }> {
  const filters = { label: [`chutes-bench.owner=${whose}`] }
  const [containers, networks, volumes] = [
    (await docker.listContainers({ all: true, filters })) as object[],
    (await docker.listNetworks({ filters })) as object[],
    (await docker.listVolumes({ filters })) as { Volumes: object[] | null },
  ] // as Docker answers
  return { containers: containers.length, networks: networks.length, volumes: (volumes.Volumes ?? []).length }
}
const nothing = { containers: 0, networks: 0, volumes: 0 }

const scored = ({ outcome, score }: FixtureRun) => (outcome.ok ? score && [score.value, ...score.flags] : outcome.failure)
const shownOf = ({ outcome }: FixtureRun): string => {
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value.steps[0]?.verifier?.output ?? ''
}

/** A server of a word that is there two seconds after it began, when its data came: the task is to ask it. */
const served = (more = ''): string => `
services:
  site:
    image: ${machineImage}
    command: sh -c "sleep 1; exec python3 -m http.server 8000 --directory /data"
    working_dir: /tmp
    volumes: ["data:/data:ro", "./motd:/etc/motd-of-task:ro"]
    depends_on: { seed: { condition: service_completed_successfully } }
    healthcheck: { test: python3 -c "import urllib.request as u; u.urlopen('http://localhost:8000/word')", interval: 200ms, retries: 50 }
    mem_limit: 128m
    cpus: 0.5
    ${more}
  seed:
    image: ${machineImage}
    command: ["sh", "-c", "echo $$WORD > /data/word"]
    environment: { WORD: "\${SECRET_WORD}" }
    volumes: ["data:/data"]
    mem_limit: 64m
  main:
    depends_on: { site: { condition: service_healthy } }
volumes: { data: }
`
const asking = (url: string) => `python3 -c "import urllib.request as u; open('/app/out.txt', 'wb').write(u.urlopen('${url}').read())"`
const servedTask = (toml: FixtureToml, url: string, more = '', changes: FixtureFiles = {}): FixtureFiles =>
  echoFile(
    { more: '[environment.env]\nSECRET_WORD = "hello"\n', ...toml },
    { 'environment/docker-compose.yaml': served(more), 'environment/motd': 'of the task', ...solvedBy(asking(url)), ...changes },
  )

const online = { environment: 'network_mode = "public"' }
const ways: readonly [string, FixtureToml, string][] = [
  ['with a network', online, 'http://site:8000/word'],
  ['without a network, by name', {}, 'http://site:8000/word'],
  ['without a network, at localhost as at Harbor', {}, 'http://localhost:8000/word'],
]
for (const [name, toml, url] of someOf(ways, 1))
  test(`[MACH60] a task whose solution needs a service beside its machine, ${name}, gets 1, doing nothing 0, and nothing is left`, {
    timeout: patience,
  }, async ({ skip }) => {
    skip(absent !== null, String(absent))
    const task = servedTask(toml, url)
    expect([scored(await runOracle(machines, task)), scored(await runNop(machines, task))]).toEqual([[1], [0]])
    expect(await standing(owner)).toEqual(nothing)
  })

test('[MACH61] services have every limit and nothing of their host; without a network nothing but themselves', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const look = `cat /etc/motd-of-task; echo; ls /sys/class/net; cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null; getent hosts example.com || echo no resolver; grep -c . /proc/net/route`
  const settings: readonly [FixtureToml, string, string][] = [
    [{}, '', 'lo'],
    [{}, 'networks: [back]', 'eth0\nlo'],
    [online, '', 'eth0\nlo'],
  ]
  for (const [toml, mode, nets] of someOf(settings, 1)) {
    const file = `${served(mode)}${mode === '' ? '' : 'networks: { back: }\n'}`
    await using opened = await openFixture(machines, { ...servedTask(toml, ''), 'environment/docker-compose.yaml': file })
    const site = opened.machine.services?.site
    const said = await site?.exec({ argv: ['sh', '-c', look], timeout_ms: 20_000, head_bytes: 2000, tail_bytes: 0 })
    expect(new TextDecoder().decode(said?.head), `${mode} ${JSON.stringify(toml)}`).toMatch(
      new RegExp(`^of the task\n${nets}\n${128 * 2 ** 20}\n${toml === online ? '' : 'no resolver\n'}`),
    )
    for (const { HostConfig, NetworkSettings } of await inspected(owner)) {
      expect(HostConfig).toMatchObject({ Privileged: false, CapAdd: null, Binds: null, IpcMode: 'private' })
      expect([HostConfig.Memory > 0, HostConfig.NanoCpus > 0, HostConfig.PidsLimit > 0]).toEqual([true, true, true])
      if (toml !== online) expect(Object.keys(NetworkSettings.Networks).filter((one) => !/^bench-|^none$/.test(one))).toEqual([])
    }
    // A network without a way out has no address of the host on it either.
    for (const { Internal, Options } of await networksOf(owner))
      expect([Internal, Options['com.docker.network.bridge.inhibit_ipv4']]).toEqual(toml === online ? [false, undefined] : [true, 'true'])
  }
  expect(await standing(owner)).toEqual(nothing)
})

type Inspected = {
  HostConfig: { Memory: number; NanoCpus: number; PidsLimit: number }
  NetworkSettings: { Networks: Record<string, unknown> }
}
async function inspected(whose: string): Promise<Inspected[]> {
  const listed = (await docker.listContainers({ all: true, filters: { label: [`chutes-bench.owner=${whose}`] } })) as { Id: string }[] // as Docker answers
  return Promise.all(listed.map(({ Id }) => docker.getContainer(Id).inspect() as Promise<Inspected>))
}
const networksOf = async (whose: string) =>
  (await docker.listNetworks({ filters: { label: [`chutes-bench.owner=${whose}`] } })) as {
    Internal: boolean
    Options: Record<string, string>
  }[] // as Docker answers

const failing: [string, string, string, RegExp][] = [
  ['ends at once', 'command: sh -c "echo sorry; exit 3"', 'unhealthy', /site does not stand: it ended with exit code 3. sorry/],
  [
    'is never healthy',
    'command: sleep 100\n    healthcheck: { test: "echo ill; false", interval: 100ms, retries: 2 }',
    'unhealthy',
    /its health check never held: ill/,
  ],
  ['never ends though others wait for that', 'command: sleep 100', 'timeout', /site did not stand within 3 s/],
  ['has no such program', 'command: /no/such/program', 'unhealthy', /site does not start: .*no such file or directory/],
]
for (const [what, setting, reason, detail] of someOf(failing, 2))
  test(`[MACH62] a service that ${what} is a failure in words, and nothing is left of the machine`, { timeout: patience }, async ({
    skip,
  }) => {
    skip(absent !== null, String(absent))
    const condition = reason === 'timeout' ? 'service_completed_successfully' : 'service_started'
    const file = `services:\n  site:\n    image: ${machineImage}\n    ${setting}\n  main: { depends_on: { site: { condition: ${condition} } } }\n`
    const toml = { environment: 'build_timeout_sec = 3.0' }
    const { outcome } = await runOracle(machines, echoFile(toml, { 'environment/docker-compose.yaml': file }))
    expect(outcome).toMatchObject({ ok: false, failure: { at: 'sandbox', reason, detail: expect.stringMatching(detail) } })
    expect(await standing(owner)).toEqual(nothing)
  })

test('[MACH63] a machine takes the room of its services too', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  {
    await using opened = await openFixture(machines, servedTask({}, ''))
    expect(opened.machine.services).toHaveProperty('seed')
    expect(machines.load().used).toEqual({ cpus: 1 + 0.5 + 1, memory_mb: 256 + 128 + 64 })
  }
  expect(machines.load().used).toEqual({ cpus: 0, memory_mb: 0 })
  const small = await createMachines({ owner: `${owner}-small`, room: { cpus: 2, memory_mb: 65_536 } })
  const { outcome } = await runOracle(small, servedTask({}, ''))
  await small.close()
  expect(outcome).toMatchObject({ ok: false, failure: { detail: expect.stringContaining('2.5 CPUs') } })
})

test('[EPI40] hooks run in the service that they name, and what it hands over comes to the verifier', { timeout: patience }, async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  const more = `artifacts = [{ source = "/tmp/log", service = "site" }]`
  const hook = '[[verifier.collect]]\ncommand = "cat /data/word > /tmp/log"\nservice = "site"\n'
  const toml = { first: more, verifier: 'environment_mode = "separate"', more: `${hook}[environment.env]\nSECRET_WORD = "hello"\n` }
  const run = await runOracle(
    machines,
    servedTask(
      toml,
      'http://site:8000/word',
      '',
      verifiedBy('cat /tmp/log; cat /tmp/log | grep -q hello && echo 1 > /logs/verifier/reward.txt'),
    ),
  )
  expect([scored(run), shownOf(run)]).toEqual([[1], 'hello\n'])
  expect(await standing(owner)).toEqual(nothing)
})

test('[MACH31] what an agent that was killed left of services, networks and volumes is removed when the next begins', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const whose = `${owner}-killed`
  const child = spawn(process.execPath, [new URL('testing/open-and-wait.ts', import.meta.url).pathname, whose], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(
    JSON.stringify({ ...servedTask(online, ''), 'task.toml': fixtureToml({ ...online, more: '[environment.env]\nSECRET_WORD = "x"\n' }) }),
  )
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  expect(await standing(whose)).toEqual({ containers: 3, networks: 1, volumes: 1 })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = await createMachines({ owner: whose })
  expect(await standing(whose)).toEqual(nothing)
  await next.close()
})
