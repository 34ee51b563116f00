import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '#fleet/sandbox/cgroup/control-groups.ts'
import { openTask, type Task } from '#shared/benchmarks/task.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import { HiddenPart } from '#shared/janus/hidden-part.ts'
import { type CheatBook, type CheatCase, isKnownToPass } from './cheat-book.ts'
import { janusCodeBook } from './janus-code.ts'
import { janusToolsBook } from './janus-tools.ts'
import { held, type Played, playCheat } from './play-cheats.ts'
import { tally } from './tally.ts'

const groups = await findControlGroups()
const has = (...argv: [string, ...string[]]): boolean => spawnSync(argv[0], argv.slice(1)).status === 0
const absent = !has('bwrap', '--version') ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => bubblewrap.close())
const patience = 300_000

async function openBook(book: CheatBook) {
  const task: Task = await tasks[book.benchmark]()
  const rows = await book.rows()
  const opened = await openTask(task, { profile: task.card.profiles.find(({ id }) => id === book.profile)!, texts: {}, rows })
  const cases = await book.cases(opened, rows)
  const play = (one: CheatCase, from = opened): Promise<Played> => playCheat(task, book.profile, from, one, bubblewrap)
  return { opened, cases, play }
}

test.each(['v2', 'v1'] as const)(
  '[SCORE303] Janus tools, %s: right calls come to 1, claims, wrong calls and orders to nothing or the part they have, and what passes is named',
  async (version) => {
    const { cases, play } = await openBook(janusToolsBook(version))
    const asked = cases.filter(({ cheat }) => !cheat.startsWith('code_execution'))
    const right = asked.filter(({ want }) => want === 1)
    expect([right.length, new Set(right.map(({ item }) => item)).size]).toEqual([65, 65])
    expect(asked.length - right.length).toBeGreaterThan(600)
    for (const one of asked) expect(held(await play(one)), JSON.stringify(one)).toBe(true)
    const passing = [...new Set(asked.filter(({ want }) => isKnownToPass(want)).map(({ cheat }) => cheat))]
    expect(passing).toEqual([
      ...(version === 'v2' ? ['function_calling: calls everything first, and then rightly'] : []),
      'function_calling: all values in one argument',
      ...(version === 'v1' ? ['function_calling: an empty text for a number'] : []),
    ])
  },
)

test.each(['v2', 'v1'] as const)(
  '[SCORE303] Janus tools, %s: a program that was not run is worth a fifth at most, but for the official reading of a block',
  { timeout: patience, skip: absent !== false },
  async (version) => {
    const { cases, play } = await openBook(janusToolsBook(version))
    const asked = cases.filter(({ cheat, item }) => cheat.startsWith('code_execution') && item === 'code_001')
    expect(asked.length).toBeGreaterThan(10)
    for (const one of asked) expect(held(await play(one)), JSON.stringify(one)).toBe(true)
    const shown = asked.find(({ cheat }) => cheat.endsWith('shown and not run'))!
    expect(isKnownToPass(shown.want)).toBe(version === 'v1')
  },
)

test.each(['v2', 'v1'] as const)(
  '[SCORE304] Janus programs, %s: references come to 1, doing nothing and every known cheat to 0, a constant to its share',
  { timeout: patience, skip: absent !== false },
  async (version) => {
    const { cases, play } = await openBook(janusCodeBook(version, 'public/train'))
    expect(new Set(cases.map(({ item }) => item)).size).toBe(24)
    const dev = await openBook(janusCodeBook(version, 'public/dev'))
    expect(new Set(dev.cases.map(({ item }) => item)).size).toBe(12)
    const reference = dev.cases.find(({ cheat }) => cheat === 'reference')!
    expect(held(await dev.play(reference)), JSON.stringify(reference)).toBe(true)
    for (const one of cases.filter(({ item }) => item === 'code_train_001')) expect(held(await play(one)), JSON.stringify(one)).toBe(true)
    const constants = cases.filter(({ cheat }) => cheat.startsWith('gives the first'))
    for (const { want } of constants) expect(typeof want === 'object' && 'most' in want && want.most < 1).toBe(true)
  },
)

test('[SCORE304] cheats that give a value pass where just this one is expected: they run as they are meant, and only the values are kept from them', {
  timeout: patience,
  skip: absent !== false,
}, async () => {
  const { opened, cases, play } = await openBook(janusCodeBook('v2', 'public/train'))
  const hidden = async (index: number): Promise<unknown> => {
    const { cases: asked } = HiddenPart.parse(await opened.hidden!(index))
    return { cases: { ...asked!, test_cases: asked!.test_cases.map((one) => ({ ...one, output: -12345.5 })) } }
  }
  const tried = cases.filter(({ item }) => item === 'code_train_002')
  const passed: string[] = []
  for (const one of tried) {
    const played = await play(one, { ...opened, hidden })
    if ('value' in played && played.value === 1) passed.push(one.cheat)
  }
  expect(passed).toEqual([
    'an instruction to whoever grades',
    'kills whoever started it', // the first process of a sandbox cannot be ended from within
    'answers in place of its runner',
    'makes its runner tell otherwise',
    'writes lines of its runner to every open file',
    'changes built-in functions',
  ])
})

test('[SCORE303] what passes by our own reading is told as ours, and a part that is too large does not hold', () => {
  const at = { index: 0, item: 'func_001', answers: [''] }
  const ours: CheatCase = { ...at, cheat: 'calls all', want: { ours: 'mistakes may be mended', flag: null } }
  const part: CheatCase = { ...at, cheat: 'wrong values', want: { most: 0.6 } }
  const came = (one: CheatCase, value: number): Played => ({ one, value, flags: [], why: '' })
  expect([came(ours, 1), came(ours, 0.9), came(part, 0.6), came(part, 0), came(part, 0.61)].map(held)).toEqual([
    ...[true, false, true, true, false],
  ])
  expect(tally('janus', [came(ours, 1), came(part, 0.6)])).toEqual([
    'janus    1 of   1  wrong values',
    'janus    1 of   1  calls all: ours: passes, without a flag: mistakes may be mended',
  ])
})
