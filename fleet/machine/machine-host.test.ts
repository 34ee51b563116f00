import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureTestImage, testImage } from '../sandbox/docker/testing/base-image.ts'
import { missingForEngine, startOwnEngine } from '../sandbox/docker/testing/own-engine.ts'
import { machineHost } from './machine-host.ts'

const absent = (await ensureTestImage()) ?? (await missingForEngine())
if (absent !== null) console.info(`skipped: ${absent}`)
const env = (socketPath: string, image = testImage) => ({ BENCH_DOCKER_HOSTS: `unix://${socketPath}`, BENCH_SANDBOX_IMAGE: image })

/** A folder that holds this program of the machine and no other. */
function folderWith(program: string) {
  const path = mkdtempSync(join(tmpdir(), 'bench-programs-'))
  symlinkSync(execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(), join(path, program))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

test('[FLEETUP7] machines are proved by the list of a container’s processes; an engine whose machine has no ps says who must act', {
  timeout: 60_000,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  {
    const host = machineHost(env('/var/run/docker.sock'))
    expect(await host.probe.probe()).toMatch(/^Linux .*Docker /)
  }
  using programs = folderWith('runc')
  await using engine = await startOwnEngine({ path: programs.path })
  // Without the image nothing can be listed, which is no fault of the engine.
  await expect(machineHost(env(engine.socketPath)).probe.probe()).resolves.toMatch(/Docker/)
  await engine.load(testImage)
  await expect(machineHost(env(engine.socketPath)).probe.probe()).rejects.toThrow(
    /no list of processes \(.*ps.*\): the engine's operator installs procps/,
  )
  expect(await engine.docker('ps', '--all', '--quiet')).toBe('')
})
