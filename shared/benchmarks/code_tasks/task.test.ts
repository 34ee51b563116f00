import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestEnd, TestsEvidence } from '../../contract/evidence/tests.ts'
import type { Item } from '../../contract/item.ts'
import type { SandboxSpec } from '../../solvers/sandbox.ts'
import { scriptedKit } from '../../solvers/testing/scripted-kit.ts'
import { listRows } from '../rows.ts'
import { openTask } from '../task.ts'
import { CatalogueTask, hiddenOf, solvedWorkspace } from './catalogue-task.ts'
import { diffAnswer } from './diff-answer.ts'
import { optionsOf, profiles } from './profiles.ts'
import { promptOf } from './prompt.ts'
import { scoreTask } from './score.ts'
import task from './task.ts'

const records = readFileSync(new URL('golden.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => CatalogueTask.parse((JSON.parse(line) as { record: unknown }).record))
const [tally, shelf] = [records[0]!, records[1]!]
const profileOf = (id: string) => profiles.find((one) => one.id === id)!
const openedAs = (id: string) => openTask(task, { profile: profileOf(id), texts: {}, rows: { test: listRows([tally, shelf]) } })

test('[SCORE212] a prompt holds the instructions and every file as it stands, with nothing put before a line', () => {
  const prompt = promptOf(shelf, { include_tests: false })
  for (const text of [shelf.instructions.trim(), ...Object.values(shelf.workspace)]) expect(prompt).toContain(`\n${text}`)
  expect(prompt).toContain('File `README.md`:\n\n````\n# Store room')
  expect(promptOf(tally, { include_tests: false })).toContain('File `src/tally.mjs` (no newline at its end):\n\n```\nexport function tally')
  expect(promptOf({ ...shelf, workspace: { 'a.py': '' } }, { include_tests: false })).toContain('File `a.py` (empty):\n\n```\n```')
})

test('[SCORE212] probes are shown by profiles that say so only; expected values and the reference by none, in prompt or item', async () => {
  for (const { id } of profiles) {
    const item = await (await openedAs(id)).item(1, 0)
    const shown = JSON.stringify(item)
    expect([id, shown.includes('def seen(work)')]).toEqual([id, optionsOf(id).include_tests])
    for (const secret of ['S-1000', 'S-112', 'a shelf has no number']) expect(shown).not.toContain(secret)
  }
  expect(profiles.map(({ id }) => id)).toEqual([...new Set(profiles.map(({ id }) => id))])
  expect(optionsOf(task.card.default_profile)).toEqual(optionsOf('builtin'))
})

test('[SCORE212] what is hidden has no reference solution; the right demo answer is the reference', async () => {
  const opened = await openedAs('builtin')
  expect(await opened.hidden!(1)).toEqual(hiddenOf(shelf))
  expect(JSON.stringify(await opened.hidden!(1))).not.toContain('a shelf has no number')
  const solution = await opened.solution!(1)
  expect(solution).toBe(diffAnswer(shelf.workspace, solvedWorkspace(shelf)))
  const item = await opened.item(1, 0)
  expect(task.demo(item, true, solution)).toBe(solution)
  expect(task.demo(item, false, solution)).toContain('NOTES.md')
})

/** A kit that notes in which order things are asked of it; its sandbox is not there. */
function watchedKit(answer: string) {
  const asked: string[] = []
  const kit = scriptedKit({
    model: () => {
      asked.push('model')
      return answer
    },
  })
  return {
    ...kit,
    asked,
    hidden: async () => {
      asked.push('hidden')
      return { ok: true as const, value: hiddenOf(shelf) }
    },
    sandbox: (spec: SandboxSpec) => {
      asked.push(`sandbox ${spec.memory_mb} ${spec.network}`)
      return kit.sandbox(spec)
    },
  }
}
const solve = async (kit: ReturnType<typeof watchedKit>) => task.solver('builtin', {})(await (await openedAs('builtin')).item(1, 0), kit)

test('[SCORE219] the model answers, then what is hidden is read, then a sandbox opens; without one the trial failed', async () => {
  const kit = watchedKit(diffAnswer(shelf.workspace, solvedWorkspace(shelf)))
  expect(await solve(kit)).toMatchObject({ ok: false, failure: { at: 'sandbox' } })
  expect(kit.asked).toEqual(['model', 'hidden', 'sandbox 1024 false'])
})

test.each([
  ['Just words.', 'no block that is fenced as diff', null],
  ['```diff\n--- /dev/null\n+++ b/tests/x\n@@ -0,0 +1 @@\n+p\n```', 'nothing below tests may be changed', expect.any(String)],
  ['```diff\n', 'never ends', ''],
])('[SCORE219] the answer %j is wrong with its reason and opens no sandbox', async (answer, why, patch) => {
  const kit = watchedKit(answer)
  const solved = await solve(kit)
  expect(kit.asked).toEqual(['model', 'hidden'])
  if (!solved.ok) throw new Error(solved.failure.detail)
  expect(solved.value.parts).toEqual([expect.objectContaining({ program: null, patch, total: 4, tests: [] })])
  const score = scoreTask({ target: 'passed', metadata: {} }, solved.value)
  expect(score).toMatchObject({ outcome: 'wrong', value: 0, answer: null, explanation: expect.stringContaining(why) })
})

test('[SCORE222] texts of an attempt that cannot be kept are told and change nothing; those that can are', async () => {
  const kit = watchedKit('```diff\nnothing\n```')
  const kept: string[] = []
  const keep: typeof kit.keep = async ({ name }) => {
    kept.push(name)
    return { ok: false, failure: { at: 'store', reason: 'unavailable', retryable: true, status: null, detail: 'away' } }
  }
  expect((await solve({ ...kit, keep })).ok).toBe(true)
  expect(kept).toEqual(['prompt.txt', 'response.txt', 'patch.diff'])
  expect(kit.notes).toEqual(kept.map((name) => `${name} could not be kept: away`))
})

const evidenceOf = (ends: readonly TestEnd[], more: Partial<TestsEvidence['parts'][number]> = {}): TestsEvidence => ({
  ...{ kind: 'tests', text: 'x', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false },
  parts: [
    {
      ...{ name: '', language: 'python', program: 'p', patch: 'd', build: null, output: '', took_ms: 1, memory_mb: null },
      total: ends.length,
      tests: ends.map((end, index) => ({ name: `c${index}`, end, took_ms: null })),
      ...more,
    },
  ],
})
const facts: Pick<Item, 'target' | 'metadata'> = { target: 'passed', metadata: { language: 'python', difficulty: 'easy' } }

test('[SCORE221] right is what passed every case of every probe, and nothing else', () => {
  expect(scoreTask(facts, evidenceOf(['passed', 'passed']))).toEqual({
    ...{ value: 1, outcome: 'right', answer: 'passed', explanation: '2 of 2 tests passed.', flags: [] },
    detail: { passed: 2, total: 2, language: 'python', difficulty: 'easy' },
  })
  const wrong = [
    evidenceOf(['passed', 'timeout']),
    evidenceOf([]),
    evidenceOf(['passed'], { total: 2 }),
    { ...evidenceOf(['passed']), parts: [] },
  ]
  for (const evidence of wrong) expect(scoreTask(facts, evidence)).toMatchObject({ value: 0, outcome: 'wrong' })
  expect(scoreTask(facts, evidenceOf(['passed', 'timeout'])).explanation).toBe('1 of 2 tests passed; first not: c1 (timeout).')
})

test('[SCORE221] what stood in the way is said and flagged', () => {
  const flags = (evidence: TestsEvidence) => scoreTask(facts, evidence).flags
  const refused = { program: null, build: { ok: false, output: 'The diff makes a link.' } }
  expect(flags(evidenceOf([], { ...refused, patch: null }))).toEqual(['unparsed'])
  expect(flags(evidenceOf([], refused))).toEqual(['diff_refused'])
  const unbuilt = evidenceOf([], { total: 3, build: { ok: false, output: 'go build ended with exit code 1.\nx' } })
  expect(scoreTask(facts, unbuilt)).toMatchObject({
    flags: ['build_failed'],
    explanation: 'The build failed: go build ended with exit code 1.',
  })
  expect(flags({ ...evidenceOf(['passed']), finish_reason: 'length' })).toEqual(['truncated'])
})

test('[SCORE217] leniencies that were taken are flags of a score', () => {
  expect(scoreTask(facts, evidenceOf(['passed'], { leniencies: ['incomplete-diff', 'diff-rewrite'] }))).toMatchObject({
    outcome: 'right',
    flags: ['incomplete_diff', 'diff_rewrite'],
  })
})
