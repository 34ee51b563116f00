import { reset, env as testEnv } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import type { Env } from '../objects/env.ts'
import { openR2Bucket } from './r2-bucket.ts'

afterEach(() => reset())

const { ARTIFACTS } = testEnv as unknown as Env // bindings of objects/testing/wrangler.toml

test('[API163] the bucket gives an object whole or a part of it, and nothing for what it has not', async () => {
  const bucket = openR2Bucket(ARTIFACTS!)
  await ARTIFACTS!.put('a/1', 'Ten bytes.')
  const read = async (part?: { from: number; to: number }) => new Response(await bucket.open('a/1', part)).text()
  expect([await read(), await read({ from: 4, to: 9 }), await read({ from: 9, to: 10 })]).toEqual(['Ten bytes.', 'bytes', '.'])
  expect([await bucket.head('a/1'), await bucket.head('a/2'), await bucket.open('a/2')]).toEqual([10, undefined, undefined])
})

test('[API163] the bucket lists its objects in the order of their keys, page by page, with size and age, and deletes them', async () => {
  const bucket = openR2Bucket(ARTIFACTS!)
  const startedMs = Date.now()
  for (const key of ['b/1', 'a/2', 'a/1']) await ARTIFACTS!.put(key, key)
  const keys = async (after: string | null, prefix?: string) => {
    const { objects, ended } = await bucket.list(after, prefix)
    return [...objects.map(({ key }) => key), ended]
  }
  expect([await keys(null), await keys('a/1'), await keys(null, 'a/'), await keys('a/1', 'a/')]).toEqual([
    ['a/1', 'a/2', 'b/1', true],
    ['a/2', 'b/1', true],
    ['a/1', 'a/2', true],
    ['a/2', true],
  ])
  const [first] = (await bucket.list(null)).objects
  expect([first!.bytes, first!.uploaded_at >= new Date(startedMs - 5000)]).toEqual([3, true])
  await bucket.delete(['a/1', 'b/1'])
  expect(await keys(null)).toEqual(['a/2', true])
})
