import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { afterAll, expect, test } from 'vitest'
import { readTree } from '../architecture/source-tree.ts'
import { argued } from './argued.ts'
import { choose } from './choose.ts'
import { named, toNamed } from './named.ts'
import { type Mutant, mutantsOf, plant } from './operators.ts'
import { testsOf } from './reach.ts'
import { report } from './report.ts'
import { ruleBugs } from './rule-bugs.ts'
import { targetsIn } from './targets.ts'
import { Workbench } from './workbench.ts'

const root = resolve(import.meta.dirname, '..', '..')
const dir = mkdtempSync(join(tmpdir(), 'bench-mutants-test-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const changes = (source: string) => mutantsOf('a.ts', source).map(({ operator, after }) => `${operator}: ${after}`)

test('[CHECK5] every operator plants its bug, on one line, and the rest of the file stays', () => {
  expect(changes('for (;;) if (a < b) break')).toEqual(['guard: for (;;) ;', 'boundary: for (;;) if (a <= b) break'])
  expect(changes('const x = a === 1 && !b')).toEqual([
    'equality: const x = a !== 1 && !b',
    'number: const x = a === 0 && !b',
    'logical: const x = a === 1 || !b',
    'negation: const x = a === 1 && b',
  ])
  expect(changes('const x = on ? a?.b : false')).toEqual([
    'condition: const x = false ? a?.b : false',
    'condition: const x = true ? a?.b : false',
    'optional: const x = on ? a.b : false',
    'boolean: const x = on ? a?.b : true',
  ])
  expect(changes('x += Math.min(a - b, c)')).toEqual([
    'statement: ;',
    'arithmetic: x -= Math.min(a - b, c)',
    'extreme: x += Math.max(a - b, c)',
    'arithmetic: x += Math.min(a + b, c)',
  ])
  expect(changes('const x = list.filter(good)')).toEqual(['method: const x = list'])
  const source = 'one()\nif (a) two()\nthree()\n'
  for (const mutant of mutantsOf('a.ts', source)) expect(plant(source, mutant).split('\n')).toHaveLength(4)
})

test('[CHECK5] every planted bug is still a program: a file that does not load would be found by anything', async () => {
  expect(changes('if (!(a in b)) c()')).toContain('negation: if ((a in b)) c()')
  expect(changes('const x = (a ?? b).slice(c)')).toEqual(['method: const x = (a ?? b)'])
  const tree = await readTree(root)
  const all = targetsIn(tree.keys()).flatMap((path) => mutantsOf(path, tree.get(path)!))
  for (const mutant of choose(all, 400, 'any'))
    expect(() => parseAst(plant(tree.get(mutant.path)!, mutant), { lang: 'ts' }), mutant.after).not.toThrow()
})

test('[CHECK5] types, imports, texts and lines for people are left alone', () => {
  expect(changes(`import { a } from './b.ts'`)).toEqual([])
  expect(changes('type A = 1 | true')).toEqual([])
  expect(changes('console.log(name)')).toEqual([])
  expect(changes("const x = 'a' + b + `c`")).toEqual([])
})

test('[CHECK6] the same seed chooses the same bugs, in every file, also when another file changes', () => {
  const files = { 'a.ts': 'const x = a < b && c > d && e === f', 'b.ts': 'if (a) b(); if (c) d()', 'c.ts': 'x(); y(); z()' }
  const all = Object.entries(files).flatMap(([path, source]) => mutantsOf(path, source))
  const chosen = choose(all, 6, 'seed')
  expect(chosen).toHaveLength(6)
  expect(new Set(chosen.map(({ path }) => path)).size).toBe(3)
  expect(choose(all.toReversed(), 6, 'seed')).toEqual(chosen)
  const changed = [...all.filter(({ path }) => path !== 'c.ts'), ...mutantsOf('c.ts', 'first(); x(); y(); z()')]
  const of = (mutants: Mutant[]) => mutants.filter(({ path }) => path === 'a.ts')
  expect(of(choose(changed, 6, 'seed')).every((mutant) => of(choose(all, 7, 'seed')).some((one) => one.after === mutant.after))).toBe(true)
  expect(choose(all, 1_000, 'seed')).toHaveLength(all.length)
})

test('[CHECK7] every bug that has a name, and every argument, still fits the file as it stands', () => {
  for (const one of named) expect(() => toNamed(one, readFileSync(join(root, one.path), 'utf8'))).not.toThrow()
  expect(() => toNamed({ name: 'n', path: 'a.ts', find: 'x', replace: '' }, 'x x')).toThrow('exactly one place')
  for (const { path, before, after } of argued) {
    const source = readFileSync(join(root, path), 'utf8')
    const all = [...mutantsOf(path, source), ...named.filter((one) => one.path === path).map((one) => toNamed(one, source))]
    expect(all.map((mutant) => ({ before: mutant.before, after: mutant.after }))).toContainEqual({ before, after })
  }
})

test('[CHECK11] every bug in the line of a rule fits the file as it stands, and its file of tests has tests of that rule', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  for (const bug of ruleBugs) {
    const mutant = toNamed({ ...bug, name: bug.rule }, read(bug.path))
    const changed = plant(read(bug.path), mutant)
    expect([bug.path, bug.find, changed === read(bug.path)]).toEqual([bug.path, bug.find, false])
    if (bug.path.endsWith('.ts')) expect(() => parseAst(changed, { lang: 'ts' }), mutant.after).not.toThrow()
    expect([bug.rule, bug.test, read(bug.test).includes(`[${bug.rule}]`)]).toEqual([bug.rule, bug.test, true])
  }
})

const fate = (n: number, by: string | null) => ({
  mutant: { path: 'a.ts', operator: 'number' as const, start: 0, end: 0, text: '', line: n, before: `before ${n}`, after: `after ${n}` },
  by,
  slow: by === 'too slow',
})

test('[CHECK8] nine tenths killed is not enough; survivors are shown with their lines, and argued ones do not count', () => {
  const nine = Array.from({ length: 9 }, (_, n) => fate(n, 'a test'))
  const { text, ok } = report([...nine, fate(9, null)], [])
  expect(ok).toBe(false)
  expect(text).toContain('survived\na.ts:9  number\n  - before 9\n  + after 9\n')
  expect(text).toContain('10 mutants, 9 killed (0 by time), 1 survived, 0 argued: 90.0 % killed')
  expect(report([fate(0, 'too slow'), fate(1, 'a test')], []).text).toContain('2 mutants, 2 killed (1 by time), 0 survived')
  expect(report([...nine, fate(9, 'a test'), fate(10, null)], []).ok).toBe(true)
  const spared = report([...nine, fate(9, null)], [{ path: 'a.ts', before: 'before 9', after: 'after 9', because: 'it is the same' }])
  expect(spared.ok).toBe(true)
  expect(spared.text).toContain('a.ts:9  number: it is the same')
  expect(report([], []).ok).toBe(false)
})

test('[CHECK9] tests are found by what they import, nearest first; a type is no import, and objects are reached by bindings', () => {
  const source = (path: string, specifier: string, typeOnly = false) => ({
    path,
    text: '',
    program: { type: 'Program', start: 0, end: 0 },
    imports: [{ specifier, typeOnly, lazy: false, line: 1 }],
  })
  const sources = [
    source('shared/far.test.ts', './near.ts'),
    source('shared/near.ts', './code.ts'),
    source('shared/code.test.ts', './code.ts'),
    source('shared/types.test.ts', './code.ts', true),
    source('edge/objects/testing/objects-worker.ts', '#shared/code.ts'),
    source('edge/objects/run.workers.test.ts', 'cloudflare:test'),
    source('e2e/all.test.ts', '#shared/code.ts'),
  ]
  expect(testsOf('shared/code.ts', sources)).toEqual([
    { path: 'shared/code.test.ts', project: 'unit', distance: 1 },
    { path: 'shared/far.test.ts', project: 'unit', distance: 2 },
    { path: 'edge/objects/run.workers.test.ts', project: 'workers', distance: 2 },
  ])
  const many = Array.from({ length: 20 }, (_, n) => source(`shared/${n < 14 ? 'other/' : ''}${n}.test.ts`, '#shared/code.ts'))
  const found = testsOf('shared/code.ts', many).map(({ path }) => path)
  expect(found).toHaveLength(12)
  expect(found.slice(0, 6)).toEqual([14, 15, 16, 17, 18, 19].map((n) => `shared/${n}.test.ts`))
})

test('[CHECK10] a planted bug is found by its test, an endless one by its time, and neither touches the tree itself', async () => {
  const source = 'export const total = (n: number) => { let sum = 0; for (let i = 0; i < n; i++) sum += i; return sum }\n'
  const tree: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'vitest.config.ts': `export default { test: { projects: [{ test: { name: 'unit', include: ['*.test.ts'] } }] } }`,
    'total.ts': source,
    'total.test.ts': `import { expect, test } from 'vitest'; import { total } from './total.ts'; test('sums', () => expect(total(4)).toBe(6))`,
    'prove/mutants/test-server.ts': readFileSync(join(root, 'prove/mutants/test-server.ts'), 'utf8'),
  }
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(join(dir, 'tree', dirname(path)), { recursive: true })
    writeFileSync(join(dir, 'tree', path), text)
  }
  symlinkSync(join(root, 'node_modules'), join(dir, 'tree', 'node_modules'))
  await using bench = new Workbench(join(dir, 'tree'), Object.keys(tree))
  const run = (limitMs = 60_000) => bench.run('total.test.ts', 'unit', limitMs)
  expect(await run()).toEqual({ failure: null, by_test: false, tests: 1 })
  bench.write('total.ts', source.replace('i < n', 'i <= n'))
  expect(await run()).toEqual({ failure: 'sums', by_test: true, tests: 1 })
  expect(await bench.run('total.test.ts', 'unit', 60_000, '[RULE1]')).toEqual({ failure: null, by_test: false, tests: 0 })
  expect(await bench.run('total.test.ts', 'unit', 60_000, 'sum')).toEqual({ failure: 'sums', by_test: true, tests: 1 })
  bench.write('total.ts', 'export const total = ')
  expect(await run()).toMatchObject({ failure: expect.stringContaining('does not load'), by_test: false })
  bench.write('total.ts', source.replace('i++', ''))
  expect(await run(3_000)).toBe('too slow')
  bench.write('total.ts', source)
  expect(await run()).toEqual({ failure: null, by_test: false, tests: 1 })
  expect(readFileSync(join(dir, 'tree', 'total.ts'), 'utf8')).toBe(source)
}, 180_000)
