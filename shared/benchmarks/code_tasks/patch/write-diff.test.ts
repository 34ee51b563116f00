import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pythonRandom } from '../../../random/python-random.ts'
import type { Files } from '../catalogue-task.ts'
import { applyDiff } from './apply-diff.ts'
import { writeDiff } from './write-diff.ts'

/** Two sets of small files that have much in common, drawn by a seed. */
function drawPair(seed: number): [Files, Files] {
  const random = pythonRandom(seed)
  const draw = (most: number): number => Math.floor(random.random() * most)
  const line = (): string => ['', 'a', 'b', 'a  b', '-- c', '++ d', '@@', '\tx', '\\ y'][draw(9)]!
  const text = (lines: readonly string[], ending: string): string =>
    lines.length === 0 ? '' : lines.join(ending) + (draw(3) > 0 ? ending : '')
  const before: Record<string, string> = {}
  const after: Record<string, string> = {}
  for (const path of ['one.txt', 'in/two.txt', 'in/deep/three.txt']) {
    const ending = draw(4) === 0 ? '\r\n' : '\n'
    const lines = Array.from({ length: 1 + draw(30) }, line)
    const edited = lines.flatMap((one) => (draw(8) > 0 ? [one] : [[], [line()], [one, line()]][draw(3)]!))
    if (draw(6) > 0) before[path] = text(lines, ending)
    const fresh = text(edited, ending)
    if (draw(6) > 0 && fresh !== '') after[path] = fresh
  }
  return [before, after]
}

const pairs = Array.from({ length: 300 }, (_, seed) => drawPair(seed))

test('[SCORE216] a diff of long files that have little in common takes no more memory than a short one, and applies', () => {
  const lines = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}\n`).join('')
  const text = (word: string) => `same\n${lines(word)}kept\n${lines(word)}end\n`
  const [before, after] = [{ 'a.txt': text('old') }, { 'a.txt': text('new') }]
  const diff = writeDiff(before, after)
  expect(applyDiff(before, diff, { rewrite: false })).toEqual({ ok: true, files: after, rewritten: false })
  expect(diff.split('\n').slice(2, 5)).toEqual(['@@ -1,6003 +1,6003 @@', ' same', '-old 0'])
  // To find the line in the middle would take a table of 36 million entries.
  expect(diff.split('\n').filter((line) => line.endsWith('kept'))).toEqual(['-kept', '+kept'])
})

test('[SCORE216] a diff that we write gives what it was made for', () => {
  for (const [before, after] of pairs) {
    const diff = writeDiff(before, after)
    if (diff === '') expect(after).toEqual(before)
    else expect(applyDiff(before, diff, { rewrite: false })).toEqual({ ok: true, files: after, rewritten: false })
  }
})

test('[SCORE216] git applies the diffs that we write, to the same end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-diff-'))
  try {
    for (const [index, [before, after]] of pairs.slice(0, 40).entries()) {
      const at = join(folder, String(index))
      for (const [path, text] of Object.entries(before)) {
        mkdirSync(dirname(join(at, path)), { recursive: true })
        writeFileSync(join(at, path), text)
      }
      mkdirSync(at, { recursive: true })
      const diff = writeDiff(before, after)
      if (diff === '') continue
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
        cwd: at,
        input: diff,
        env: { ...process.env, GIT_CEILING_DIRECTORIES: folder },
      })
      const found = Object.keys(after).map((path) => [path, readFileSync(join(at, path), 'utf8')])
      expect(Object.fromEntries(found)).toEqual(after)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('[SCORE216] changes that are close share their context, and far ones are apart', () => {
  const numbers = Array.from({ length: 30 }, (_, index) => `${index}\n`)
  const edited = numbers.map((line, index) => (index === 4 || index === 9 || index === 25 ? `new ${line}` : line))
  const heads = writeDiff({ n: numbers.join('') }, { n: edited.join('') }).match(/^@@.*$/gm)
  expect(heads).toEqual(['@@ -2,12 +2,12 @@', '@@ -23,7 +23,7 @@'])
  expect(writeDiff({ n: 'a' }, { n: 'a' })).toBe('')
})
