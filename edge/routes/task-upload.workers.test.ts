import { reset, env as testEnv } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { card } from '#shared/benchmarks/terminal_tasks/card.ts'
import { UploadedTask } from '#shared/contract/task-upload.ts'
import { openR2Bucket } from '../adapters/r2-bucket.ts'
import type { Env } from '../objects/env.ts'
import { keyOfArchive } from '../tasks/task-archive.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleFiles, formOf, zipOf } from '../testing/example-task.ts'

afterEach(() => reset())

const env = testEnv as unknown as Env // bindings of objects/testing/wrangler.toml
const bucket = env.ARTIFACTS!

/** Bytes that cannot be packed smaller, the same each time. */
function noise(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let state = 1
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

async function openUpload() {
  const app = openApp({ cards: [card] })
  Object.assign(app.deps, { artifacts: openR2Bucket(bucket) })
  const reopened = bearer(await giveKey(app, 'owner'))
  const upload = (zip: Uint8Array<ArrayBuffer>) =>
    app.app.request('https://bench.example/api/tasks', {
      method: 'POST',
      headers: { 'cf-connecting-ip': '127.0.0.1', ...reopened },
      body: formOf(zip),
    })
  return { ...app, upload }
}

const listed = async (): Promise<string[]> => (await bucket.list()).objects.map(({ key }) => key)

test('[TASK1] in the Worker an archive of three parts goes through the bucket, and only the whole of it stays', async () => {
  const { upload } = await openUpload()
  const large = { path: 'environment/noise.bin', mode: 0o644, bytes: noise(17 * 2 ** 20) }
  const zip = await zipOf([...exampleFiles(), large])
  const response = await upload(zip)
  const task = UploadedTask.parse(await response.json())
  expect(response.status).toBe(200)
  expect(task).toMatchObject({ sha256: createHash('sha256').update(zip).digest('hex'), file_size: zip.length })
  expect(await listed()).toEqual([keyOfArchive(task.sha256)])
  const kept = (await bucket.get(keyOfArchive(task.sha256)))!
  expect(
    createHash('sha256')
      .update(new Uint8Array(await kept.arrayBuffer()))
      .digest('hex'),
  ).toBe(task.sha256)
})

test('[TASK1] in the Worker an archive that is sent again is kept once', async () => {
  const { upload } = await openUpload()
  const zip = await zipOf(exampleFiles())
  for (const _ of [1, 2]) expect((await upload(zip)).status).toBe(200)
  expect(await listed()).toHaveLength(1)
})

test('[TASK2] in the Worker an archive that is refused leaves nothing in the bucket', async () => {
  const { upload } = await openUpload()
  const large = { path: 'environment/noise.bin', mode: 0o644, bytes: noise(9 * 2 ** 20) }
  const zip = await zipOf([...exampleFiles('version = '), large])
  expect((await upload(zip)).status).toBe(422)
  const broken = await zipOf([...exampleFiles(), large])
  broken[broken.length >> 1]! ^= 1
  expect((await upload(broken)).status).toBe(422)
  expect(await listed()).toEqual([])
})
