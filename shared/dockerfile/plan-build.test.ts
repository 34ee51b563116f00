import { expect, test } from 'vitest'
import { type BuildGiven, dockerfileProblems, type ImageFacts, planBuild } from './plan-build.ts'
import { hostProblem, isPublicAddress } from './public-host.ts'
import { hostileDockerfiles, hostileHosts } from './testing/hostile-builds.ts'

const factsOf = (local: string): ImageFacts => ({ local, env: new Map([['PATH', '/bin']]), shell: null, triggers: [] })
const given: BuildGiven = { args: {}, registries: [], platform: 'linux/amd64', files_image: 'files:1', facts: factsOf }
function planOf(text: string, changes: Partial<BuildGiven> = {}) {
  const plan = planBuild(text, { ...given, ...changes })
  if (plan.type !== 'plan') throw new Error(JSON.stringify(plan))
  return plan
}
const linesOf = (text: string, changes: Partial<BuildGiven> = {}) => planOf(text, changes).text.trimEnd().split('\n')
const refusedLines = (text: string, changes: Partial<BuildGiven> = {}) => {
  const plan = planBuild(text, { ...given, ...changes })
  return plan.type === 'refused' ? plan.problems.map(({ line }) => line) : plan.type
}

test.each(Object.entries(hostileDockerfiles('debian:12', '127.0.0.1:9399')))(
  '[MACH390] a Dockerfile that would reach its host by %s is refused, with its images at hand and without',
  (_way, text) => {
    expect(planBuild(text, given).type).toBe('refused')
    expect(planBuild(text, { ...given, facts: () => undefined }).type).toBe('refused')
  },
)

test.each(hostileHosts)('[MACH391] no file is fetched from %s, nor an image pulled', (host) => {
  expect(hostProblem(host)).not.toBeNull()
  expect(refusedLines(`FROM debian\n\nADD http://${host}:80/x /x\n`)).toEqual([3])
  expect(refusedLines(`FROM debian\nADD https://${host}/x /x\n`)).toEqual([2])
  expect(refusedLines(`FROM ${host}:5000/x/y\n`)).toEqual([1])
})

test('[MACH391] hosts and addresses of the public internet are none of these', () => {
  const hosts = ['example.com', 'deb.debian.org.', '1.1.1.1', '172.32.0.1', '100.128.0.1', '[2606:4700::1111]', '[2001:4860:4860::8888]']
  expect(hosts.map(hostProblem)).toEqual(hosts.map(() => null))
  const addresses = ['8.8.8.8', '2a00:1450::1', '64:ff9b::808:808', '::ffff:8.8.8.8', '127.0.0.1', 'fe80::1%eth0', '::127.0.0.1', 'x', '']
  expect(addresses.map(isPublicAddress)).toEqual([true, true, true, true, false, false, false, false, false])
})

test('[MACH392] what an ADD fetches comes from the image of files; its other sources can be no address', () => {
  const plan = planOf(
    `FROM debian\nARG V=1\nADD --chown=1:2 --checksum=sha256:${'a'.repeat(64)} https://example.com/a-$V.tar.gz?x=1 /to/\nADD --chown=1:2 sub/b https://example.com/c /to/\nADD ["c d", "/e"]\n`,
  )
  expect(plan.text.split('\n').slice(2)).toEqual([
    'COPY --chown=1:2 --from=files:1 /0/a-1.tar.gz /to/',
    'ADD --chown=1:2 ./sub/b /to/',
    'COPY --chown=1:2 --from=files:1 /1/c /to/',
    'ADD ["./c d","/e"]',
    '',
  ])
  expect(plan.files).toEqual([
    {
      ...{ path: '/0/a-1.tar.gz', from: 'address', line: 3, url: 'https://example.com/a-1.tar.gz?x=1' },
      checksum: `sha256:${'a'.repeat(64)}`,
    },
    { path: '/1/c', from: 'address', line: 4, url: 'https://example.com/c', checksum: null },
  ])
  expect(refusedLines('FROM debian\nADD https://example.com/ /to/\nADD --checksum=x https://example.com/a /b\n')).toEqual([2, 3])
})

