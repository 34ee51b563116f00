import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '#fleet/sandbox/cgroup/control-groups.ts'
import { HiddenTests } from '#shared/benchmarks/livecodebench/hidden-tests.ts'
import { openTask, type Task } from '#shared/benchmarks/task.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import { someOf } from '#shared/testing/draws.ts'
import type { CheatBook, CheatCase } from './cheat-book.ts'
import { livecodebenchBook } from './livecodebench.ts'
import { held, type Played, playCheat } from './play-cheats.ts'
import { scicodeBook } from './scicode.ts'
import { tally } from './tally.ts'

const groups = await findControlGroups()
const has = (...argv: [string, ...string[]]): boolean => spawnSync(argv[0], argv.slice(1)).status === 0
const absent = !has('bwrap', '--version') ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
const numeric = has('/usr/bin/python3', '-c', 'import h5py, matplotlib, numpy, scipy, sympy')
if (absent) console.info(`skipped: ${absent}`)
else if (!numeric) console.info('skipped: the book of SciCode, whose packages are not installed for /usr/bin/python3')
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => bubblewrap.close())

async function openBook(book: CheatBook) {
  const task: Task = await tasks[book.benchmark]()
  const rows = await book.rows()
  const opened = await openTask(task, { profile: task.card.profiles.find(({ id }) => id === book.profile)!, texts: {}, rows })
  return { task, opened, cases: await book.cases(opened, rows) }
}
const patience = 300_000
/** Draws a sixth of the cheats. `npm run prove -- deep` plays all cheats. */
const sixthOf = <T>(cheats: readonly T[]): readonly T[] => someOf(cheats, Math.ceil(cheats.length / 6))

test('[SCORE226] LiveCodeBench: references come to 1, doing nothing and every known cheat to 0', {
  timeout: patience,
  skip: absent !== false,
}, async () => {
  const { task, opened, cases } = await openBook(livecodebenchBook)
  expect(cases.filter(({ want }) => want === 1).map(({ item }) => item)).toEqual(['sample_00', 'sample_02', 'sample_17'])
  const known = cases.filter(({ index, want }) => index < 17 || want === 1)
  const references = known.filter(({ want }) => want === 1)
  for (const one of [...references, ...sixthOf(known.filter(({ want }) => want !== 1))]) {
    const played = await playCheat(task, livecodebenchBook.profile, opened, one, bubblewrap)
    expect(held(played), JSON.stringify(played)).toBe(true)
  }
})

/** What ends, breaks or answers otherwise by its own doing, whatever the tests are. */
const dead =
  /answer$|without code|empty|does nothing|exits|kills|becomes|in the statement|verdict|forges the end|by hand|closes|changes builtins|instance of|output of its own|a child|is equal/

test('[SCORE226] cheats that answer with the public example pass where nothing else is asked: they run as they are meant', {
  timeout: patience,
  skip: absent !== false,
}, async () => {
  const { task, opened, cases } = await openBook(livecodebenchBook)
  const public_ = async (index: number): Promise<unknown> => {
    const { inputs, outputs, fn_name } = HiddenTests.parse(await opened.hidden!(index))
    return { inputs: inputs.slice(0, 1), outputs: outputs.slice(0, 1), fn_name }
  }
  const tried = cases.filter(({ index, cheat, want }) => index < 17 && want === 0 && !dead.test(cheat))
  expect(tried.length).toBeGreaterThan(25)
  for (const one of sixthOf(tried)) {
    const played = await playCheat(task, livecodebenchBook.profile, { ...opened, hidden: public_ }, one, bubblewrap)
    expect('value' in played && played.value, JSON.stringify(played)).toBe(1)
  }
})

test('[SCORE227] SciCode: references come to 1, doing nothing and every cheat to 0 but those that officially pass, which do so with their flag', {
  timeout: patience,
  skip: absent !== false || !numeric,
}, async () => {
  const { task, opened, cases } = await openBook(scicodeBook)
  expect(cases.filter(({ want }) => want === 1).map(({ item }) => item)).toEqual(['900', '901', '902'])
  for (const one of cases.filter(({ item }) => item === '902')) {
    const played = await playCheat(task, scicodeBook.profile, opened, one, bubblewrap)
    expect(held(played), JSON.stringify(played)).toBe(true)
  }
})

test('[SCORE228] what officially passes is named with its reason and flag behind all others; it holds only where it passes with that flag', () => {
  const at = { index: 0, item: '900', answers: [''] }
  const official: CheatCase = { ...at, cheat: 'exits', want: { official: 'status is all', flag: 'early_exit' } }
  const unmarked: CheatCase = { ...at, cheat: 'sees all', want: { official: 'one process', flag: null } }
  const cheat: CheatCase = { ...at, cheat: 'prints', want: 0 }
  const came = (one: CheatCase, value: number, ...flags: string[]): Played => ({ one, value, flags, why: '' })
  expect([came(official, 1, 'early_exit'), came(unmarked, 1), came(cheat, 0)].map(held)).toEqual([true, true, true])
  expect([came(official, 1), came(official, 0, 'early_exit'), came(unmarked, 0), came(cheat, 1, 'early_exit')].map(held)).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect(held({ one: official, missing: 'no sandbox' })).toBe(false)
  expect(tally('scicode', [came(official, 1, 'early_exit'), came(official, 1), came(unmarked, 1), came(cheat, 0)])).toEqual([
    'scicode    1 of   1  prints',
    'scicode    1 of   2  exits: official: passes, flag early_exit: status is all',
    'scicode    1 of   1  sees all: official: passes, without a flag: one process',
  ])
})
