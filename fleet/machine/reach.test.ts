import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMachines } from './open-machines.ts'
import { echoFile, type FixtureFiles, solvedBy, verifiedBy } from './testing/fixture-tasks.ts'
import { connectScript, type HostCanary, openHostCanary } from './testing/host-canary.ts'
import { ensureMachineImage, machineImage } from './testing/machine-image.ts'
import { runOracle } from './testing/run-fixture.ts'

const absent = await ensureMachineImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = 120_000
const machines = await createMachines({ owner: `reach-test-${process.pid}`, room: { cpus: 64, memory_mb: 65_536 } })
let canary: HostCanary
beforeAll(async () => {
  canary = await openHostCanary()
})
afterAll(async () => {
  canary.close()
  await machines.close()
})

/** Compose files that would have an engine or a service reach `host`, by one way each, and what the refusal names. */
const hostileServices = (host: string): Readonly<Record<string, [string, FixtureFiles?]>> => ({
  'an image of its registry': [`image: ${host}/x/y:1`],
  'an image by a digest': [`image: ${host}/x/y@sha256:${'0'.repeat(64)}`],
  'a context at an address': [`build: http://${host}/x.git`],
  'a context of a repository': [`build: { context: "git://${host}/x" }`],
  'a file of a build that adds an address': [
    'build: { context: . }',
    { 'environment/Dockerfile': `FROM ${machineImage}\nADD http://${host}/x /x\n` },
  ],
  'a recipe in the file': [`build: { context: ., dockerfile_inline: "FROM ${machineImage}\\nADD http://${host}/x /x" }`],
  'a further context': [`build: { context: ., additional_contexts: { a: "http://${host}/x" } }`],
  'a cache of a build': [`build: { context: ., cache_from: ["${host}/x/y"] }`],
  'a build in the network of the host': ['build: { context: ., network: host }'],
  'the network of the host': [`image: ${machineImage}\n    network_mode: host`],
  'a name for the host': [`image: ${machineImage}\n    extra_hosts: ["host:host-gateway"]`],
  'a service of a file elsewhere': [`extends: { file: "http://${host}/compose.yaml", service: x }`],
  'a network of the host by its name': [
    `image: ${machineImage}\n    networks: [outer]\nnetworks: { outer: { external: true, name: host } }`,
  ],
  'a network of another kind': [`image: ${machineImage}\n    networks: [outer]\nnetworks: { outer: { driver: macvlan } }`],
  'a disk of the network': [
    `image: ${machineImage}\n    volumes: ["far:/far"]\nvolumes: { far: { driver_opts: { type: nfs, o: "addr=${host}", device: ":/" } } }`,
  ],
  'variables at an address': [`image: ${machineImage}\n    env_file: http://${host}/x`],
  'names that its host tells': [`image: ${machineImage}\n    dns: ["${host.split(':')[0]}"]`],
  'a file beside it': [`image: ${machineImage}\ninclude: ["http://${host}/compose.yaml"]`],
})

const withService = (service: string, more: FixtureFiles = {}): FixtureFiles =>
  echoFile({}, { 'environment/docker-compose.yaml': `services:\n  site:\n    ${service}\n`, ...more })

test('[MACH391] no compose file has an engine reach a server of its host', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const loopback = canary.hosts[0]!
  for (const host of new Set([loopback, canary.hosts.filter((one) => !one.startsWith('[')).at(-1)!]))
    for (const [way, [service, more]] of Object.entries(hostileServices(host))) {
      const refused = await runOracle(machines, withService(service, more)).then(
        ({ outcome }) => (outcome.ok ? 'it ran' : outcome.failure.reason),
        (error: Error) => error.message, // what an upload is told
      )
      expect(refused, way).toMatch(/^task-refused$|^docker-compose\.yaml: /)
    }
  expect(canary.asked).toEqual([])
})

test('[MACH391] nothing that runs in a machine without a network, or in a service beside it, reaches a server of its host', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const { port } = new URL(`http://${canary.hosts[0]!}`)
  const named = ['localhost', 'host.docker.internal', 'gateway.docker.internal', '172.17.0.1', '0.0.0.0', '127.1'].map(
    (name) => `${name}:${port}`,
  )
  const ask = connectScript([...canary.hosts, ...named])
  const logged = { 'environment/ask.sh': `${ask}\n` }
  const service = `services:
  site:
    image: ${machineImage}
    command: sh -c "sh /ask.sh; exec sleep 60"
    volumes: ["./ask.sh:/ask.sh:ro"]
    logging: { driver: gelf, options: { gelf-address: "tcp://${canary.hosts[0]}" } }
    healthcheck: { test: sh /ask.sh, interval: 200ms, retries: 9 }
  main: { depends_on: { site: { condition: service_healthy } } }
`
  const files = echoFile(
    {},
    {
      ...logged,
      'environment/docker-compose.yaml': service,
      ...solvedBy(ask),
      ...verifiedBy(`${ask}\necho 1 > /logs/verifier/reward.txt`),
    },
  )
  const { outcome, score } = await runOracle(machines, files)
  expect([outcome.ok || outcome.failure, score?.value]).toEqual([true, 1])
  expect(canary.asked).toEqual([])
  const apart = echoFile(
    { verifier: 'environment_mode = "separate"' },
    { ...solvedBy(ask), ...verifiedBy(`${ask}\necho 1 > /logs/verifier/reward.txt`) },
  )
  expect((await runOracle(machines, apart)).score?.value).toBe(1)
  expect(canary.asked).toEqual([])
  // The servers are there to be reached: this process does it.
  await (await fetch(`http://${canary.hosts[0]}/here`)).text()
  expect(canary.asked).toContain('127.0.0.1 /here')
})
