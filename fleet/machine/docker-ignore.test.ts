import { expect, test } from 'vitest'
import { TooMuchWork } from '#shared/harbor/path-pattern.ts'
import { leaveOutIgnored } from './docker-ignore.ts'

const fileOf = (path: string, text = '') => ({ path, mode: 0o644, bytes: new TextEncoder().encode(text) })

/** Whether a `.dockerignore` leaves a path out, and the steps that it took. */
function ask(text: string, path: string): { out: boolean; steps: number } {
  const work = { steps_left: 1_000_000 }
  const kept = leaveOutIgnored([fileOf('.dockerignore', text), fileOf(path)], 'Dockerfile', work)
  return { out: kept.length === 1, steps: 1_000_000 - work.steps_left }
}

// Compared with moby/patternmatcher 0.6.1 over 400,000 random patterns; what is left are stars and question marks within brackets.
test.each([
  ['**foo', 'barfoo', true],
  ['**fo?', 'barfoo', false],
  ['**/foo', 'a/foo', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'a', false],
  ['../a', 'a', false],
  ['/../a', 'a', true],
  ['a/../../b', 'b', false],
  ['x[^a]b', 'x/b', true],
  ['[[:digit:]]*', '1a', true],
  ['\\d*', '1a', true],
  ['\\q*', 'q', false],
  ['[z-a]*', 'z', false],
  ['?|b', 'a/b', true],
  ['a{2}*', 'aab', true],
  ['a{2}', 'aa', false],
  ['*^a', 'a', true],
  ['!*\n*\n/!a', 'a', false],
  ['a /', 'a', true],
])('[MACH430] Docker reads %j of %j as %s', (text, path, out) => {
  expect(ask(text, path).out).toBe(out)
})

test('[MACH430] a .dockerignore takes linear time, and one beyond the bound of work is refused', () => {
  for (const part of ['*a', '?*', '**/a', '*[ab]'])
    for (const count of [1, 9, 60]) {
      const pattern = `${part.repeat(count)}[xy]`
      for (const path of ['a'.repeat(200), 'a/'.repeat(100)])
        expect(ask(pattern, `${path}a`).steps, pattern).toBeLessThan((2 * pattern.length + 10) * (path.length + 3))
    }
  const files = [
    fileOf('.dockerignore', '*a*a*a[xy]\n'.repeat(500)),
    ...Array.from({ length: 50 }, (_, at) => fileOf('a'.repeat(100) + at)),
  ]
  expect(() => leaveOutIgnored(files, 'Dockerfile', { steps_left: 100_000 })).toThrow(TooMuchWork)
})
