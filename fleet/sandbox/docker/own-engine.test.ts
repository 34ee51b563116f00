import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectEngine } from '../../docker/engine.ts'
import { evictImages, imageLabel } from '../../docker/reap.ts'
import { contractSpec } from '../sandbox.contract.ts'
import { createDocker, type DockerSandboxes } from './open-docker.ts'
import { ensureTestImage, testImage } from './testing/base-image.ts'
import { missingForEngine, type OwnEngine, startOwnEngine } from './testing/own-engine.ts'

const absent = (await ensureTestImage()) ?? (await missingForEngine())
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = 180_000
const never = new AbortController().signal
let engine: OwnEngine

beforeAll(async () => {
  if (absent !== null) return
  engine = await startOwnEngine()
  await engine.load(testImage)
}, patience)
afterAll(() => engine?.[Symbol.asyncDispose](), patience)

const listed = async (): Promise<string[]> => (await engine.docker('ps', '--all', '--format', '{{.Names}}')).split('\n').filter(Boolean)
const openIn = async (sandboxes: DockerSandboxes) => {
  const outcome = await sandboxes.open(contractSpec, never)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}

/** An image of one file that was made in this year and carries this label, as `docker load` takes it. */
function imageArchive(folder: string, { name, year, label }: { name: string; year: number; label: string }): string {
  mkdirSync(folder)
  const put = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const pack = (to: string, ...files: string[]) =>
    expect(spawnSync('tar', ['-C', folder, '-cf', join(folder, to), ...files]).status).toBe(0)
  put('file', name)
  pack('layer.tar', 'file')
  const diff_id = `sha256:${createHash('sha256')
    .update(readFileSync(join(folder, 'layer.tar')))
    .digest('hex')}`
  const config = { Labels: { [label]: '1' }, Cmd: ['/file'] }
  const rootfs = { type: 'layers', diff_ids: [diff_id] }
  put('config.json', JSON.stringify({ created: `${year}-01-01T00:00:00Z`, architecture: 'amd64', os: 'linux', config, rootfs }))
  put('manifest.json', JSON.stringify([{ Config: 'config.json', RepoTags: [`${name}:1`], Layers: ['layer.tar'] }]))
  pack('image.tar', 'layer.tar', 'config.json', 'manifest.json')
  return join(folder, 'image.tar')
}

for (const how of ['stop', 'kill'] as const)
  test(`[SBX75] an engine that goes away (${how}) ends what runs as unavailable, refuses or waits for it, and has nothing left of it when it is back`, {
    timeout: patience,
  }, async (context) => {
    context.skip(absent !== null, String(absent))
    const where = { socketPath: engine.socketPath, image: testImage }
    const sandboxes = await createDocker({ ...where, warm: 1, looks: 0 })
    const patient = await createDocker({ ...where, warm: 0 })
    await (await openIn(patient))[Symbol.asyncDispose]()
    const box = await openIn(sandboxes)
    const running = box.exec({
      argv: ['sh', '-c', "trap '' TERM HUP; echo > began; sleep 99; sleep 99"],
      timeout_ms: 99_999,
      output_bytes: 9,
    })
    await expect.poll(() => box.read('began', 9), { timeout: 20_000 }).not.toBeNull()
    await expect.poll(async () => (await listed()).length, { timeout: 20_000 }).toBe(2) // the one that is ready is among them
    const away = engine[how]()
    expect((await running).end).toBe('unavailable')
    await away
    expect(await box.write('more', new Uint8Array(1))).toBe('unavailable')
    expect(await box.read('began', 9)).toBeNull()
    expect(await sandboxes.open(contractSpec, never)).toMatchObject({
      ok: false,
      failure: { at: 'sandbox', reason: 'unavailable', retryable: true },
    })
    const late = openIn(patient)
    await box[Symbol.asyncDispose]()
    await engine.start()
    await (await late)[Symbol.asyncDispose]()
    await expect.poll(listed, { timeout: 60_000 }).toEqual([])
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(`${engine.folder}/data/overlay2/`)
    {
      await using next = await openIn(sandboxes)
      expect((await next.exec({ argv: ['true'], timeout_ms: 30_000, output_bytes: 9 })).end).toBe('exited')
    }
    await sandboxes.close()
    await patient.close()
    expect(await listed()).toEqual([])
  })

test('[SBX46] an engine that has little room loses images with our label that nothing uses, the oldest first, and no others', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const folder = mkdtempSync(join(tmpdir(), 'bench-images-'))
  try {
    for (const [name, year, label] of [
      ['newest', 2023, imageLabel],
      ['theirs', 2020, 'other'],
      ['oldest', 2022, imageLabel],
      ['used', 2021, imageLabel],
    ] as const)
      await engine.docker('load', '--quiet', '--input', imageArchive(join(folder, name), { name, year, label }))
    await engine.docker('create', '--name', 'uses', 'used:1')
    const names = async () => (await engine.docker('image', 'ls', '--format', '{{.Repository}}')).split('\n').filter(Boolean).sort()
    const ownImage = testImage.split(':')[0]!
    const docker = await connectEngine(engine.socketPath)
    const roomAfter = (gone: string) => async () => ((await names()).includes(gone) ? 0 : 500)
    expect(await evictImages(docker, engine.folder, 400, roomAfter('oldest'))).toBe(1)
    expect(await names()).toEqual([ownImage, 'newest', 'theirs', 'used'])
    expect(await evictImages(docker, engine.folder, 400, async () => 0)).toBe(1)
    expect(await names()).toEqual([ownImage, 'theirs', 'used'])
    // As an agent does at its start, by the disk itself: a machine never has so much.
    await engine.docker('rm', 'uses')
    await (await createDocker({ socketPath: engine.socketPath, image: testImage, warm: 0, leastFree_mb: 2 ** 50 })).close()
    expect(await names()).toEqual([ownImage, 'theirs'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
