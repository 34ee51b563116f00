import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestedPart } from '../../contract/evidence/tests.ts'
import type { Item } from '../../contract/item.ts'
import { noTables } from '../../scorers/tables.ts'
import type { Sandbox } from '../../solvers/sandbox.ts'
import { said } from '../../solvers/testing/said.ts'
import { type Line, scriptedKit } from '../../solvers/testing/scripted-kit.ts'
import { listRows } from '../rows.ts'
import { openTask } from '../task.ts'
import { card } from './card.ts'
import type { HiddenSteps } from './solver.ts'
import task from './task.ts'
import { exitTest } from './test-step.ts'

const linesOf = (name: string): Record<string, unknown>[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const sample = { test: linesOf('sample.jsonl'), targets: linesOf('sample.targets.jsonl') }
const texts = { no_background: 'N {problem_steps_str}|{next_step_str}|{dependencies}', with_background: 'B {next_step_str}' }

function open(profile: string, rows: Partial<typeof sample> = {}, more: Record<string, string> = {}) {
  const { test: records, targets } = { ...sample, ...rows }
  const found = card.profiles.find(({ id }) => id === profile)!
  return openTask(task, { profile: found, texts: { ...texts, ...more }, rows: { test: listRows(records), targets: listRows(targets) } })
}

/** A sandbox in which every command ends well, and what was done with it. */
function fakeBox(told: string[], ends: (argv: readonly string[]) => number | null = () => 0): Sandbox {
  return {
    async exec({ argv }) {
      told.push(argv[2]?.startsWith('exec') ? 'script' : argv[0]!)
      const exit_code = ends(argv)
      const stdout = new TextEncoder().encode('Python 3.12\n')
      return { end: exit_code === null ? 'unavailable' : 'exited', exit_code, stdout, stderr: new Uint8Array() }
    },
    read: async () => null,
    async write(path) {
      told.push(path)
      return 'written'
    },
  }
}

async function solve(lines: readonly Line[], { profile = 'builtin', index = 0, ends = undefined as Parameters<typeof fakeBox>[1] } = {}) {
  const items = await open(profile)
  const told: string[] = []
  const says = (): Line => {
    const at = told.push('asked') - 1
    return at < lines.length ? lines[at]! : 'x = 1'
  }
  const kit = scriptedKit({ model: says })
  kit.hidden = async () => ({ ok: true, value: await items.hidden!(index) })
  kit.sandbox = async () => ({ ok: true, value: fakeBox(told, ends) })
  const item = await items.item(index, 0)
  return { item, told, kit, done: await task.solver(profile, texts)(item, kit) }
}
const prompts = ({ kit }: Awaited<ReturnType<typeof solve>>): string[] => kit.asked.model.map(({ messages }) => messages[0]!.content)

test('[SCORE191] a prompt has the steps before with their code, the step with its header, and the imports', async () => {
  const item = await (await open('official')).item(0, 0)
  const step = 'Double a number, or each number of an array.'
  const header = "def double(x):\n    '''Double x.\n    Input: x, float or array\n    Output: y, the same kind\n    '''"
  expect(item.messages[0]!.content).toContain(`N |${step}\n\n${header}`)
  expect(item.messages[0]!.content).toMatch(/\n {4}return y\|import numpy as np$/)
  expect((await (await open('aa')).item(0, 0)).messages[0]!.content).toContain(`${step}\nBackground:\nDoubling`)
  const all = prompts(await solve(['def double(x): {0}'], { profile: 'official' }))
  expect(all).toHaveLength(3)
  expect(all[1]).toMatch(/^N Double a number[^|]*\n\ndef double\(x\): \{0\}\|Quadruple/)
  expect(all[2]).toContain('\n\n------\n\nA ladder knows how high its top is.\n\n')
})

test('[SCORE192] a given step is neither asked for nor counted, and its code is read as the profile says', async () => {
  const row = sample.test[0] as { sub_steps: { given_code?: { verbatim: string; official_extract: string } }[] }
  const { verbatim, official_extract } = row.sub_steps[2]!.given_code!
  expect(verbatim).toContain(`class Ladder:`)
  expect(official_extract).toMatch(/^def __init__/)
  for (const [profile, code] of [
    ['official', official_extract],
    ['aa', verbatim],
  ] as const) {
    const found = await solve([], { profile })
    expect(found.item.metadata.steps).toMatchObject([{ tested: true }, { tested: true }, { tested: false, given: code }, { tested: true }])
    expect(found.done).toMatchObject({ ok: true, value: { parts: [{ name: '900.1' }, { name: '900.2' }, { name: '900.4' }] } })
    if (profile === 'official') expect(prompts(found)[2]).toContain(code)
  }
})

test('[SCORE192] a problem that begins with a given step begins with its code; without the official text the model writes it, uncounted', async () => {
  const step = (number: string) => ({ ...(sample.test[1] as { sub_steps: object[] }).sub_steps[0]!, step_number: number })
  const rows = { test: [{ ...sample.test[1]!, problem_id: '62', sub_steps: [step('62.1'), step('62.2')] }] }
  const given = await (await open('aa', rows, { given_62_1: 'class Block: pass' })).item(0, 0)
  expect(given.metadata.steps).toMatchObject([
    { given: 'class Block: pass', tested: false },
    { given: null, tested: true },
  ])
  expect((await (await open('builtin', rows)).item(0, 0)).metadata.steps).toMatchObject([{ given: null, tested: false }, { tested: true }])
  await expect(
    open('official', rows, { given_62_1: 'class Block:\n    def __init__(self):\n        pass' }).then((items) => items.item(0, 0)),
  ).rejects.toThrow('not what the official extraction makes of it')
})

test('[SCORE193] there is one call for every step; code of any worth goes on', async () => {
  const found = await solve(['', 'import x\nnot python', 'fine'])
  expect(prompts(found)).toHaveLength(3)
  expect(prompts(found)[2]).toContain('not python')
  expect(prompts(found)[2]).not.toContain('import x')
  expect(found.done).toMatchObject({
    ok: true,
    value: { text: 'fine', parts: [{ program: '' }, { program: '\nnot python' }, { program: 'fine' }] },
  })
})

test('[SCORE193] a limit leaves the rest unwritten, and one answer that was cut off marks all; a call that fails ends the trial', async () => {
  const limit = { limit: 'turns', most: 1 } as const
  const found = await solve([{ ...said('one'), finish_reason: 'length' }, { limit }])
  expect(found.done).toMatchObject({
    ok: true,
    value: {
      text: 'one',
      limit,
      parts: [{ program: 'one' }, { program: null, tests: Array(3).fill({ end: 'not-run' }) }, { program: null }],
    },
  })
  const cut = await solve([{ ...said('one'), finish_reason: 'length' }, 'two', 'three'])
  expect(cut.done).toMatchObject({ ok: true, value: { finish_reason: 'length', text: 'three' } })
  const none = await solve([{ limit }])
  expect(none.told).toEqual(['asked'])
  expect((await solve(['one', null])).done).toMatchObject({ ok: false, failure: { at: 'provider' } })
})

test('[SCORE197] the sandbox opens after the last answer, and each script finds the targets of its own step in an emptied place', async () => {
  const { told } = await solve([])
  expect(told.slice(0, 5)).toEqual(['asked', 'asked', 'asked', 'check.py', 'python3'])
  const one = ['sh', expect.stringContaining('scicode/__init__.py'), 'step/script.py', 'step/targets', 'script']
  const kept = told.slice(5).filter((name) => !name.includes('scicode/') || name.endsWith('scicode/__init__.py'))
  expect(kept).toEqual([...one, ...one, ...one])
})

test('[SCORE197] targets that are not there or cannot be read are a failure of the data set', async () => {
  const hidden = async (targets: Record<string, unknown>[]) => (await (await open('aa', { targets })).hidden!(0)) as HiddenSteps
  const missing = await hidden(sample.targets.slice(1))
  expect(await missing.targets('900.1')).toMatchObject({
    ok: false,
    failure: { at: 'dataset', reason: 'bad-record', detail: 'test row 0: the targets have no step 900.1' },
  })
  const unread = await hidden([
    { name: '900.1', data: '', root: { type: 'group', members: [['test1', { type: 'unread', why: 'no shape' }]] } },
  ])
  expect(await unread.targets('900.1')).toMatchObject({ ok: false, failure: { detail: 'targets row 0: 900.1/test1: no shape' } })
  expect(missing.cases('900.2')).toHaveLength(2)
  await expect(open('aa', { targets: [{ ...sample.targets[0]!, data: 'no base64!' }] })).rejects.toThrow('targets row 0')
})

test('[SCORE199] a sandbox without the packages, or that goes away, is a failure that says so', async () => {
  const without = await solve([], { ends: (argv) => (argv.at(-1) === 'check.py' ? 1 : 0) })
  expect(without.done).toMatchObject({
    ok: false,
    failure: { at: 'sandbox', retryable: true, detail: expect.stringContaining('python3-scipy') },
  })
  const gone = await solve([], { ends: (argv) => (argv.at(-1) === '/usr/bin/python3' || argv.at(-1) === 'python3' ? null : 0) })
  expect(gone.done).toMatchObject({ ok: false, failure: { at: 'sandbox', detail: 'The sandbox was gone while step 900.1 was tested.' } })
  const full = await solve([], { ends: (argv) => (argv[2]?.startsWith('find') ? 1 : 0) })
  expect(full.done).toMatchObject({ ok: false, failure: { detail: 'The sandbox could not be emptied before step 900.1 (exited).' } })
})

const part = (
  name: string,
  ends: TestedPart['tests'][number]['end'][],
  exit: TestedPart['tests'][number]['end'],
  program: string | null = 'x',
): TestedPart => {
  const tests = [
    ...ends.map((end, index) => ({ name: `test ${index + 1}`, end, took_ms: null })),
    { name: exitTest, end: exit, took_ms: 1 },
  ]
  return {
    name,
    language: 'python',
    program,
    patch: null,
    build: null,
    total: tests.length,
    tests,
    output: '',
    took_ms: 1,
    memory_mb: null,
  }
}
const scoreOf = (item: Item, parts: TestedPart[]) =>
  task.score(
    item,
    { kind: 'tests', text: '', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false, parts },
    'aa',
    noTables,
  )

test('[SCORE195] a problem is right when every tested step ended with status 0; early exits and missing programs are told', async () => {
  const item = await (await open('aa')).item(0, 0)
  const [one, two] = [part('900.1', ['passed'], 'passed'), part('900.2', ['passed'], 'passed')]
  expect(scoreOf(item, [one, two, part('900.4', ['passed'], 'passed')])).toMatchObject({ value: 1, answer: '3 of 3 steps', flags: [] })
  expect(scoreOf(item, [one, two, part('900.4', ['passed', 'not-run'], 'passed')])).toMatchObject({ value: 1, flags: ['early_exit'] })
  expect(scoreOf(item, [one, two, part('900.4', ['passed'], 'failed')])).toMatchObject({ value: 0, answer: '2 of 3 steps' })
  expect(scoreOf(item, [one, two])).toMatchObject({
    value: 0,
    flags: ['missing_program'],
    detail: { steps: [{}, {}, { step: '900.4', passed: false }] },
  })
  expect(scoreOf(item, [one, two, part('900.4', [], 'failed', ' ')])).toMatchObject({ flags: ['missing_program'] })
  expect(scoreOf({ ...item, metadata: {} }, [one])).toMatchObject({ value: 0, answer: '0 of 0 steps' })
})
