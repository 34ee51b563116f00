import { PassThrough } from 'node:stream'
import type Docker from 'dockerode'
import { expect, test } from 'vitest'
import { ownerOf } from '../../agent-secret.ts'
import { demultiplex } from '../../docker/demultiplex.ts'
import { isOrphan, labelsOf } from '../../docker/owner.ts'
import { evictImages } from '../../docker/reap.ts'
import { findMemoryDirectory } from '../cgroup/socket-memory.ts'
import { contractSpec } from '../sandbox.contract.ts'
import { containerSettings } from './container-settings.ts'
import { leftBehind } from './left-behind.ts'
import { openMarkedText } from './marked-text.ts'
import type { Prepared } from './prepared.ts'
import { caveatOf } from './probe-docker.ts'
import { seccompProfile } from './seccomp-profile.ts'
import { limitSockets } from './socket-limit.ts'
import { refusalOf } from './spec-refusal.ts'
import { openWarmPool } from './warm-pool.ts'

const means = { image: 'image', volumes: ['/data'], runtime: null, network: 'bridge', labels: { a: 'b' } }
type Settings = {
  User: string
  Env: string[]
  HostConfig: Record<string, unknown> & { Tmpfs: Record<string, string>; SecurityOpt: string[] }
}
const settingsOf = (changes = {}, own = {}) => containerSettings({ ...contractSpec, ...changes }, { ...means, ...own }) as Settings // our own

test('[SBX40] a container has no rights, no root, no network, nothing of the machine, and every limit', () => {
  const { User, Env, HostConfig } = settingsOf({ cpus: 0.5 })
  expect(User).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(Env.map((one) => one.split('=')[0])).toEqual(['HOME', 'TMPDIR', 'LANG'])
  expect(HostConfig).toMatchObject({
    NetworkMode: 'none',
    CapDrop: ['ALL'],
    ReadonlyRootfs: true,
    Privileged: false,
    Init: true,
    Memory: 96 * 1024 ** 2,
    MemorySwap: 96 * 1024 ** 2,
    NanoCpus: 5e8,
    PidsLimit: 256,
    LogConfig: { Type: 'none' },
    Ulimits: expect.arrayContaining([
      { Name: 'core', Soft: 1, Hard: 1 },
      { Name: 'nofile', Soft: 1024, Hard: 1024 },
    ]),
  })
  expect(HostConfig.SecurityOpt[0]).toBe('no-new-privileges:true')
  expect(HostConfig.SecurityOpt[1]).toBe(`seccomp=${seccompProfile}`)
  for (const open of ['Binds', 'Mounts', 'CapAdd', 'Devices', 'PidMode', 'UsernsMode']) expect(HostConfig[open]).toBeUndefined()
  expect(settingsOf({ network: true }).HostConfig.NetworkMode).toBe('bridge')
  expect([settingsOf().HostConfig.Runtime, settingsOf({}, { runtime: 'runsc' }).HostConfig.Runtime]).toEqual([undefined, 'runsc'])
})

test('[SBX40] all places that can be written to are together no larger than the disk, in bytes and in files', () => {
  const { Tmpfs } = settingsOf().HostConfig
  const sum = (name: string) =>
    ['/workspace', '/tmp', '/dev/shm'].reduce((total, path) => total + Number(new RegExp(`${name}=(\\d+)`).exec(Tmpfs[path]!)![1]), 0)
  expect([sum('size'), sum('nr_inodes')]).toEqual([16 * 1024 ** 2, 16 * 256])
  expect(Tmpfs['/data']).toMatch(/^ro,/)
  for (const options of Object.values(Tmpfs)) expect(options).toMatch(/nosuid,nodev/)
})

test('[SBX25] Docker: a limit that is no number in its range is refused, and so is what is no name of an image', () => {
  for (const changes of [
    { cpus: 0 },
    { cpus: Number.NaN },
    { memory_mb: 0 },
    { memory_mb: 2 ** 63 },
    { disk_mb: -1 },
    { disk_mb: 97 },
    { image: '' },
    { image: '-v' },
    { image: 'a b' },
  ])
    expect([changes, refusalOf({ ...contractSpec, ...changes })]).toEqual([changes, expect.any(String)])
  for (const changes of [{}, { image: 'registry:5000/a/b@sha256:0af' }, { network: true }])
    expect(refusalOf({ ...contractSpec, ...changes })).toBeNull()
})

