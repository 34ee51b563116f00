import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesOfPulled, pulledName, pullName, readImageName } from '#shared/dockerfile/image-name.ts'
import { awaitHealth } from '#shared/solvers/await-health.ts'
import type { MachineExec, MachineExecResult } from '#shared/solvers/machine.ts'
import { draws } from '#shared/testing/draws.ts'
import { demultiplexText } from '../docker/demultiplex.ts'
import { readEngineAddress } from '../docker/engine.ts'
import { builtName } from './build-image.ts'
import { leaveOutIgnored } from './docker-ignore.ts'
import { keepHeadAndTail } from './head-and-tail.ts'
import { contractMachine } from './machine.contract.ts'
import { machineSettings } from './machine-settings.ts'
import { readLogins } from './registry-login.ts'

test('[MACH2] head and tail are those of the whole output, however it comes in parts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 90_000 }), { maxLength: 8 }),
      fc.nat(40),
      fc.nat(70_000),
      (parts, head_bytes, tail_bytes) => {
        const kept = keepHeadAndTail({ head_bytes, tail_bytes })
        for (const part of parts) kept.push(Buffer.from(part))
        const whole = Buffer.concat(parts)
        const { head, tail, omitted_bytes } = kept.end()
        const rest = whole.subarray(head_bytes)
        expect(Buffer.from(head).equals(whole.subarray(0, head_bytes))).toBe(true)
        expect(Buffer.from(tail).equals(rest.subarray(Math.max(0, rest.length - tail_bytes)))).toBe(true)
        expect(head.length + tail.length + omitted_bytes).toBe(whole.length)
      },
    ),
    draws(60),
  )
})

test.each([
  ['debian', 'docker.io/library/debian:latest'],
  ['alexgshaw/fix-git:20260403', 'docker.io/alexgshaw/fix-git:20260403'],
  ['index.docker.io/library/debian:12', 'docker.io/library/debian:12'],
  ['localhost/x:1', 'localhost/x:1'],
  ['127.0.0.1:5000/a/b_c.d-e', '127.0.0.1:5000/a/b_c.d-e:latest'],
  [`ghcr.io/o/i:1@sha256:${'a'.repeat(64)}`, `ghcr.io/o/i@sha256:${'a'.repeat(64)}`],
])('[MACH23] %s is the image %s', (text, whole) => {
  expect(pullName(readImageName(text)!, null)).toBe(whole)
})

test('[MACH23] what is no name of an image is none; a mirror stands for the hub only, and our names lead back to those that were pulled', () => {
  for (const text of ['', 'UPPER', 'a b', 'a//b', '-x', 'x@sha256:12', 'x:', 'https://x/y', `x:${'t'.repeat(129)}`, 'a/../b', '--help'])
    expect([text, readImageName(text)]).toEqual([text, null])
  const name = readImageName('debian:12')!
  expect(pullName(name, 'mirror.local:5000/hub/')).toBe('mirror.local:5000/hub/library/debian:12')
  expect(pullName(readImageName('ghcr.io/o/i')!, 'mirror.local')).toBe('ghcr.io/o/i:latest')
  for (const [text, tags, digests] of [
    [
      'debian:12',
      ['debian:12', 'mirror.local:5000/hub/library/debian:12'],
      ['debian@sha256:1', 'mirror.local:5000/hub/library/debian@sha256:1'],
    ],
    ['127.0.0.1:5000/o/i:1', ['127.0.0.1:5000/o/i:1'], ['127.0.0.1:5000/o/i@sha256:1']],
  ] as const) {
    const { repo, tag } = pulledName(readImageName(text)!)
    expect(readImageName(`${repo}:${tag}`)).not.toBeNull()
    expect(namesOfPulled({ tags: [...tags, `${repo}:${tag}`], digests: [...digests] })).toEqual([...tags, `${repo}:${tag}`])
    // Somebody else's name keeps it: only ours goes.
    expect(namesOfPulled({ tags: [...tags, 'other/name:1', `${repo}:${tag}`], digests: [...digests] })).toEqual([`${repo}:${tag}`])
  }
  const byDigest = pulledName(readImageName(`o/i@sha256:${'b'.repeat(64)}`)!)
  const tags = [`${byDigest.repo}:${byDigest.tag}`]
  expect(namesOfPulled({ tags, digests: ['o/i@sha256:b'] })).toEqual(['o/i@sha256:b', ...tags])
  expect(namesOfPulled({ tags: ['debian:12'], digests: [] })).toEqual([])
})

test('[HARB43] what is built with other arguments is another image, whatever their order', () => {
  const image = { type: 'built' as const, context: [], dockerfile: 'Dockerfile', build_timeout_ms: 1 }
  const names = [{}, { args: { A: '1', B: '2' } }, { args: { B: '2', A: '1' } }, { args: { A: '2', B: '1' } }].map((more) =>
    builtName({ ...image, ...more }),
  )
  expect(names[1]).toBe(names[2])
  expect(new Set(names).size).toBe(3)
})

