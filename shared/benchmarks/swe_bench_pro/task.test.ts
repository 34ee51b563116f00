import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestEnd, TestedPart, TestsEvidence } from '../../contract/evidence/tests.ts'
import type { Outcome } from '../../contract/failure.ts'
import { Item } from '../../contract/item.ts'
import { noTables } from '../../scorers/tables.ts'
import type { Kit } from '../../solvers/kit.ts'
import type { Downloaded, Machine, MachineExecResult } from '../../solvers/machine.ts'
import { scriptedKit } from '../../solvers/testing/scripted-kit.ts'
import { listRows } from '../rows.ts'
import { openTask } from '../task.ts'
import { card } from './card.ts'
import { gradePatch } from './grade.ts'
import { type HiddenInstance, Instance, machineImage } from './instance.ts'
import { solveInstance } from './solve.ts'
import task from './task.ts'

type Row = Record<string, unknown>
const linesOf = (name: string): Row[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const sample = { test: linesOf('sample.jsonl'), scripts: linesOf('sample.scripts.jsonl') }
const open = (rows: Partial<typeof sample> = {}) => {
  const { test: records, scripts } = { ...sample, ...rows }
  return openTask(task, { profile: card.profiles[0]!, texts: {}, rows: { test: listRows(records), scripts: listRows(scripts) } })
}
const changed = (change: Row): { test: Row[] } => ({ test: [{ ...sample.test[0], ...change }] })
const opened = await open()
const item = await opened.item(0, 0)
const hidden = (await opened.hidden!(0)) as HiddenInstance

test('[SCORE249] an item shows the statement and where its instance lies, and nothing of its tests, its solution or its scripts', () => {
  expect(Item.parse(item)).toEqual(item)
  const shown = JSON.stringify([item.messages, item.target, item.metadata])
  for (const kept of [
    hidden.gold_patch,
    hidden.run_script,
    hidden.parser,
    ...hidden.fail_to_pass,
    ...hidden.pass_to_pass,
    hidden.last_command,
  ])
    expect(shown).not.toContain(JSON.stringify(kept).slice(1, -1))
  for (const commit of Instance.parse(item.metadata).solution_commits) expect(JSON.stringify(item.messages)).not.toContain(commit)
  expect(item.messages[0]!.content).toContain('Requirements:\n- `calc.add.add`')
  expect([item.group, item.source_id]).toEqual(['acme/calc', sample.test[0]!.instance_id])
})

test.each([
  [{ fail_to_pass: '[]', pass_to_pass: '[ ]' }, 'no test decides'],
  [{ fail_to_pass: "__import__('os')" }, 'no list of strings'],
  [{ base_commit: 'a; rm -rf /' }, 'base_commit'],
  [{ instance_id: '../x' }, 'instance_id'],
  [{ repo: 'calc' }, 'repo'],
  [{ instance_id: 'instance_acme__calc-other' }, 'run_scripts/instance_acme__calc-other/run_script.sh'],
])('[SCORE249] a row that cannot be graded is a bad record before anything is asked: %j', async (change, fault) => {
  await expect(open(changed(change))).rejects.toThrow(fault)
})

test('[SCORE249] scripts are found in an archive with a folder above or none, beside other files, with line ends as Python reads them', async () => {
  const [run, ...more] = sample.scripts.slice(0, 4).map(({ name, text }) => ({ name: String(name).replace('SWE-bench_Pro-os/', ''), text }))
  const scripts = [
    { name: 'x/y/run_scripts/a/parser.py', text: '' },
    { name: 'traj/z.bin', text: null },
    { ...run, text: 'a\r\nb\r' },
    ...more,
  ]
  const found = (await (await open({ ...changed({}), scripts })).hidden!(0)) as HiddenInstance
  expect([found.run_script, found.parser]).toEqual(['a\nb\n', hidden.parser])
  const unread = await open({ ...changed({}), scripts: [{ ...run, text: null }, ...more] })
  await expect(unread.hidden!(0)).rejects.toThrow('is no text')
})

test('[SCORE245] the column of the data set names the image where it is filled; an invented row brings what its image is built from', async () => {
  const named = Instance.parse((await (await open(changed({ dockerhub_tag: 'acme.calc-x', built_from: null }))).item(0, 0)).metadata)
  expect(machineImage(named, { built_from: null })).toMatchObject({ type: 'named', name: 'jefzda/sweap-images:acme.calc-x' })
  expect(Instance.parse(item.metadata).image).toMatch(/^jefzda\/sweap-images:acme\.calc-acme__calc-[0-9a-f]{40}$/)
  const built = machineImage(named, hidden)
  expect(built.type === 'built' && [built.dockerfile.split('\n')[0], built.context.map(({ path }) => path)]).toEqual([
    'FROM bench/base:bookworm',
    ['history.sh'],
  ])
})

const ran = (end: MachineExecResult['end'], exit_code: number | null = end === 'exited' ? 0 : null): MachineExecResult => ({
  ...{ end, exit_code, omitted_bytes: 0 },
  ...{ head: new Uint8Array(), tail: new Uint8Array() },
})
const file = (text: string): Downloaded => ({
  ok: true,
  folder: false,
  files: [{ path: 'f', mode: 0o644, bytes: new TextEncoder().encode(text) }],
})

/** A machine that does as it is told by a test. */
function toldMachine(told: {
  grading?: MachineExecResult
  making?: MachineExecResult
  upload?: 'disk-full'
  output?: Downloaded
}): Machine {
  return {
    image: { name: 'i', digest: 'sha256:1' },
    exec: async ({ argv }) => (argv[0] === '/bin/bash' ? (told.grading ?? ran('exited')) : (told.making ?? ran('exited'))),
    upload: async () => told.upload ?? 'written',
    download: async (path) =>
      path.endsWith('output.json') ? (told.output ?? { ok: false, reason: 'absent' }) : { ok: false, reason: 'absent' },
    folderStamp: async () => undefined,
    processes: async () => [],
    endProcesses: async () => true,
    stop: async () => undefined,
  }
}
const means = { language: 'python', limit_ms: 1, now: () => 0 }
const grade = (told: Parameters<typeof toldMachine>[0]) => gradePatch(toldMachine(told), hidden, hidden.gold_patch, means)
const everyTest = file(
  JSON.stringify({ tests: [...hidden.fail_to_pass, ...hidden.pass_to_pass].map((name) => ({ name, status: 'PASSED' })) }),
)

test.each([
  [{ making: ran('unavailable') }],
  [{ making: ran('exited', 1) }],
  [{ upload: 'disk-full' as const }],
  [{ grading: ran('unavailable') }],
  [{ output: { ok: false, reason: 'unavailable' } as const }],
])('[SCORE254] a machine that does not do its part is a failure of the sandbox that may be tried again: %j', async (told) => {
  expect(await grade(told)).toMatchObject({ ok: false, failure: { at: 'sandbox', retryable: true } })
})

const endsOf = (graded: Outcome<{ part: TestedPart }>): TestEnd[] => (graded.ok ? graded.value.part.tests.map(({ end }) => end) : [])

test('[SCORE254] what was told counts however the script ended, except at its limit; without it the end of the script is that of its tests', async () => {
  const all = (end: TestEnd): TestEnd[] => [end, end, end]
  expect(endsOf(await grade({ output: everyTest, grading: ran('exited', 1) }))).toEqual(all('passed'))
  expect(endsOf(await grade({ output: everyTest, grading: ran('out-of-memory') }))).toEqual(all('passed'))
  expect(endsOf(await grade({ output: everyTest, grading: ran('timeout') }))).toEqual(all('timeout'))
  expect(endsOf(await grade({ grading: ran('out-of-memory') }))).toEqual(all('out-of-memory'))
  expect(endsOf(await grade({}))).toEqual(all('not-run'))
  expect(endsOf(await grade({ output: { ok: false, reason: 'unsafe', entry: 'link' } }))).toEqual(all('not-run'))
  expect(
    endsOf(await grade({ output: file(`{"tests":[{"name":${JSON.stringify(hidden.fail_to_pass[0])},"status":"SKIPPED"}]}`) })),
  ).toEqual([...['failed', 'not-run', 'not-run']])
})

test('[SCORE255] an agent is given the instruction and its machine; its failure is the trial’s, and a kit without machines says so', async () => {
  const seen: string[] = []
  const failure = { at: 'provider', reason: 'overloaded', retryable: true, status: 503, detail: '' } as const
  const exec: Machine['exec'] = async ({ argv }) => ({
    ...ran('exited'),
    head: new TextEncoder().encode(argv[2]!.includes('write-tree') ? `start ${'a'.repeat(40)}` : ''),
  })
  const solver = solveInstance(
    {
      type: 'agent',
      work: async (_machine, instruction) => {
        seen.push(instruction)
        return { ok: false, failure }
      },
    },
    { room: { cpus: 1, memory_mb: 1, storage_mb: 1 } },
  )
  const kit = { ...scriptedKit({}), hidden: async () => ({ ok: true as const, value: hidden }) }
  const machine: Kit['machine'] = async () => ({ ok: true, value: { ...toldMachine({}), exec } })
  expect(await solver(item, { ...kit, machine })).toEqual({ ok: false, failure })
  expect(seen).toEqual([item.messages[0]!.content])
  expect(await task.solver('builtin', {})(item, kit)).toMatchObject({ ok: false, failure: { at: 'sandbox' } })
  expect(await task.solver('empty', {})(item, kit)).toMatchObject({ ok: true })
})

const evidence = (part: Partial<TestedPart>, ends: TestEnd[], more: Partial<TestsEvidence> = {}): TestsEvidence => ({
  ...{ kind: 'tests', text: '', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false },
  parts: [
    {
      ...{
        name: '',
        language: 'python',
        program: null,
        patch: 'p',
        build: { ok: true, output: '' },
        output: '',
        took_ms: 0,
        memory_mb: null,
      },
      ...{ total: ends.length, tests: ends.map((end, index) => ({ name: `t${index}`, end, took_ms: null })), ...part },
    },
  ],
  ...more,
})

test('[SCORE256] an instance is right where every named test passed, and flags say what stood in the way', () => {
  const score = (part: Partial<TestedPart>, ends: TestEnd[], more?: Partial<TestsEvidence>) => {
    const { value, outcome, answer, flags } = task.score(item, evidence(part, ends, more), 'builtin', noTables)
    expect(value).toBe(outcome === 'right' ? 1 : 0)
    return [outcome, answer, flags]
  }
  expect(score({}, ['passed', 'passed', 'passed'])).toEqual(['right', 'resolved', []])
  expect(score({}, ['passed', 'passed', 'failed'])).toEqual(['wrong', 'not resolved', []])
  expect(score({ total: 4 }, ['passed', 'passed', 'passed'])).toEqual(['wrong', 'not resolved', []])
  expect(score({ build: { ok: false, output: '' } }, ['failed'])).toEqual(['wrong', 'not resolved', ['patch_refused']])
  expect(score({}, ['not-run'])).toEqual(['wrong', 'not resolved', ['no_results']])
  expect(score({}, ['timeout'])).toEqual(['wrong', 'not resolved', ['tests_timed_out']])
  expect(score({ patch: '' }, ['not-run'])).toEqual(['wrong', null, ['empty_patch']])
  expect(score({ patch: null }, ['not-run'], { finish_reason: 'length' })).toEqual(['wrong', null, ['unparsed', 'truncated']])
  expect(score({}, ['passed'], { parts: [] })).toEqual(['wrong', null, ['unparsed']])
  const broken = { ...item, metadata: { ...item.metadata, known_trouble: 'gold-fails', errata: true } }
  expect(task.score(broken, evidence({}, ['failed']), 'builtin', noTables)).toMatchObject({
    flags: ['gold_fails'],
    detail: { errata: true },
  })
})
