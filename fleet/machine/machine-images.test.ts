import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Failure, Outcome } from '#shared/contract/failure.ts'
import { readImageName } from '#shared/dockerfile/image-name.ts'
import { readRegistries, registryProblem } from '#shared/dockerfile/registries.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'
import { labelsOf } from '../docker/owner.ts'
import { builtName } from './build-image.ts'
import { contractMachine } from './machine.contract.ts'
import { type MachineImages, openMachineImages } from './machine-images.ts'
import { createMachines } from './open-machines.ts'
import type { RegistryLogin } from './registry-login.ts'
import { openImageFixture } from './testing/image-fixture.ts'
import { machineImage } from './testing/machine-image.ts'

const fixture = await openImageFixture('bench-test')
const { words, docker, patience, lock, named, built } = fixture
const never = new AbortController().signal

function imagesOf(
  changes: { mirror?: string; logins?: readonly RegistryLogin[]; said?: string[]; registries?: string[] } = {},
): MachineImages {
  const means = {
    ...lock,
    mirror: changes.mirror ?? null,
    logins: changes.logins ?? [],
    say: (line: string) => void changes.said?.push(line),
  }
  return openMachineImages(
    docker,
    { ...means, ...fixture.reach, ...(changes.registries && { registries: changes.registries }) },
    async () => undefined,
  )
}
const failureOf = <T>(outcome: Outcome<T>): Pick<Failure, 'reason' | 'retryable' | 'status' | 'detail'> => {
  if (outcome.ok) throw new Error('there is no failure')
  return outcome.failure
}
/** How often the registry was asked for its image by name, and for its parts: a pull asks once for each. */
const pulls = (repository: string) =>
  ['manifests', 'blobs'].map(
    (what) => fixture.registry.asked.filter(({ line }) => line.startsWith(`GET /v2/${repository}/${what}/`)).length,
  )

test(
  '[MACH20] an image is pulled once for all who ask, is known by its digest, and is there when it is asked for again',
  patience,
  async () => {
    const repository = `${words}/once`
    fixture.registry.mood(repository, 'serves')
    const images = imagesOf()
    const name = `${fixture.registry.host}/${repository}:1`
    const go = fixture.registry.hold()
    const all = Array.from({ length: 5 }, () => images.have(named(name), never))
    go()
    for (const outcome of await Promise.all(all))
      expect(outcome).toMatchObject({ ok: true, value: { name, digest: fixture.registry.digest } })
    expect(pulls(repository)).toEqual([1, 2]) // its configuration and its layer
    expect(await imagesOf().have(named(name), never)).toMatchObject({ ok: true, value: { digest: fixture.registry.digest } })
    const byDigest = `${fixture.registry.host}/${repository}@${fixture.registry.digest}`
    expect(await images.have(named(byDigest), never)).toMatchObject({
      ok: true,
      value: { name: byDigest, digest: fixture.registry.digest },
    })
    expect(pulls(repository)).toEqual([1, 2])
  },
)

test('[MACH20] images of the hub come through the mirror that the operator names, with the login for it', patience, async () => {
  const repository = `${words}/task`
  fixture.registry.mood('', 'unauthorized')
  fixture.registry.mood(`hub/${repository}`, 'unauthorized')
  const login = { registry: fixture.registry.host, username: 'operator', password: 'right' }
  const images = imagesOf({ mirror: `${fixture.registry.host}/hub/`, logins: [login] })
  expect(await images.have(named(`${repository}:2`), never)).toMatchObject({
    ok: true,
    value: { name: `${repository}:2`, digest: fixture.registry.digest },
  })
  fixture.registry.mood('', 'serves')
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
    fixture.registry.mood(repository, mood)
    const failure = failureOf(await imagesOf().have(named(`${fixture.registry.host}/${repository}:1`), never))
    expect(failure).toMatchObject({ reason, retryable, status })
    expect(failure.detail).toContain(`${fixture.registry.host}/${repository}:1`)
    expect(failure.detail).toContain(who)
    // The registry's own words are the operator's to read.
    expect(failure.detail).not.toMatch(/pull rate limit|authentication required|requested access|manifest unknown|come back later|received/)
  },
)

