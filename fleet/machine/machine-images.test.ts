import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { MachineImage, TreeFile } from '#shared/solvers/machine.ts'
import { connectEngine } from '../docker/engine.ts'
import { labelsOf, ownHolder } from '../docker/owner.ts'
import { works } from '../images/debian-image.ts'
import { builtName } from './build-image.ts'
import { contractMachine } from './machine.contract.ts'
import { type MachineImages, openMachineImages } from './machine-images.ts'
import { createMachines } from './open-machines.ts'
import type { RegistryLogin } from './registry-login.ts'
import { type FakeRegistry, startFakeRegistry } from './testing/fake-registry.ts'
import { ensureMachineImage, machineImage } from './testing/machine-image.ts'
import { smallImage } from './testing/small-image.ts'

const absent = (await works('docker', 'version')) ? await ensureMachineImage() : 'Docker does not answer'
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = { timeout: 120_000, skip: absent !== null }
const never = new AbortController().signal
const words = `bench-test-${process.pid}`
const docker = await connectEngine()
let registry: FakeRegistry
beforeAll(async () => {
  registry = await startFakeRegistry(await smallImage(words))
})
afterAll(async () => {
  await registry[Symbol.asyncDispose]()
  // All names of what was pulled or built here.
  const own = spawnSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}']).stdout.toString().split('\n')
  const made = own.filter((name) => name.includes(`/${words}`) || names.has(name))
  if (made.length > 0) spawnSync('docker', ['image', 'rm', '--force', ...made])
})
const names = new Set<string>()

const lock = { owner: words, holder: ownHolder() }
function imagesOf(changes: { mirror?: string; logins?: readonly RegistryLogin[]; said?: string[] } = {}): MachineImages {
  const means = {
    ...lock,
    mirror: changes.mirror ?? null,
    logins: changes.logins ?? [],
    say: (line: string) => void changes.said?.push(line),
  }
  return openMachineImages(docker, { ...means, network: null, cpus: 1, memory_mb: 512 }, async () => undefined)
}
const named = (name: string): MachineImage => ({ type: 'named', name, pull_timeout_ms: 60_000 })
const failureOf = <T>(outcome: Outcome<T>): Pick<Failure, 'reason' | 'retryable' | 'status' | 'detail'> => {
  if (outcome.ok) throw new Error('there is no failure')
  return outcome.failure
}
/** How often the registry was asked for its image by name, and for its parts: a pull asks once for each. */
const pulls = (repository: string) =>
  ['manifests', 'blobs'].map((what) => registry.asked.filter(({ line }) => line.startsWith(`GET /v2/${repository}/${what}/`)).length)

test(
  '[MACH20] an image is pulled once for all who ask, is known by its digest, and is there when it is asked for again',
  patience,
  async () => {
    const repository = `${words}/once`
    registry.mood(repository, 'serves')
    const images = imagesOf()
    const name = `${registry.host}/${repository}:1`
    const go = registry.hold()
    const all = Array.from({ length: 5 }, () => images.have(named(name), never))
    go()
    for (const outcome of await Promise.all(all)) expect(outcome).toMatchObject({ ok: true, value: { name, digest: registry.digest } })
    expect(pulls(repository)).toEqual([1, 2]) // its configuration and its layer
    expect(await imagesOf().have(named(name), never)).toMatchObject({ ok: true, value: { digest: registry.digest } })
    const byDigest = `${registry.host}/${repository}@${registry.digest}`
    expect(await images.have(named(byDigest), never)).toMatchObject({ ok: true, value: { name: byDigest, digest: registry.digest } })
    expect(pulls(repository)).toEqual([1, 2])
  },
)

test('[MACH20] images of the hub come through the mirror that the operator names, with the login for it', patience, async () => {
  const repository = `${words}/task`
  registry.mood('', 'unauthorized')
  registry.mood(`hub/${repository}`, 'unauthorized')
  const login = { registry: registry.host, username: 'operator', password: 'right' }
  const images = imagesOf({ mirror: `${registry.host}/hub/`, logins: [login] })
  expect(await images.have(named(`${repository}:2`), never)).toMatchObject({
    ok: true,
    value: { name: `${repository}:2`, digest: registry.digest },
  })
  registry.mood('', 'serves')
  // Known by the name of the task, also where there is no mirror.
  expect(await imagesOf().have(named(`docker.io/${repository}:2`), never)).toMatchObject({ ok: true })
})

