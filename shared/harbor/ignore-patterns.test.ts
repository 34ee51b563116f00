import { expect, test } from 'vitest'
import { readIgnoreFile } from './ignore-patterns.ts'

/** Lines, a path, and what the Python package that Harbor uses (pathspec 1.1.1) says of it in both readings. */
const known: [string[], string, boolean | undefined, boolean | undefined][] = [
  [['sub/', '!sub/keep.txt'], 'sub/', true, true],
  [['sub/', '!sub/keep.txt'], 'sub/keep.txt', false, false],
  [['sub/', '!sub/keep.txt'], 'sub/a', true, true],
  [['sub/*', '!sub/keep.txt'], 'sub/keep.txt', false, false],
  [['sub/*', '!sub/keep.txt'], 'sub/a', true, true],
  [['sub/*', '!sub/keep.txt'], 'sub/d/a', true, undefined],
  [['*.txt', '!/a.txt'], 'a.txt', false, false],
  [['*.txt', '!/a.txt'], 'd/a.txt', true, true],
  [['*.txt', '!/a.txt'], 'b.txt', true, true],
  [['/x'], 'x', true, true],
  [['/x'], 'd/x', undefined, undefined],
  [['a/**/b'], 'a/b', true, true],
  [['a/**/b'], 'a/c/b', true, true],
  [['a/**/b'], 'a/c/d/b/e', true, true],
  [['a/**/b'], 'x/a/b', undefined, undefined],
  [['**/x/**'], 'x/a', true, true],
  [['**/x/**'], 'd/x/a', true, true],
  [['**/x/**'], 'x', undefined, undefined],
  [['foo\\ '], 'foo ', true, true],
  [['foo\\ '], 'foo', undefined, undefined],
  [['foo '], 'foo', true, true],
  [['foo '], 'foo ', undefined, undefined],
  [['\\#x', '#y'], '#x', true, true],
  [['\\#x', '#y'], '#y', undefined, undefined],
  [['[!a]*.c'], 'a.c', undefined, undefined],
  [['[!a]*.c'], 'bc.c', true, true],
  [['[]a].c'], '].c', true, true],
  [['[]a].c'], 'a.c', true, true],
  [['[]a].c'], 'b.c', undefined, undefined],
  [['x[a'], 'x[a', undefined, true],
  [['?.c'], '𝒳.c', true, true],
  [['?.c'], 'ab.c', undefined, undefined],
  [['?.c'], '/.c', undefined, undefined],
  [['*/'], 'a', undefined, undefined],
  [['*/'], 'd/a', true, true],
  [['/'], 'a', undefined, true],
  [['a/*'], 'a/b', true, true],
  [['a/*'], 'a/b/c', true, undefined],
  [['c*/**/'], 'caba/x', true, true],
  [['**'], 'a', true, true],
  [['**'], 'd/a', true, true],
  [['*', '!keep/', 'keep/x'], 'keep/x', true, true],
  [['*', '!keep/', 'keep/x'], 'keep/y', true, false],
  [['*', '!keep/', 'keep/x'], 'z', true, true],
]
test.each(known)('[HARB9] patterns are understood as Harbor does: %j %s', (lines, path, git, documented) => {
  const text = lines.join('\n')
  expect([readIgnoreFile(text, 'git')(path), readIgnoreFile(text, 'documented')(path)]).toEqual([git, documented])
})

test('[HARB9] a line that cannot be understood is named', () => {
  for (const line of ['\\', '!', '[z-a]']) expect(() => readIgnoreFile(`a\n${line}`, 'git')).toThrow(new RangeError(line))
})
