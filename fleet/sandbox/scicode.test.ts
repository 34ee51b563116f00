import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { listRows } from '#shared/benchmarks/rows.ts'
import { card } from '#shared/benchmarks/scicode/card.ts'
import { findPython } from '#shared/benchmarks/scicode/find-python.ts'
import { solveProblem } from '#shared/benchmarks/scicode/solver.ts'
import { ownTemplate } from '#shared/benchmarks/scicode/step-prompt.ts'
import task from '#shared/benchmarks/scicode/task.ts'
import { openTask } from '#shared/benchmarks/task.ts'
import type { Item } from '#shared/contract/item.ts'
import { noTables } from '#shared/scorers/tables.ts'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import { type Script, scriptedKit } from '#shared/solvers/testing/scripted-kit.ts'
import { createBubblewrap } from './bubblewrap/open-bubblewrap.ts'

const linesOf = (name: string): unknown[] =>
  readFileSync(new URL(`../../shared/benchmarks/scicode/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const rows = { test: listRows(linesOf('sample.jsonl')), targets: listRows(linesOf('sample.targets.jsonl')) }

const bubblewrap = await createBubblewrap()
const opened = new AsyncDisposableStack()
const spec: SandboxSpec = { image: null, cpus: 1, memory_mb: 2048, disk_mb: 256, network: false }
const openBox = async (): Promise<Sandbox> => {
  const box = await bubblewrap.open(spec, new AbortController().signal)
  if (!box.ok) throw new Error(box.failure.detail)
  return opened.use(box.value)
}
const absent = await openBox()
  .then((box) => findPython(box, 'import numpy as np'))
  .then(
    (found) => !found.ok && found.failure.detail,
    (error: Error) => error.message,
  )
if (absent) console.info(`skipped: ${absent}`)
afterAll(async () => {
  await opened.disposeAsync()
  bubblewrap.close()
})

const profileOf = (id: string) => task.card.profiles.find((profile) => profile.id === id)!
const openItems = (profile: string) =>
  openTask(task, { profile: profileOf(profile), texts: { template: ownTemplate, given_13_6: '', given_62_1: '', given_76_3: '' }, rows })

/** The reference code of each step of a problem, by its place in the sample. */
const codesOf = (index: number): string[] =>
  (linesOf('sample.jsonl')[index] as { sub_steps: { ground_truth_code: string; given_code?: object }[] }).sub_steps
    .filter((step) => !step.given_code)
    .map((step) => step.ground_truth_code)
const fenced = (code: string): string => `Here it is.\n\`\`\`python\n${code}\n\`\`\`\n`

/** What a problem of the sample comes to when a model says this. */
async function solve(index: number, says: Script, { profile = 'builtin', limit_ms = 60_000 } = {}) {
  const items = await openItems(profile)
  const item = await items.item(index, 0)
  const kit = scriptedKit({ model: says })
  kit.hidden = async () => ({ ok: true, value: await items.hidden!(index) })
  kit.sandbox = async (asked) => {
    expect(asked).toMatchObject({ image: null, network: false, memory_mb: 8192 })
    return { ok: true, value: await openBox() }
  }
  const { cpus, memory_mb, disk_mb } = card.needs.sandbox!
  const done = await solveProblem({ template: ownTemplate, limit_ms, sandbox: { image: null, cpus, memory_mb, disk_mb, network: false } })(
    item,
    kit,
  )
  if (!done.ok) throw new Error(done.failure.detail)
  return { item, kit, evidence: done.value, score: task.score(item, done.value, profile, noTables) }
}
const ends = ({ evidence }: Awaited<ReturnType<typeof solve>>): Record<string, string[]> =>
  Object.fromEntries(evidence.parts.map(({ name, tests }) => [name, tests.map(({ end }) => end)]))

const patience = 300_000

test.skipIf(absent)(
  '[SCORE196] reference code passes all steps of both problems: numbers, arrays, texts, tuples, lists, dictionaries, every sparse form',
  async () => {
    const [first, second] = [await solve(0, codesOf(0).map(fenced)), await solve(1, codesOf(1).map(fenced))]
    expect([first.score, second.score].map(({ value, answer, flags }) => ({ value, answer, flags }))).toEqual([
      { value: 1, answer: '3 of 3 steps', flags: [] },
      { value: 1, answer: '2 of 2 steps', flags: [] },
    ])
    expect(ends(second)).toEqual({ '901.1': Array(5).fill('passed'), '901.2': Array(6).fill('passed') })
    expect(first.kit.notes[0]).toMatch(/^Tested with Python 3\.\d+/)
  },
  patience,
)