// What `docker build` 28.2 sends with each file; the last but one it refuses.
test.each([
  ['*.log', ['a.log'], ['sub/a.log', 'a.txt']],
  ['**/*.log', ['a.log', 'sub/a.log', 'x/y/a.log'], ['a.logs']],
  ['# comment\n\n/sub/\n', ['sub/a', 'sub/b/c'], ['other/sub/a']],
  ['*\n!keep\n', ['a', 'sub/keep'], ['keep', 'keep/below']],
  ['sub\n!sub/keep', ['sub/a'], ['sub/keep']],
  ['a?c\nfile[0-9].txt', ['abc', 'file1.txt'], ['ac', 'a/c', 'filex.txt']],
  ['./x/../y', ['y', 'y/z'], ['x', 'x/y']],
  ['docs/**/draft', ['docs/draft', 'docs/a/b/draft'], ['docs/drafts']],
  ['[', [], ['[', 'a']],
  ['Dockerfile\n.dockerignore', [], ['a']],
])('[MACH22] a .dockerignore of %j leaves out %j and not %j', (ignore, out, kept) => {
  const files = ['Dockerfile', '.dockerignore', ...out, ...kept].map((path) => ({
    path,
    mode: 0o644,
    bytes: new TextEncoder().encode(path === '.dockerignore' ? ignore : ''),
  }))
  expect(leaveOutIgnored(files, 'Dockerfile').map(({ path }) => path)).toEqual(['Dockerfile', '.dockerignore', ...kept])
  expect(leaveOutIgnored(files.slice(2), 'Dockerfile')).toHaveLength(out.length + kept.length)
})

test('[MACH11] failures of the start period do not count, later ones in a row do; the first success is one', async () => {
  const check = { command: 'x', interval_ms: 1, timeout_ms: 5, start_period_ms: 100, start_interval_ms: 1, retries: 2 }
  const said = (exit_code: number): MachineExecResult => ({
    ...{ end: 'exited', exit_code, head: Buffer.from('said'), tail: new Uint8Array(), omitted_bytes: 0 },
  })
  const run = async (codes: number[], times: number[]) => {
    const asked: MachineExec[] = []
    const became = await awaitHealth(
      check,
      async (request) => {
        asked.push(request)
        return said(codes[asked.length - 1]!)
      },
      { now: () => times.shift()!, wait: async () => undefined },
    )
    return [became, asked.length]
  }
  expect(await run([1, 1, 1, 0], [0, 1, 50, 99, 120])).toEqual([null, 4])
  expect(await run([1, 1, 1, 0], [0, 1, 101, 102])).toEqual(['exit code 1: said', 3])
  expect(await run([0], [0, 500])).toEqual([null, 1])
})

test('[MACH33] engines are named as Docker names them', () => {
  expect(readEngineAddress('unix:///run/docker.sock')).toEqual({ socketPath: '/run/docker.sock' })
  expect(readEngineAddress('tcp://10.0.0.7:2375')).toEqual({ protocol: 'http', host: '10.0.0.7', port: 2375 })
  expect(readEngineAddress('tcp://box:2376')).toEqual({ protocol: 'https', host: 'box', port: 2376 })
  for (const text of ['', 'ssh://box', '/run/docker.sock', 'tcp://', 'unix://'])
    expect(() => readEngineAddress(text)).toThrow('no address of a Docker engine')
})

test('[MACH20] logins are read from the environment, and what is none is refused without being quoted', () => {
  expect(readLogins('[{"registry":"docker.io","username":"a","password":"b"}]')).toEqual([
    { registry: 'docker.io', username: 'a', password: 'b' },
  ])
  expect(readLogins('')).toEqual([])
  expect(() => readLogins('[{"password":"hidden-word"}]')).toThrow(/^BENCH_REGISTRY_LOGINS is no JSON list[^"]*$/)
})

test('[MACH9] the settings of a machine give it nothing of its host, and every limit', () => {
  const means = { image: 'sha256:1', entrypoint: ['/bin/bash'], network: 'bench', limitsDisk: true, labels: {}, joined: null }
  const sizes = { cpus: 2, memory_mb: 512, storage_mb: 100 }
  const { HostConfig, ...rest } = machineSettings({ ...contractMachine, network: 'public' }, sizes, means) as {
    HostConfig: Record<string, unknown>
  } // as Docker takes it
  for (const given of ['Binds', 'Mounts', 'Devices', 'CapAdd', 'VolumesFrom', 'PidMode', 'UsernsMode'])
    expect(HostConfig[given]).toBeUndefined()
  expect(HostConfig).toMatchObject({
    ...{
      Privileged: false,
      NetworkMode: 'bench',
      CapDrop: ['NET_RAW'],
      SecurityOpt: [expect.stringMatching(/^seccomp=\{/)],
      NanoCpus: 2e9,
      PidsLimit: 4096,
    },
    ...{ Memory: 512 * 1024 ** 2, MemorySwap: 512 * 1024 ** 2, StorageOpt: { size: '100M' } },
  })
  expect(rest).toMatchObject({ Entrypoint: ['sh'], Env: ['GREETING=hello world'], WorkingDir: '/work' })
  const kept = machineSettings(contractMachine, sizes, { ...means, entrypoint: ['/start.sh'] })
  expect(kept).toMatchObject({ Cmd: ['sh', '-c', expect.any(String)], HostConfig: { NetworkMode: 'none', CapDrop: [] } })
  expect(kept).not.toHaveProperty('Entrypoint')
})

test('[MACH11] what the first program of a machine said is read from a log of both outputs', () => {
  const frame = (channel: number, text: string) => Buffer.concat([Buffer.from([channel, 0, 0, 0, 0, 0, 0, text.length]), Buffer.from(text)])
  expect(demultiplexText(Buffer.concat([frame(1, 'one\n'), frame(2, 'two\n')]))).toBe('one\ntwo\n')
})