test(
  '[MACH21] a wrong login, a registry that is not there and a pull that takes too long are failures of their own',
  patience,
  async () => {
    const repository = `${words}/login`
    for (const one of ['', repository]) fixture.registry.mood(one, 'unauthorized')
    const wrong = [{ registry: fixture.registry.host, username: 'operator', password: 'wrong-word' }]
    const failure = failureOf(await imagesOf({ logins: wrong }).have(named(`${fixture.registry.host}/${repository}:1`), never))
    expect(failure).toMatchObject({ reason: 'denied', retryable: false })
    expect(failure.detail).not.toContain('wrong-word')
    fixture.registry.mood('', 'serves')
    expect(failureOf(await imagesOf().have(named('127.0.0.1:1/nowhere:1'), never))).toMatchObject({
      reason: 'unavailable',
      retryable: true,
    })
    const slow = `${words}/slow`
    fixture.registry.mood(slow, 'serves')
    const go = fixture.registry.hold()
    const late = { type: 'named', name: `${fixture.registry.host}/${slow}:1`, pull_timeout_ms: 300 } as const
    expect(failureOf(await imagesOf().have(late, never))).toMatchObject({ reason: 'timeout', retryable: true })
    const images = imagesOf()
    const [one, other] = [new AbortController(), new AbortController()]
    const both = [one, other].map(({ signal }) => images.have(named(`${fixture.registry.host}/${slow}:1`), signal))
    one.abort(new Error('given up'))
    await expect(both[0]).rejects.toThrow('given up')
    go()
    expect(await both[1]).toMatchObject({ ok: true }) // who gives up takes nothing from who waits
  },
)

test(
  '[MACH394] images come from the usual registries and those that the operator names; of others nothing is asked',
  patience,
  async () => {
    const asked = fixture.registry.asked.length
    const images = imagesOf({ registries: ['*.corp.example', 'own.example:5000'] })
    for (const name of [
      `${fixture.registry.host}/x/y:1`,
      'localhost/x',
      'corp.example/x',
      'own.example/x',
      'x.internal/y',
      '[::1]:5000/x',
      'NO NAME',
    ])
      expect([name, failureOf(await images.have(named(name), never))]).toMatchObject([name, { reason: 'task-refused', retryable: false }])
    expect(fixture.registry.asked).toHaveLength(asked)
    const usual = ['debian', 'ghcr.io/a/b', 'eu.gcr.io/a/b', 'europe-docker.pkg.dev/a/b/c', 'x.corp.example/a', 'own.example:5000/a']
    expect(usual.map((name) => registryProblem(readImageName(name)!, ['*.corp.example', 'own.example:5000']))).toEqual(
      usual.map(() => null),
    )
    expect(readRegistries(' Own.example:5000, *.corp.example ,')).toEqual(['own.example:5000', '*.corp.example'])
    expect(() => readRegistries('https://own.example/path')).toThrow('BENCH_REGISTRIES: https://own.example/path is no registry')
    const gone = failureOf(await imagesOf().have(named('127.0.0.1:1/nowhere:1'), never))
    expect(gone.detail).toBe('127.0.0.1:1/nowhere:1: the engine could not pull it.')
  },
)

const file = (path: string, text: string, mode = 0o644): TreeFile => ({ path, mode, bytes: new TextEncoder().encode(text) })

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
    expect(failureOf(await imagesOf().have(built('FORM nothing\n'), never))).toMatchObject({ reason: 'task-refused' })
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
    fixture.registry.mood(`${words}/base`, 'too-many-requests')
    const based = built(`FROM ${fixture.registry.host}/${words}/base:1\n`)
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
