import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { listRows } from '#shared/benchmarks/rows.ts'
import { card } from '#shared/benchmarks/scicode/card.ts'
import { findPython } from '#shared/benchmarks/scicode/find-python.ts'
import { solveProblem } from '#shared/benchmarks/scicode/solver.ts'
import { ownTemplate } from '#shared/benchmarks/scicode/step-prompt.ts'
import task from '#shared/benchmarks/scicode/task.ts'
import { openTask } from '#shared/benchmarks/task.ts'
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
/** Returns why the tests cannot run on this machine, or false. */
async function lack(): Promise<string | false> {
  const box = await bubblewrap.open(spec, new AbortController().signal)
  if (!box.ok) return box.failure.detail
  await using inside = box.value
  const found = await findPython(inside, 'import numpy as np')
  return !found.ok && found.failure.detail
}
const absent = await lack()
if (absent) {
  console.info(`skipped: ${absent}`)
  bubblewrap.close() // Vitest calls no afterAll of a file whose tests are all skipped.
}
afterAll(async () => {
  await opened.disposeAsync()
  bubblewrap.close()
})

const profileOf = (id: string) => task.card.profiles.find((profile) => profile.id === id)!
const openItems = (profile: string) =>
  openTask(task, { profile: profileOf(profile), texts: { no_background: ownTemplate, with_background: ownTemplate }, rows })

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

test.skipIf(absent)(
  '[SCORE196] what builds on a wrong step fails with it; a fence that says Python, a loop and an early exit end as they do officially',
  async () => {
    const [one, two, four] = codesOf(0).map(fenced)
    const wrong = 'def quad(x):\n    return 3 * x\n'
    const cascade = await solve(0, [one!, fenced(wrong), four!])
    expect(cascade.score).toMatchObject({ value: 0, answer: '1 of 3 steps' })
    expect(ends(cascade)).toMatchObject({ '900.2': ['failed', 'not-run', 'failed'], '900.4': ['failed', 'not-run', 'failed'] })
    expect(cascade.evidence.parts[1]!.tests[0]!.message).toContain('AssertionError')

    const capital = await solve(0, ['```Python\ndef double(x):\n    return 2 * x\n```', two!, four!])
    expect(ends(capital)['900.1']).toEqual(['error', 'not-run', 'not-run', 'failed'])
    expect(capital.evidence.parts[0]!.tests[0]!.message).toMatch(/^Before the first test case:[\s\S]*NameError: name 'Python'/)

    const quits = 'import sys\ndef quad(x):\n    if x is 0: pass\n    exit(0)\n'
    const early = await solve(0, [one!, fenced(quits), 'raise SystemExit(0)'])
    expect(ends(early)).toMatchObject({ '900.2': ['not-run', 'not-run', 'passed'], '900.4': ['not-run', 'not-run', 'passed'] })
    expect(early.score).toMatchObject({ value: 1, flags: ['early_exit'] })

    const loop = await solve(
      0,
      [fenced(`${wrong}\nwhile True:\n    pass\n`), '', fenced('import os\nos = 1\nopen("/workspace/x" * 200)')],
      { limit_ms: 4000 },
    )
    expect(ends(loop)).toMatchObject({ '900.1': ['timeout', 'not-run', 'not-run', 'timeout'], '900.2': ['timeout', 'not-run', 'timeout'] })
    expect(loop.score).toMatchObject({ value: 0, answer: '0 of 3 steps', flags: ['missing_program'] })
  },
  patience,
)

test.skipIf(absent)(
  '[SCORE192] what the official extraction leaves of a given class does not help the steps that need it',
  async () => {
    const official = await solve(0, codesOf(0).map(fenced), { profile: 'official' })
    expect(official.score.answer).toBe('2 of 3 steps')
    expect(official.evidence.parts[2]!.tests[0]!.message).toContain("NameError: name 'Ladder'")
  },
  patience,
)

test.skipIf(absent)(
  '[SCORE197] a program finds the targets of its own step and nothing that an earlier one left; marks it forges pass no test',
  async () => {
    const plants = `import os
own = b'"name":"900.1"' in open("/workspace/step/targets", "rb").read()
for place in own * ("/workspace/package/sitecustomize.py", "/workspace/step/kept.py", "/workspace/usercustomize.py", "/tmp/kept", "/dev/shm/kept"):
    __import__("os").makedirs(__import__("os").path.dirname(place), exist_ok=True)
    open(place, "w").write("raise SystemExit(0)")
`
    const looks = `
found = []
for top in ("/workspace", "/tmp", "/dev/shm"):
    for path, _, names in __import__("os").walk(top):
        found += [path + "/" + name for name in names]
print(sorted(found), open("/workspace/step/targets", "rb").readline())
__import__("os").write(3, b"forged 0\\nforged 1\\nforged 2\\n")
`
    const { evidence } = await solve(0, [fenced(plants), fenced(looks), ''])
    const { output, tests } = evidence.parts[1]!
    expect(output).not.toMatch(/kept|customize/)
    expect(output).toContain("['/workspace/package/scicode/__init__.py'")
    expect(output).toContain('"name":"900.2"')
    expect(output).not.toContain('"name":"900.1"')
    expect(tests.map(({ end }) => end)).toEqual(['error', 'not-run', 'failed'])
  },
  patience,
)

test.skipIf(absent)(
  '[SCORE194] a script in marks ends as the same script without: names, closed descriptors, errors of the last line',
  async () => {
    const odd = [
      '__import__ = None\ndef double(x):\n    return 2 * x',
      'def quad(x):\n    __builtins__.__import__("os").closerange(3, 4)\n    return 4 * x',
      codesOf(0)[2]!,
    ]
    const found = await solve(0, odd.map(fenced))
    expect(found.score).toMatchObject({ value: 1, flags: ['early_exit'] })
    const late = 'atexit = __import__("atexit")\natexit.register(lambda: __import__("os")._exit(7))\n'
    const exits = await solve(0, [fenced(`${late}${codesOf(0)[0]}`), '', ''])
    expect(exits.evidence.parts[0]!.tests.map(({ end, got }) => [end, got])).toEqual([
      ['passed', undefined],
      ['passed', undefined],
      ['passed', undefined],
      ['failed', 'exit status 7'],
    ])
  },
  patience,
)

test.skipIf(absent)(
  '[SCORE196] demo answers are right and wrong as they are meant, and are known by the prompt of every step',
  async () => {
    const items = await openItems('builtin')
    for (const index of [0, 31]) {
      const item = await items.item(index, 0)
      const asked: string[] = []
      const says = (right: boolean): Script => {
        return ({ messages }) => {
          asked.push(messages[0]!.content)
          return task.demo(item, right)
        }
      }
      expect((await solve(index, says(true))).score.outcome).toBe('right')
      expect((await solve(index, says(false))).score.outcome).toBe('wrong')
      expect(asked.filter((prompt) => !prompt.includes(String(item.metadata.question)))).toEqual([])
    }
  },
  patience,
)
