import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

const drawn = (expected: string, got: string): string =>
  diffLines(expected, got)
    .map((line) => `${{ both: ' ', expected: '-', got: '+' }[line.in]}${line.text}`)
    .join('\n')

test('[UI100] what was expected and what came out stand in one list of lines, as few of them told apart as can be', () => {
  expect(drawn('1\n2\n3', '1\n2\n3')).toBe(' 1\n 2\n 3')
  expect(drawn('1\n2\n3', '1\n4\n3\n5')).toBe(' 1\n-2\n+4\n 3\n+5')
  expect(drawn('a\nb\nc\nd', 'c\nd\na\nb')).toMatch(/^(-a\n-b\n c\n d\n\+a\n\+b|\+c\n\+d\n a\n b\n-c\n-d)$/)
  expect(drawn('6', '7')).toBe('-6\n+7')
  expect(drawn('', 'x')).toBe('-\n+x')
})