test('[SBX24] Docker: requests that push input into terminals match no rule of the filter, whatever stands above their 32 bits', () => {
  const { defaultAction, syscalls } = JSON.parse(seccompProfile) as {
    defaultAction: string
    syscalls: { names: string[]; action: string; args?: { index: number; value: number; valueTwo: number }[] }[]
  }
  expect(defaultAction).toBe('SCMP_ACT_ERRNO')
  const allows = (name: string, index: number, value: bigint) =>
    syscalls.some(
      ({ names, action, args }) =>
        names.includes(name) &&
        action === 'SCMP_ACT_ALLOW' &&
        (args ?? []).every((one) => one.index === index && (value & BigInt(one.value)) === BigInt(one.valueTwo)),
    )
  for (const above of [0n, 1n << 32n, 0xffffffffn << 32n]) {
    expect([0x5412n, 0x541cn].map((request) => allows('ioctl', 1, above | request))).toEqual([false, false])
    for (let request = 0x5400n; request < 0x5440n; request++)
      if (request !== 0x5412n && request !== 0x541cn) expect([request, allows('ioctl', 1, above | request)]).toEqual([request, true])
    expect([1n, 2n, 10n, 16n, 40n].map((family) => allows('socket', 0, above | family))).toEqual([true, true, true, false, false])
  }
  expect([0x11n, 0x10000011n].map((flags) => allows('clone', 0, flags))).toEqual([true, false])
  for (const name of ['ptrace', 'bpf', 'io_uring_setup', 'mount', 'add_key', 'unshare']) expect(allows(name, 0, 0n)).toBe(false)
})

test('[SBX44] what a command writes is its own to the byte, also where it writes as its runner does', () => {
  const mark = 'f'.repeat(32)
  const own = `${mark} e x\n${'-'.repeat(80)}${mark.slice(1)} e 3\n`
  const whole = `${mark} 17\n${own}${mark} e 5\nleft behind`
  for (const size of [1, 7, 33, 1000]) {
    let said = ''
    let ends = 0
    const text = openMarkedText(
      mark,
      (part) => {
        said += part.toString()
      },
      () => ends++,
    )
    for (let at = 0; at < whole.length; at += size) text.push(Buffer.from(whole.slice(at, at + size)))
    text.flush()
    expect([said, ends, text.pid(), text.ended()]).toEqual([own, 1, 17, 5])
  }
  const cut = openMarkedText(
    mark,
    () => undefined,
    () => undefined,
  )
  cut.push(Buffer.from('OCI runtime exec failed\n'))
  expect([cut.pid(), cut.ended()]).toEqual([0, null])
})

test('[SBX44] frames are parted from each other wherever the stream is cut', async () => {
  const frame = (channel: number, text: string) => Buffer.concat([Buffer.from([channel, 0, 0, 0, 0, 0, 0, text.length]), Buffer.from(text)])
  const whole = Buffer.concat([frame(1, 'one'), frame(2, ''), frame(2, 'two'), frame(1, 'three')])
  for (const size of [1, 5, 9, 100]) {
    const stream = new PassThrough()
    const said: Record<number, string> = { 1: '', 2: '' }
    const ended = demultiplex(stream as never, (channel, part) => {
      said[channel] += part.toString()
    })
    for (let at = 0; at < whole.length; at += size) stream.write(whole.subarray(at, at + size))
    stream.end()
    await ended
    expect(said).toEqual({ 1: 'onethree', 2: 'two' })
  }
})

test('[SBX43] of several commands the one that is over loses what it began and what nobody has, and the others nothing', () => {
  const processes = [
    { pid: 7, parent: 0 }, // the ender
    { pid: 10, parent: 0 }, // first of the one that is over
    { pid: 11, parent: 10 },
    { pid: 12, parent: 11 },
    { pid: 20, parent: 0 }, // first of another
    { pid: 21, parent: 20 },
    { pid: 30, parent: 1 }, // lost its parent
    { pid: 31, parent: 30 },
  ]
  const left = (changes: object) => leftBehind(processes, { root: { pid: 10, spared: false }, ender: 7, others: true, ...changes })
  expect(left({})).toEqual([10, 11, 12, 30, 31])
  expect(left({ root: { pid: 10, spared: true } })).toEqual([11, 12, 30, 31])
  expect(left({ others: false })).toEqual([10, 11, 12, 20, 21, 30, 31])
  expect(left({ others: false, ender: null })).toContain(7)
})

test('[SBX42] a container is an orphan where its agent is seen to be gone, or cannot be seen and does not run', () => {
  const holder = { process: '5 100', place: 'boot pid:[1]' }
  const judge = (process: string, place: string, state = 'running', owner = 'other', age_s = 9999) =>
    isOrphan({ labels: labelsOf(owner, { process, place }), state, age_s }, { owner: 'me', holder, isAlive: (one) => one === '6 100' })
  expect(judge('5 100', holder.place, 'exited', 'me')).toBe(false)
  expect(judge('6 100', holder.place)).toBe(false)
  expect(judge('6 100', holder.place, 'running', 'me')).toBe(true)
  expect(judge('6 200', holder.place)).toBe(true)
  expect(judge('6 200', 'another place')).toBe(false)
  expect(judge('6 200', 'another place', 'created', 'other', 9)).toBe(false)
  expect(judge('6 200', 'another place', 'created')).toBe(true)
})

