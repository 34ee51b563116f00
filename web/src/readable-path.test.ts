import { expect, test } from 'vitest'
import { isReadable, readPart } from './readable-path.ts'

test('[UI65] a path that is no percent-encoded UTF-8 means nothing', () => {
  for (const path of ['/runs/%E0%A4%A', '/%', '/runs/%zz', '/%c3%28', '/%ff']) expect([path, isReadable(path)]).toEqual([path, false])
  for (const path of ['/', '/runs/a%2Fb', '/runs/%E0%A4%A9', '/runs/100%25']) expect([path, isReadable(path)]).toEqual([path, true])
  expect(readPart('a%2Fb')).toBe('a/b')
})
