import { expect, test } from 'vitest'
import type { MachineImage } from '#shared/solvers/machine.ts'
import { type HowHad, type MachineImages, openMachineImages } from './machine-images.ts'
import { openImageFixture } from './testing/image-fixture.ts'
import { machineImage } from './testing/machine-image.ts'
import { createImageWarmer, type Warmed } from './warm-images.ts'

const fixture = await openImageFixture('warm-test')
const { words, docker, patience, lock, named, built } = fixture
const never = new AbortController().signal

/** A warmer of the engine, with what it began and ended in order and what was told of it. `repositories` serve, but for those that are refused. */
function start(purpose: string, repositories: readonly string[]) {
  const pathOf = (one: string) => `${words}/${purpose}-${one}`
  for (const one of repositories) fixture.registry.mood(pathOf(one), one === 'refused' ? 'too-many-requests' : 'serves')
  const had: HowHad[] = []
  const warmed: Warmed[] = []
  const seen: string[] = []
  const state = { now_ms: 0, disk: true }
  const means = { ...lock, mirror: null, logins: [], say: () => undefined, ...fixture.reach }
  const images = openMachineImages(
    docker,
    means,
    async () => undefined,
    (how) => void had.push(how),
  )
  const watched: MachineImages = {
    ...images,
    haveAhead: async (image, signal) => {
      const name = image.type === 'named' ? image.name.split(`${purpose}-`)[1]!.replace(':1', '') : 'built'
      seen.push(name)
      const outcome = await images.haveAhead(image, signal)
      seen.push(`${name} ends`)
      return outcome
    },
  }
  const warmer = createImageWarmer(
    { images: watched, hasDisk: async () => state.disk },
    () => state.now_ms,
    (what) => void warmed.push(what),
  )
  const imageOf = (one: string) => named(`${fixture.registry.host}/${pathOf(one)}:1`)
  const expects = (...some: (readonly (string | MachineImage)[])[]) =>
    Promise.all(
      some.map((list) =>
        warmer.expect({
          images: async () => list.map((one) => (typeof one === 'string' ? imageOf(one) : one)),
          signal: never,
        }),
      ),
    )
  const asks = (one: string) => fixture.registry.asked.some(({ line }) => line.includes(`/${pathOf(one)}/`))
  return { had, warmed, seen, state, images, warmer, imageOf, expects, asks }
}

test(
  '[MACH64] images are pulled ahead one at a time, not where the disk is nearly full, and not after a registry let nobody pull more',
  patience,
  async () => {
    const { seen, state, images, warmer, imageOf, asks } = start('ahead', ['first', 'second', 'full', 'refused', 'rests', 'later'])
    const ahead = (...some: string[]) => Promise.all(some.map((one) => warmer.warm(imageOf(one), never)))
    await ahead('first', 'second')
    expect(seen).toEqual(['first', 'first ends', 'second', 'second ends'])
    const before = fixture.registry.asked.length
    expect(await images.have(imageOf('first'), never)).toMatchObject({ ok: true })
    expect(fixture.registry.asked).toHaveLength(before) // it is there
    state.disk = false
    await ahead('full')
    state.disk = true
    await ahead('refused', 'rests')
    expect([asks('full'), asks('refused'), asks('rests')]).toEqual([false, true, false])
    state.now_ms = 600_001
    await ahead('later')
    expect(asks('later')).toBe(true)
    await warmer.warm({ type: 'built', context: [], dockerfile: `FROM ${machineImage}`, build_timeout_ms: 1 }, never)
    expect(seen).not.toContain('built')
  },
)

test(
  '[MACH65] images of trials that may come are made ready three at once, in the order of the trials, pulled or built; not what nobody expects any more',
  patience,
  async () => {
    const { seen, warmer, imageOf, expects, images, asks } = start('coming', ['a', 'b', 'c', 'd', 'gone'])
    const go = fixture.registry.hold()
    const all = expects(['a'], ['b'], ['c'], ['d', built(`FROM ${machineImage}\nRUN echo ${words} > /made\n`)])
    const given = new AbortController()
    const left = warmer.expect({ images: async () => [imageOf('gone')], signal: given.signal })
    await expect.poll(() => seen).toEqual(['a', 'b', 'c'])
    given.abort()
    go()
    await Promise.all([all, left])
    expect(seen.slice(0, 3)).toEqual(['a', 'b', 'c'])
    expect(seen.slice(-4)).toEqual(expect.arrayContaining(['d ends', 'built', 'built ends']))
    expect(asks('gone')).toBe(false)
    const before = fixture.registry.asked.length
    for (const one of ['a', 'b', 'c', 'd']) expect(await images.have(imageOf(one), never)).toMatchObject({ ok: true })
    expect(fixture.registry.asked).toHaveLength(before)
  },
)

test(
  '[MACH65] nothing is made ready while a machine waits for its image, where the disk is nearly full, or after a registry let nobody pull more; a build is',
  patience,
  async () => {
    const { seen, state, images, imageOf, expects, asks } = start('waits', ['own', 'next', 'full', 'refused', 'rests'])
    const go = fixture.registry.hold()
    const own = images.have(imageOf('own'), never)
    const next = expects(['next'])
    await expect.poll(() => asks('own')).toBe(true)
    expect(seen).toEqual([])
    go()
    await Promise.all([own, next])
    expect(seen).toEqual(['next', 'next ends'])
    state.disk = false
    await expects(['full'])
    state.disk = true
    await expects(['refused'])
    await expects(['rests', built(`FROM ${machineImage}\nRUN echo ${words} > /after\n`)])
    expect([asks('full'), asks('refused'), asks('rests')]).toEqual([false, true, false])
    expect(seen.at(-1)).toBe('built ends')
  },
)

test(
  '[MACH66] it is told whether a machine’s image was there, was there because it had been made ready, or was waited for',
  patience,
  async () => {
    const { had, warmed, warmer, images, imageOf, expects } = start('told', ['ready', 'missed', 'refused'])
    await expects(['ready'])
    await expects(['ready'])
    await expects(['refused'])
    expect(warmed).toEqual(['fetched', 'there', 'failed'])
    for (const one of ['ready', 'ready', 'missed', 'missed']) await images.have(imageOf(one), never)
    expect(await images.have(imageOf('refused'), never)).toMatchObject({ ok: false })
    // All names are of one image: which was ready counts once.
    expect(had).toEqual(['ahead', 'there', 'waited', 'there'])
    warmer.close()
    await expects(['missed'])
    expect(warmed).toHaveLength(3)
  },
)
