import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ThreadTrouble } from '../threads/thread-trouble.ts'
import { outcomeOf } from './dataset-error.ts'
import { openTestEnv, sha256Of } from './loopback-server.ts'
import { findRows, openSources } from './open-rows.ts'
import { checkedHash } from './pinned-file.ts'
import { type RowLimits, rowLimits } from './row-limits.ts'
import { allRows, countedHeavy } from './testing/all-rows.ts'

const text = Array.from({ length: 2000 }, (_, n) => `${JSON.stringify({ n, é: 'x'.repeat(n % 70) })}\n`).join('')
const rows = text
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as unknown)

/** An empty place in which every file is indexed, and the work that is asked for there. */
async function openPlace(changes: Partial<RowLimits> = {}) {
  const place = await openTestEnv('http://127.0.0.1:1')
  const heavy = countedHeavy()
  const env = { ...place.env, heavy, rows: { ...rowLimits, inlineBytes: 0, ...changes } }
  const read = async (name: string, content: string | Uint8Array, columns?: string[]) => {
    const path = join(place.root, name)
    await writeFile(path, content)
    const source = await findRows({ path, sha256: sha256Of(content) }, name, columns, env)
    const opened = await openSources([source], env)
    return allRows(opened).finally(opened.close)
  }
  const kept = () => readdir(join(env.cacheDir, 'rows'))
  return { env, heavy, read, kept, root: place.root, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}

test('[DATA30] a file is indexed once, whatever it is called; what is made of a packed one is kept by the columns that are wanted', async () => {
  await using place = await openPlace()
  expect(await place.read('a.jsonl', text)).toEqual(rows)
  expect(await place.read('b.jsonl', text, ['n'])).toEqual(rows.map((_, n) => ({ n })))
  expect(place.heavy.asked).toEqual(['index'])
  expect(await place.kept()).toEqual([`${sha256Of(text)}.index`])

  const packed = gzipSync(text)
  expect(await place.read('a.jsonl.gz', packed)).toEqual(rows)
  expect(await place.read('a.jsonl.gz', packed)).toEqual(rows)
  expect(await place.read('a.jsonl.gz', packed, ['n'])).toEqual(rows.map((_, n) => ({ n })))
  expect(place.heavy.asked).toEqual(['index', 'index', 'index'])
  expect((await place.kept()).map((name) => name.split('.')[1]).sort()).toEqual(['index', 'index', 'index', 'rows', 'rows'])
})

test('[DATA31] a file may be longer than any text; only a row may not, and is named', async () => {
  await using place = await openPlace({ mostRowBytes: 200 })
  expect(await place.read('a.jsonl', text)).toEqual(rows)
  expect(await place.read('a.jsonl.gz', gzipSync(text))).toEqual(rows)
  const long = `{"a":1}\n{"a":"${'x'.repeat(200)}"}\n`
  for (const content of [long, long.trimEnd(), long.slice(0, 8) + long.slice(8).repeat(20)])
    expect(await outcomeOf(() => place.read('long.jsonl', content))).toMatchObject({
      ok: false,
      failure: { at: 'dataset', reason: 'bad-record', detail: 'long.jsonl line 2: longer than 200 bytes, the longest text there can be' },
    })
  expect(await outcomeOf(() => place.read('array.json', JSON.stringify(rows)))).toMatchObject({
    failure: { reason: 'bad-record', detail: expect.stringContaining('JSON lines may be larger') },
  })
  expect((await place.kept()).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('[DATA32] an index that is damaged, or rows that are, are made again', async () => {
  await using place = await openPlace()
  const packed = gzipSync(text)
  await place.read('a.jsonl.gz', packed)
  const [index = '', data = ''] = (await place.kept()).sort().map((name) => join(place.env.cacheDir, 'rows', name))
  const whole = await readFile(index)
  const changed = (at: number) => whole.with(at, whole[at]! ^ 1)
  const damages: [string, () => Promise<void>][] = [
    ['an entry', () => writeFile(index, changed(16))],
    ['its length', () => writeFile(index, changed(whole.length - 1))],
    ['its end', () => writeFile(index, changed(whole.length - 40))],
    ['nothing left', () => truncate(index, 0)],
    ['half of it', () => truncate(index, Math.floor(whole.length / 2))],
    ['the rows', async () => writeFile(data, (await readFile(data)).fill(0, 0, 1))],
    ['half of the rows', () => truncate(data, 100)],
  ]
  for (const [what, damage] of damages) {
    await damage()
    place.heavy.asked.length = 0
    expect([what, await place.read('a.jsonl.gz', packed)]).toEqual([what, rows])
    expect([what, place.heavy.asked]).toEqual([what, ['index']])
  }
})

test('[DATA33] a large row is parsed on a thread, a small one at once; each is read when it is asked for', async () => {
  await using place = await openPlace({ bigRowBytes: 500 })
  const large = `{"a":1}\n{"a":"${'x'.repeat(600)}"}\n`
  expect(await place.read('a.jsonl', large, ['a'])).toEqual([{ a: 1 }, { a: 'x'.repeat(600) }])
  expect(place.heavy.asked).toEqual(['index', 'row'])
})

test('[FLEET97] a thread that dies over a data file is a failure of the agent that says why, and leaves nothing behind', async () => {
  await using place = await openPlace()
  const trouble = new ThreadTrouble('memory', '"index" needed more than 1024 MiB of memory')
  const heavy = { run: () => Promise.reject(trouble) }
  const path = join(place.root, 'a.jsonl')
  await writeFile(path, text)
  const find = () => findRows({ path, sha256: sha256Of(text) }, 'a.jsonl', undefined, { ...place.env, heavy })
  const detail = 'A thread of this agent could not open the data: "index" needed more than 1024 MiB of memory'
  expect(await outcomeOf(find)).toEqual({ ok: false, failure: { at: 'agent', reason: 'error', retryable: true, status: null, detail } })
  expect(await place.kept()).toEqual([])
  expect(await place.read('a.jsonl', text)).toEqual(rows)
})

test('[DATA34] a large file is hashed on a thread, and not again while it is as it was', async () => {
  await using place = await openPlace()
  const path = join(place.root, 'large.bin')
  await writeFile(path, 'x')
  await checkedHash(path, null, place.env)
  expect(place.heavy.asked).toEqual([])
  await truncate(path, 17 * 2 ** 20)
  const bytes = Buffer.alloc(17 * 2 ** 20)
  bytes[0] = 'x'.charCodeAt(0)
  expect(await checkedHash(path, null, place.env)).toBe(sha256Of(bytes))
  await checkedHash(path, null, place.env)
  expect(place.heavy.asked).toEqual(['hash'])
})
