import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IgnoreReading, matchSteps, mostPatternChars, mostPatterns, readIgnoreFile } from './ignore-patterns.ts'
import { TooMuchWork } from './path-pattern.ts'

const readings = ['git', 'documented'] as const satisfies IgnoreReading[]

/** Steps that one pattern takes over one path. */
function stepsOf(pattern: string, path: string, reading: IgnoreReading): number {
  const work = { steps_left: matchSteps }
  readIgnoreFile(pattern, reading, work)(path)
  return matchSteps - work.steps_left
}

test('[HARB430] a pattern takes at most one step for each of its characters and each of a path, however many stars it has', () => {
  const name = 'a'.repeat(200)
  const stars = [1, 2, 9, 40, 100].flatMap((count) => ['*a', '?*', '*[ab]', 'a*?'].map((part) => `${part.repeat(count)}[xy]`))
  const folders = [1, 3, 30].flatMap((count) => ['**/*a*/', '*/**/', '**/a*'].map((part) => `${part.repeat(count)}[xy]`))
  const paths = [name, `${name}/`.repeat(4), `${'a/'.repeat(200)}a`]
  // `**/` and `/**` are five tokens each; the leading one is not written.
  for (const reading of readings)
    for (const pattern of [...stars, ...folders])
      for (const path of paths) expect(stepsOf(pattern, path, reading), pattern).toBeLessThan((2 * pattern.length + 10) * (path.length + 2))
})

test('[HARB430] an ignore file with too many, too long or too costly patterns is refused with a named bound', () => {
  for (const reading of readings) {
    const many = Array.from({ length: mostPatterns + 1 }, (_, at) => `x${at}`).join('\n')
    expect(() => readIgnoreFile(many, reading)).toThrow(new RangeError(`it has more than ${mostPatterns} patterns`))
    expect(() => readIgnoreFile('x'.repeat(mostPatternChars + 1), reading)).toThrow(`a pattern may have ${mostPatternChars} characters`)
    const costly = readIgnoreFile('*a*a*a*a[xy]\n'.repeat(1000), reading, { steps_left: 10_000 })
    expect(() => costly('a'.repeat(60))).toThrow(TooMuchWork)
  }
  // A line of white space that does not end it is read in linear time too.
  expect(readIgnoreFile(`${' '.repeat(1000)}x`, 'git')(`${' '.repeat(1000)}x`)).toBe(true)
})

/** What Git says of each path under one pattern in a folder of its own. */
function askGit(cases: readonly (readonly [string, string])[]): boolean[] {
  const root = mkdtempSync(join(tmpdir(), 'bench-git-'))
  try {
    for (const [at, [pattern]] of cases.entries()) {
      mkdirSync(join(root, `d${at}`))
      writeFileSync(join(root, `d${at}`, '.gitignore'), `${pattern}\n`)
    }
    const git = (args: string[], input = '') =>
      spawnSync('git', args, { cwd: root, input, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' } })
    git(['init', '-q'])
    const paths = cases.map(([, path], at) => `d${at}/${path}\0`).join('')
    const told = git(['check-ignore', '--no-index', '-z', '--stdin'], paths).stdout.split('\0')
    const ignored = new Set(told)
    return cases.map(([, path], at) => ignored.has(`d${at}/${path}`))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const hasGit = spawnSync('git', ['--version']).status === 0
test.skipIf(!hasGit)('[HARB430] random patterns fit the paths that git check-ignore says', () => {
  const glob = fc.array(fc.constantFrom('a', 'b', 'ab', '*', '?', '[ab]', '[b-c]', '\\*', '.', 'c'), { minLength: 1, maxLength: 4 })
  const segment = fc.oneof({ weight: 3, arbitrary: glob.map((parts) => parts.join('')) }, { weight: 1, arbitrary: fc.constant('**') })
  const pattern = fc
    .tuple(fc.constantFrom('', '', '/'), fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '', '/'))
    .map(([first, parts, last]) => `${first}${parts.join('/')}${last}`)
    // Git and pathspec, which Harbor reads with, disagree about stars in a row within a name, about patterns of nothing else, and about `a/**/` at the
    // end: for pathspec that is all that lies in `a`, for Git the folders in it.
    .filter((one) => !/[^/]\*\*|\*\*[^/]|\*\*\*|\*\*\/$/.test(one) && /[^/*]/.test(one))
  const name = fc.array(fc.constantFrom('a', 'b', 'c', 'ab', '.', '*'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
  const path = fc
    .array(
      name.filter((one) => !/^\.+$/.test(one)),
      { minLength: 1, maxLength: 4 },
    )
    .map((names) => names.join('/'))
  fc.assert(
    fc.property(fc.array(fc.tuple(pattern, path), { minLength: 200, maxLength: 200 }), (cases) => {
      const ours = cases.map(([line, one]) => readIgnoreFile(line, 'git')(one) ?? false)
      const told = askGit(cases)
      for (const [at, one] of cases.entries()) expect([one, ours[at]]).toEqual([one, told[at]])
    }),
    { numRuns: 1, endOnFailure: true },
  )
})