test.each([
  ['too-many-requests', 'unavailable', true, 429, 'log in or name a mirror'],
  ['unauthorized', 'denied', false, 401, 'operator must give the agent a login'],
  ['denied', 'image-missing', false, 404, 'it takes a login'],
  ['not-found', 'image-missing', false, 404, 'must name another'],
  ['broken', 'unavailable', true, null, 'could not pull it'],
] as const)(
  '[MACH21] a registry that answers %s is a failure (%s) that says who must act',
  patience,
  async (mood, reason, retryable, status, who) => {
    const repository = `${words}/${mood}`
    registry.mood(repository, mood)
    const failure = failureOf(await imagesOf().have(named(`${registry.host}/${repository}:1`), never))
    expect(failure).toMatchObject({ reason, retryable, status })
    expect(failure.detail).toContain(`${registry.host}/${repository}:1`)
    expect(failure.detail).toContain(who)
  },
)

test(
  '[MACH21] a wrong login, a registry that is not there and a pull that takes too long are failures of their own',
  patience,
  async () => {
    const repository = `${words}/login`
    for (const one of ['', repository]) registry.mood(one, 'unauthorized')
    const wrong = [{ registry: registry.host, username: 'operator', password: 'wrong-word' }]
    const failure = failureOf(await imagesOf({ logins: wrong }).have(named(`${registry.host}/${repository}:1`), never))
    expect(failure).toMatchObject({ reason: 'denied', retryable: false })
    expect(failure.detail).not.toContain('wrong-word')
    registry.mood('', 'serves')
    expect(failureOf(await imagesOf().have(named('127.0.0.1:1/nowhere:1'), never))).toMatchObject({
      reason: 'unavailable',
      retryable: true,
    })
    const slow = `${words}/slow`
    registry.mood(slow, 'serves')
    const go = registry.hold()
    const late = { type: 'named', name: `${registry.host}/${slow}:1`, pull_timeout_ms: 300 } as const
    expect(failureOf(await imagesOf().have(late, never))).toMatchObject({ reason: 'timeout', retryable: true })
    const images = imagesOf()
    const [one, other] = [new AbortController(), new AbortController()]
    const both = [one, other].map(({ signal }) => images.have(named(`${registry.host}/${slow}:1`), signal))
    one.abort(new Error('given up'))
    await expect(both[0]).rejects.toThrow('given up')
    go()
    expect(await both[1]).toMatchObject({ ok: true }) // who gives up takes nothing from who waits
  },
)

const file = (path: string, text: string, mode = 0o644): TreeFile => ({ path, mode, bytes: new TextEncoder().encode(text) })
const built = (dockerfile: string, ...more: TreeFile[]) => {
  const image = {
    type: 'built',
    context: [file('Dockerfile', dockerfile), ...more],
    dockerfile: 'Dockerfile',
    build_timeout_ms: 90_000,
  } as const
  names.add(builtName(image))
  return image
}

test(
  '[MACH22] an image is built once for all who ask, without what its .dockerignore leaves out, and is labelled as ours',
  patience,
  async () => {
    const said: string[] = []
    const images = imagesOf({ said })
    const image = built(
      `FROM ${machineImage}\nCOPY . /app/\nRUN echo built for ${words} && ls /app > /listed\n`,
      file('.dockerignore', '*.log\n!keep.log\nskipped\n'),
      ...['a.log', 'keep.log', 'skipped/deep', 'tool.sh'].map((path) => file(path, words, 0o755)),
    )
    const outcomes = await Promise.all([1, 2, 3].map(() => images.have(image, never)))
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: true, value: { name: builtName(image), digest: expect.stringMatching(/^sha256:/) } })
    expect(said.filter((line) => line === `built for ${words}`)).toHaveLength(1)
    const inspected = spawnSync('docker', ['image', 'inspect', builtName(image), '--format', '{{json .Config.Labels}}']).stdout.toString()
    expect(JSON.parse(inspected)).toEqual({ 'chutes-bench.image': '1' })
    const machines = await createMachines({ room: { cpus: 8, memory_mb: 8192 } })
    try {
      const outcome = await machines.open({ ...contractMachine, image }, never)
      if (!outcome.ok) throw new Error(outcome.failure.detail)
      const listed = await outcome.value.exec({ argv: ['cat', '/listed'], timeout_ms: 9000, head_bytes: 999, tail_bytes: 0 })
      expect(new TextDecoder().decode(listed.head)).toBe('Dockerfile\nkeep.log\ntool.sh\n')
    } finally {
      await machines.close()
    }
  },
)

