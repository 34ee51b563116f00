import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ArtifactBody } from '#shared/solvers/kit.ts'
import { openFolderStore, readFolderStore } from './folder-store.ts'

let dir: string
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'bench-folder-')), 'artifacts')
})
afterEach(() => rmSync(join(dir, '..'), { recursive: true }))

const text = 'what the model wrote\n'
const bytes = new TextEncoder().encode(text)
const sha256 = createHash('sha256').update(bytes).digest('hex')
const keep = (body: ArtifactBody) =>
  openFolderStore(dir).keep({ ordinal: 0, attempt: 1, kind: 'file', media_type: 'text/plain', body }, new AbortController().signal)

test('[KIT15] a local run keeps artifacts as files under their hash, each once, and reads them again', async () => {
  async function* made() {
    yield bytes.subarray(0, 4)
    yield bytes.subarray(4)
  }
  for (const body of [bytes, made(), bytes]) expect(await keep(body)).toEqual({ ok: true, value: { sha256, bytes: bytes.length } })
  expect(readdirSync(dir)).toEqual([sha256])
  expect(readFileSync(join(dir, sha256), 'utf8')).toBe(text)
  const read: Uint8Array[] = []
  for await (const piece of readFolderStore(dir).open(sha256)) read.push(piece)
  expect(Buffer.concat(read).toString()).toBe(text)
  const gone = readFolderStore(dir).open('0'.repeat(64))[Symbol.asyncIterator]()
  await expect(gone.next()).rejects.toThrow('is missing')
})

test('[KIT15] a body that breaks off leaves no file, and what a process left unfinished is removed by the next', async () => {
  async function* breaking() {
    yield bytes
    throw new RangeError('out of ideas')
  }
  await expect(keep(breaking())).rejects.toThrow('out of ideas')
  expect(readdirSync(dir)).toEqual([])
  writeFileSync(join(dir, 'half.part'), text)
  openFolderStore(dir)
  expect(readdirSync(dir)).toEqual([])
})

test('[KIT15] where nothing can be written keeping fails as the store’s, and may be tried again', async () => {
  writeFileSync(dir, 'a file stands where the folder should')
  expect(await keep(bytes)).toMatchObject({ ok: false, failure: { at: 'store', reason: 'unavailable', retryable: true } })
})
