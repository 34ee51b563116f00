import type { CatalogueTask, Files } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { hiddenOf, solvedWorkspace } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { diffAnswer } from '#shared/benchmarks/code_tasks/diff-answer.ts'
import { optionsOf } from '#shared/benchmarks/code_tasks/profiles.ts'
import { readChange } from '#shared/benchmarks/code_tasks/solve.ts'
import { type Tested, testWorkspace } from '#shared/benchmarks/code_tasks/test-workspace.ts'
import { partPassed } from '#shared/contract/evidence/tests.ts'
import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { SandboxSpec } from '#shared/solvers/sandbox.ts'
import type { SandboxProvider } from '../trial/resources.ts'

/** How often the reference solution has to pass before a task counts as steady, unless it is said otherwise. */
export const referenceRuns = 5

/**
 * What was found of a task: all is well, with its cases and the slowest run of its reference in milliseconds; or what is wrong with it; or what this
 * machine lacks to tell.
 */
export type TaskCheck =
  | { type: 'good'; cases: number; slowest_ms: number }
  | { type: 'bad'; faults: string[] }
  | { type: 'unchecked'; missing: string }

/** Opens sandboxes for checks, as large as those of a run. */
export type Checking = {
  sandboxes: SandboxProvider
  spec: SandboxSpec
  runs: number
  now(): number
  signal: AbortSignal
  progress(text: string): void
}

/** Tries a task: its reference passes every time, its untouched workspace fails, and so does a change that does nothing. */
export async function checkTask(task: CatalogueTask, checking: Checking): Promise<TaskCheck> {
  const faults = bareVerdicts(task)
  const change = readChange(diffAnswer(task.workspace, solvedWorkspace(task)), task.workspace, optionsOf('builtin'))
  if ('refused' in change) return { type: 'bad', faults: [...faults, `The reference is no change that applies: ${change.refused}`] }
  const again = async (files: Files, what: string): Promise<Outcome<Tested>> => {
    checking.progress(`${task.task_id}: ${what}`)
    const network = task.dependencies !== undefined
    const box = await checking.sandboxes.open({ ...checking.spec, network }, checking.signal)
    if (!box.ok) return network ? needsNetwork(box.failure) : box
    await using opened = box.value
    return await testWorkspace(hiddenOf(task), files, { box: opened, now: checking.now })
  }

  const runs: Tested[] = []
  for (let run = 1; run <= checking.runs; run += 1) {
    const done = await again(change.files, `reference, run ${run} of ${checking.runs}`)
    if (!done.ok) return { type: 'unchecked', missing: done.failure.detail }
    runs.push(done.value)
  }
  faults.push(...referenceFaults(runs))
  const slowest_ms = Math.max(...runs.map(({ took_ms }) => took_ms))
  if (slowest_ms > (task.timeout_seconds * 1000) / 2)
    faults.push(`The reference took ${Math.round(slowest_ms / 1000)} s of ${task.timeout_seconds} s: a slower machine would end it.`)

  const idle = { ...task.workspace, 'NOTES.md': 'Nothing was changed.\n' }
  for (const [what, files] of [['The untouched workspace', task.workspace] as const, ['A change that does nothing', idle] as const]) {
    const done = await again(files, what)
    if (!done.ok) return { type: 'unchecked', missing: done.failure.detail }
    if (partPassed(done.value)) faults.push(`${what} passes: the task asks for nothing.`)
  }
  return faults.length > 0 ? { type: 'bad', faults } : { type: 'good', cases: runs[0]!.total, slowest_ms }
}

/** What it takes is said beside what this machine says. */
function needsNetwork(failure: Failure): Outcome<never> {
  const detail = `The task names dependencies, which take a sandbox with a network (--sandbox docker, on an agent Docker or Sandy): ${failure.detail}`
  return { ok: false, failure: { ...failure, detail } }
}

/** Cases that a program could pass by printing a verdict: their value says nothing that has to be computed. */
function bareVerdicts({ expected }: CatalogueTask): string[] {
  return Object.entries(expected).flatMap(([probe, cases]) =>
    Object.entries(cases).flatMap(([name, value]) =>
      value === null || typeof value === 'boolean' ? [`expected.json: ${probe}.${name}: is ${value} alone, which can be guessed.`] : [],
    ),
  )
}

function referenceFaults(runs: readonly Tested[]): string[] {
  const wrong = runs.filter((run) => !partPassed(run))
  const [first] = wrong
  if (!first) return []
  const steady = wrong.length === runs.length
  const found =
    first.build && !first.build.ok
      ? [`the build fails: ${first.build.output.trim().slice(0, 500)}`]
      : first.tests.flatMap(caseFault).slice(0, 5)
  return [`The reference ${steady ? 'fails' : `is not steady: it failed ${wrong.length} of ${runs.length} times`}: ${found.join('; ')}`]
}

const caseFault = ({ name, end, expected, got, message }: Tested['tests'][number]): string[] =>
  end === 'passed'
    ? []
    : [`${name} ${end}${got == null ? '' : `, expected ${expected}, got ${got}`}${message ? `, ${message.split('\n')[0]}` : ''}`]