test(
  '[MACH22] a build that fails says so with the end of its log; one that takes too long ends; other content is another image',
  patience,
  async () => {
    const failing = built(`FROM ${machineImage}\nRUN echo so far so good for ${words}\nRUN echo the reason why >&2; exit 3\n`)
    const failure = failureOf(await imagesOf().have(failing, never))
    expect(failure).toMatchObject({ reason: 'build-failed', retryable: false })
    expect(failure.detail).toMatch(/so far so good[\s\S]*the reason why[\s\S]*returned a non-zero code: 3/)
    expect(failureOf(await imagesOf().have(built('FORM nothing\n'), never))).toMatchObject({ reason: 'build-failed' })
    const slow = { ...built(`FROM ${machineImage}\nRUN echo slow ${words}; sleep 60\n`), build_timeout_ms: 2500 }
    expect(failureOf(await imagesOf().have(slow, never))).toMatchObject({
      reason: 'timeout',
      retryable: true,
      detail: expect.stringContaining('slow'),
    })
    await expect
      .poll(() =>
        spawnSync('docker', [
          'ps',
          '--quiet',
          '--filter',
          `ancestor=${machineImage}`,
          '--no-trunc',
          '--format',
          '{{.Command}}',
        ]).stdout.toString(),
      )
      .not.toContain(`slow ${words}`)
    registry.mood(`${words}/base`, 'too-many-requests')
    const based = built(`FROM ${registry.host}/${words}/base:1\n`)
    expect(failureOf(await imagesOf().have(based, never))).toMatchObject({ reason: 'unavailable', retryable: true, status: 429 })
    const twice = built(`FROM ${machineImage}\n`, file('a', 'one'))
    const changes = [
      { ...twice, context: [...twice.context].reverse() },
      built(`FROM ${machineImage}\n`, file('a', 'two')),
      built(`FROM ${machineImage}\n`, file('a', 'one', 0o755)),
    ]
    expect(changes.map((one) => builtName(one) === builtName(twice))).toEqual([true, false, false])
  },
)

test(
  '[MACH26] agents that need the same image at one engine build it once, and a lock of one that is no more is nobody’s',
  patience,
  async () => {
    const image = built(`FROM ${machineImage}\nRUN echo lock-${words}; sleep 1\n`)
    const told: string[][] = [[], [], []]
    const agents = told.map((said) => imagesOf({ said }))
    const all = await Promise.all(agents.map((one) => one.have(image, never)))
    expect(new Set(all.map((outcome) => outcome.ok && outcome.value.id)).size).toBe(1)
    expect(told.filter((said) => said.length > 0)).toHaveLength(1)
    const filters = { label: [`chutes-bench.owner=${words}`] }
    expect(await docker.listVolumes({ filters })).toMatchObject({ Volumes: [] })

    const left = built(`FROM ${machineImage}\nRUN echo left-${words}\n`)
    const volume = `bench-build-${createHash('sha256').update(builtName(left)).digest('hex').slice(0, 40)}`
    const dead = { ...lock.holder, process: '999999999 1' }
    await docker.createVolume({ Name: volume, Labels: labelsOf('another agent', dead) })
    expect(await imagesOf().have(left, never)).toMatchObject({ ok: true })

    const waited = built(`FROM ${machineImage}\nRUN echo waited-${words}\n`)
    const held = `bench-build-${createHash('sha256').update(builtName(waited)).digest('hex').slice(0, 40)}`
    await docker.createVolume({ Name: held, Labels: labelsOf('another agent', lock.holder) })
    const patienceEnds = new AbortController()
    const said: string[] = []
    const waiting = imagesOf({ said }).have(waited, patienceEnds.signal)
    waiting.catch(() => undefined) // looked at below
    // Another image takes its time meanwhile.
    expect(await imagesOf().have(built(`FROM ${machineImage}\nRUN echo other-${words}; sleep 1\n`), never)).toMatchObject({ ok: true })
    expect(said).toEqual([])
    patienceEnds.abort(new Error('given up'))
    await expect(waiting).rejects.toThrow('given up')
    await docker.getVolume(held).remove() // who waited in vain took nothing from who has it
    expect(await imagesOf().have(waited, never)).toMatchObject({ ok: true })
  },
)