test('[FLEETUP11] what an agent left before its container was started anew is an orphan; what others have in namespaces of theirs is none', () => {
  const holder = { process: '7 900', place: 'boot pid:[2]' }
  const judge = (owner: string, place: string) =>
    isOrphan(
      { labels: labelsOf(owner, { process: '7 100', place }), state: 'running', age_s: 9 },
      { owner: 'me', holder, isAlive: () => false },
    )
  expect(judge('me', 'boot pid:[1]')).toBe(true)
  expect(judge('other', 'boot pid:[1]')).toBe(false)
  expect(judge('me', 'other-boot pid:[1]')).toBe(false)
  expect(new Set(['a', 'a', 'b'].map(ownerOf)).size).toBe(2)
})

test('[SBX45] so many containers are kept ready, of the shapes last asked for; one that ended is not given', async () => {
  let made = 0
  const removed: number[] = []
  const gone: (() => void)[] = []
  const prepare = async (): Promise<Prepared> => {
    const number = made++
    const ended = new Promise<void>((resolve) => {
      gone[number] = resolve
    })
    return { number, keeper: { gone: ended }, remove: async () => void removed.push(number) } as never // of a prepared one, what a pool touches
  }
  const handed: number[] = []
  const by = {
    now: prepare,
    ahead: prepare,
    hand: async (ready: Prepared) => void handed.push((ready as never as { number: number }).number),
  }
  const numberOf = async (taken: Promise<Prepared>) => ((await taken) as never as { number: number }).number
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const pool = openWarmPool(2)
  expect(await numberOf(pool.take('a', by))).toBe(0) // 1 is kept ready
  await settle()
  expect(await numberOf(pool.take('a', by))).toBe(1) // and 2 after it
  await settle()
  expect(await numberOf(pool.take('b', by))).toBe(3) // and 4
  await settle()
  expect(await numberOf(pool.take('c', by))).toBe(5) // 2, of the shape asked for first, makes room for 6
  await settle()
  expect([made, removed]).toEqual([7, [2]])
  gone[4]!()
  await settle()
  expect(await numberOf(pool.take('b', by))).toBe(7)
  await settle()
  await pool.close()
  expect(removed.sort()).toEqual([2, 6, 8])
  expect(handed).toEqual([1])
  const none = openWarmPool(0)
  await none.take('a', by)
  await settle()
  expect(made).toBe(10)
  const refusing = openWarmPool(1)
  await refusing.take('a', by)
  await settle()
  const gives = refusing.take('a', { ...by, hand: () => Promise.reject(new Error('no such container')) })
  expect(await numberOf(gives)).toBe(12) // 11 was ready, and is not to be had
  expect(removed.at(-1)).toBe(11)
})

test('[SBX46] on a disk that is nearly full images of ours go, the oldest first, until there is room, and no others', async () => {
  const removed: string[] = []
  const asked: unknown[] = []
  let free = 100
  const engine = {
    listImages: async (by: unknown) => {
      asked.push(by)
      return [
        { Id: 'new', Created: 3 },
        { Id: 'used', Created: 1 },
        { Id: 'old', Created: 2 },
      ]
    },
    listContainers: async () => [],
    getImage: (id: string) => ({
      inspect: async () => ({}),
      remove: async () => {
        if (id === 'used') throw new Error('conflict')
        removed.push(id)
        free += 500
      },
    }),
  } as unknown as Docker // what is asked of it here
  expect(await evictImages(engine, '/', 100, async () => free)).toBe(0)
  expect(await evictImages(engine, '/', 400, async () => null)).toBe(0)
  expect(asked).toEqual([])
  expect(await evictImages(engine, '/', 400, async () => free)).toBe(1)
  expect([removed, asked]).toEqual([['old'], [{ filters: { label: ['chutes-bench.image'] } }]])
})

test('[SBX74] Docker: connections count as memory with control groups of version 2, and nowhere in a group that is not seen to be the container’s', async () => {
  const version1 = (await findMemoryDirectory('self')) !== null
  const inspect = async () => ({ State: { Pid: process.pid }, HostConfig: { Memory: 1000 } })
  expect(await limitSockets({ id: 'c0ffee', inspect })).toEqual({ held: version1 ? 'nowhere' : 'with memory' })
})

test('[SBX48] a runtime with public breakouts is named as one', () => {
  const isNamed = (runtime: string) => caveatOf({ runtime }) !== null
  expect(['runc 1.1.5+ds1', 'runc 1.2.7', 'runc 1.3.2', 'runc 1.0.0-rc93'].map(isNamed)).toEqual([true, true, true, true])
  expect(['runc 1.2.8', 'runc 1.3.3', 'runc 1.4.0', 'runc 2.0.0', 'runsc'].map(isNamed)).toEqual([false, false, false, false, false])
})
