import { spawnSync } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hostileDockerfiles } from '#shared/dockerfile/testing/hostile-builds.ts'
import { buildImage, builtName } from './build-image.ts'
import { createDiskWatch } from './disk-watch.ts'
import { openMachineImages } from './machine-images.ts'
import { connectScript, openHostCanary } from './testing/host-canary.ts'
import { openImageFixture } from './testing/image-fixture.ts'
import { machineImage } from './testing/machine-image.ts'

const fixture = await openImageFixture('bench-build')
const { words, docker, patience, lock, built } = fixture
const never = new AbortController().signal

const means = { ...fixture.reach, say: (_line: string): void => undefined }
const have = async (name: string) => ({ ok: true as const, value: name })
const build = (image: ReturnType<typeof built>, changes: Partial<typeof means> = {}) =>
  buildImage(docker, image, { ...means, ...changes }, { name: builtName(image), have, signal: never })
const detailOf = (outcome: Awaited<ReturnType<typeof build>>) => (outcome.ok ? '' : `${outcome.failure.reason}: ${outcome.failure.detail}`)
const isThere = (image: ReturnType<typeof built>) => spawnSync('docker', ['image', 'inspect', builtName(image)]).status === 0

test('[MACH390] no build and no pull reaches a server on the loopback or at an address of its host', patience, async () => {
  const canary = await openHostCanary()
  try {
    const images = openMachineImages(docker, { ...means, ...lock, registries: [], mirror: null, logins: [] }, async () => undefined)
    for (const host of [canary.hosts[0]!, ...canary.hosts.slice(1).slice(-1)]) {
      for (const [way, text] of Object.entries(hostileDockerfiles(machineImage, host))) {
        const outcome = await build(built(text))
        expect([way, outcome.ok || outcome.failure.reason]).toEqual([way, 'task-refused'])
      }
      expect(await images.have({ type: 'named', name: `${host}/x/y:1`, pull_timeout_ms: 5000 }, never)).toMatchObject({
        failure: { reason: 'task-refused', retryable: false },
      })
    }
    const script = `RUN <<'END' bash\n${connectScript(canary.hosts)}\necho done\nEND\n`
    const closed = { ...built(`FROM ${machineImage}\n${script}`), network: 'none' as const }
    expect(detailOf(await build(closed, { network: 'bridge' }))).toBe('')
    expect(canary.asked).toEqual([])
    spawnSync('docker', ['image', 'rm', '--force', builtName(closed)])
  } finally {
    canary.close()
  }
})

test('[MACH393] here-documents, mounts and permissions are built, and hidden files of the build are in no image', patience, async () => {
  const told: string[] = []
  const say = (line: string) => void told.push(line)
  const run = { path: 'run.sh', mode: 0o644, bytes: new TextEncoder().encode('#!/bin/sh\necho ran\n') }
  const plain = built(
    `FROM ${machineImage}\nENV WHO=${words}\nRUN <<EOF\nset -e\nmkdir /made\nEOF\nCOPY <<EOF <<'RAW' /made/\n$WHO\nEOF\n$WHO\nRAW\nRUN <<EOF\n#!/usr/bin/env python3\nprint(open('/made/EOF').read() + open('/made/RAW').read())\nEOF\nCOPY . /ctx\nRUN ls -A /ctx; until cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null | grep -x 4096; do :; done\n`,
    run,
  )
  expect(detailOf(await build(plain, { say }))).toBe('')
  const said = told.join('\n')
  expect(said).toMatch(new RegExp(`${words}\\s+\\$WHO\\s`))
  expect(said).toMatch(/^Dockerfile\nrun\.sh$/m)
  expect(said).toMatch(/^4096$/m)

  told.length = 0
  const mounted = built(
    `FROM ${machineImage} AS a\nRUN echo ${words} > /from-a\nFROM ${machineImage}\nCOPY --chmod=755 run.sh /usr/local/bin/run-it\nRUN --mount=type=cache,target=/c --mount=type=bind,from=a,source=/from-a,target=/from-a run-it; cat /from-a; echo x > /c/x\n`,
    run,
  )
  expect(detailOf(await build(mounted, { say }))).toBe('')
  expect(told.join('\n')).toMatch(new RegExp(`ran\n${words}`))
  for (const image of [plain, mounted])
    expect(
      spawnSync('docker', ['image', 'inspect', builtName(image), '--format', '{{json .Config.Labels}}'])
        .stdout.toString()
        .trim(),
    ).toBe('{"chutes-bench.image":"1"}')
  const left = spawnSync('docker', ['images', '--quiet', 'chutes-bench.built/files']).stdout.toString()
  expect(left).toBe('')
})

test('[MACH395] a build that takes more of the disk than its task has ends, and nothing of it is left', patience, async () => {
  const root = spawnSync('docker', ['info', '--format', '{{.DockerRootDir}}']).stdout.toString().trim()
  const disk = createDiskWatch({
    free: () =>
      statfs(root).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => null,
      ),
    reserve: async () => 0,
  })
  const imagesOf = () => new Set(spawnSync('docker', ['images', '--all', '--quiet']).stdout.toString().split('\n'))
  const before = imagesOf()
  for (const flag of ['', '--mount=type=cache,target=/c ']) {
    const grown = { ...built(`FROM ${machineImage}\nRUN echo ${words}\nRUN ${flag}fallocate -l 1G /big && sleep 60\n`), storage_mb: 200 }
    expect(detailOf(await build(grown, { disk }))).toContain('build-failed')
    expect(isThere(grown)).toBe(false)
  }
  const kept = { ...built(`FROM ${machineImage}\nRUN fallocate -l 300M /${words}\n`), storage_mb: 200 }
  expect(detailOf(await build(kept))).toContain('more than the 200 MB of disk that the task has')
  // Other tests build at the same engine: only images with a step of this one's are its own.
  const stepsOf = (id: string) => spawnSync('docker', ['history', '--no-trunc', '--format', '{{.CreatedBy}}', id]).stdout.toString()
  expect([...imagesOf()].filter((id) => id !== '' && !before.has(id) && /fallocate -l (?:1G|300M)/.test(stepsOf(id)))).toEqual([])
  disk.close()
})