test('[MACH393] here-documents are told to any builder: one alone is the script, others are left to the shell, and files are files', () => {
  const text = `FROM debian
ENV WHO=me
RUN <<EOF
echo one
  echo "two"
EOF
RUN cat <<A <<-'B' > /x
\ta
A
\tb
\tB
SHELL ["/bin/bash", "-ec"]
RUN <<-END
\tgo
END
COPY --chown=1 <<EOF <<'RAW' here /to/
$WHO \${NONE:-none} \\$WHO it's "so"
EOF
$WHO
RAW
RUN echo $((1<<2)) <<<x
`
  const plan = planOf(text)
  expect(plan.text.split('\n').slice(1, -1)).toEqual([
    'ENV WHO=me',
    String.raw`RUN ["/bin/sh","-c","echo one\n  echo \"two\"\n"]`,
    String.raw`RUN ["/bin/sh","-c","cat <<A <<-'B' > /x\n\ta\nA\n\tb\nB\n"]`,
    'SHELL ["/bin/bash", "-ec"]',
    String.raw`RUN ["/bin/bash","-ec","go\n"]`,
    'COPY --chown=1 here /to/',
    'COPY --chown=1 --from=files:1 /0/EOF /1/RAW /to/',
    'RUN echo $((1<<2)) <<<x',
  ])
  expect(plan.files).toMatchObject([
    { path: '/0/EOF', text: `me none $WHO it's "so"\n` },
    { path: '/1/RAW', text: '$WHO\n' },
  ])
  expect(plan.buildkit).toBe(false)
  expect(refusedLines('FROM debian\nRUN <<EOF\nnever ends\n')).toEqual([2])
  expect(linesOf('FROM debian\nRUN <<EOF\n#!/usr/bin/env python3\nprint(1)\nEOF\n')[1]).toMatch(
    /^RUN \["\/bin\/sh","-c",".*\/dev\/pipes.*print\(1\)\\n"\]$/,
  )
})

test('[MACH393] mounts and permissions are BuildKit’s; a cache is one image’s own, and what nobody gives is left out', () => {
  const plan = planOf(`# syntax=docker/dockerfile:1.7
FROM debian AS a
FROM debian
COPY --chmod=755 --link x /x
RUN --mount=type=cache,target=/c,id=shared --mount=type=bind,from=a,target=/a --mount=type=secret,id=s --network=none id
`)
  expect(plan.buildkit).toBe(true)
  expect(plan.text.split('\n').slice(2)).toEqual([
    'COPY --chmod=755 x /x',
    'RUN --mount=type=cache,target=/c,id=files:1/shared --mount=type=bind,target=/a,from=bench0 id',
    '',
  ])
})

test('[MACH393] stages that nothing is taken from are left out, and images that only they name are not asked for', () => {
  const text = 'FROM unused AS a\nRUN exit 1\nFROM needed AS b\nFROM last\nCOPY --from=1 /x /x\nCOPY --from=other:2 /y /y\n'
  expect(planBuild(text, { ...given, facts: () => null })).toEqual({ type: 'images', images: ['needed', 'last', 'other:2'] })
  expect(linesOf(text, { facts: (name) => factsOf(`here/${name}`) })).toEqual([
    'FROM here/needed AS bench1',
    'FROM here/last AS bench2',
    'COPY --from=bench1 /x /x',
    'COPY --from=here/other:2 /y /y',
  ])
})

test('[MACH393] a plain Dockerfile stays as it is: marks, line ends, arguments before FROM, platforms, continued lines', () => {
  const text =
    '\uFEFF# a comment\r\nARG T=12\r\nFROM --platform=$TARGETPLATFORM debian:$T\r\nARG TARGETARCH\r\nRUN a && \\\r\n  # why\r\n\r\n  b\r\nCMD ["x"]\r\n'
  const plan = planOf(text, { args: { T: '13', HTTP_PROXY: 'http://proxy' } })
  expect(plan.text.split('\n')).toEqual(['FROM debian:13 AS bench0', 'ARG TARGETARCH', 'RUN a &&   b', 'CMD ["x"]', ''])
  expect(plan.args).toEqual({ TARGETARCH: 'amd64', T: '13', HTTP_PROXY: 'http://proxy' })
  expect(refusedLines('FROM --platform=linux/arm64 debian\n')).toEqual([1])
  const words = 'word '.repeat(20_000).trimEnd()
  const { text: long } = planOf(`FROM debian\nRUN echo ${words}\n`)
  expect(long.replaceAll('\\\n', '')).toBe(`FROM debian AS bench0\nRUN echo ${words}\n`)
  expect(Math.max(...long.split('\n').map((line) => line.length))).toBeLessThan(20_000)
})

test('[MACH390] what an image would do by itself when it is built upon is looked at as well', () => {
  const withTrigger = (trigger: string) => ({ facts: (name: string) => ({ ...factsOf(name), triggers: [trigger] }) })
  for (const trigger of ['ADD http://127.0.0.1/x /x', 'ADD $X /x', 'COPY --from=127.0.0.1:1/x /a /a', 'RUN --mount=from=x,target=/y id'])
    expect([trigger, refusedLines('FROM debian\n', withTrigger(trigger))]).toEqual([trigger, [1]])
  expect(linesOf('FROM debian\n', withTrigger('COPY . /app'))).toEqual(['FROM debian AS bench0'])
})

test('[HARB390] what no build has here is said before any image is at hand, and nothing that only an image or an agent knows', () => {
  expect(dockerfileProblems('FROM private.example:5000/x\nADD $FROM_IMAGE/x /x\nRUN id\n', {}, null)).toEqual([])
  expect(dockerfileProblems('RUN id\nFROM x\nCOPY --parents a /b\n', {}, null).map(({ line }) => line)).toEqual([1, 3])
  expect(dockerfileProblems('FROM x\n', { BUILDKIT_SYNTAX: 'evil.example/x' }, null)).toHaveLength(1)
})
