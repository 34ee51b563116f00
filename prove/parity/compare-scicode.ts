import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { hdf5Rows } from '#fleet/dataset/hdf5-rows.ts'
import { extractCode } from '#shared/benchmarks/scicode/extract-code.ts'
import type { Problem } from '#shared/benchmarks/scicode/problem.ts'
import { pythonPackage } from '#shared/benchmarks/scicode/python-package.ts'
import { StepTargets } from '#shared/benchmarks/scicode/record.ts'
import { stepFile, stepPrompt } from '#shared/benchmarks/scicode/step-prompt.ts'
import { targetsFile } from '#shared/benchmarks/scicode/targets-file.ts'
import { testScript } from '#shared/benchmarks/scicode/test-script.ts'
import { type ScicodeCase, scicodeCases } from './cases-scicode.ts'
import { CannotCompare } from './python-environment.ts'

export type Templates = { with: string; without: string }
/** What the official code made of a case. For comparisons and targets, which are Python on both sides, `value` has both. */
export type ScicodeVerdict = { value: unknown } | { raised: string }
export type ScicodeTally = { kind: ScicodeCase['kind']; compared: number; raised: number; disagreements: ScicodeCase[] }

/** What ours makes of a case; undefined where the verdict itself has both sides. */
function ours(one: ScicodeCase, templates: Templates): unknown {
  switch (one.kind) {
    case 'extract':
      return extractCode(one.reply)
    case 'prompts': {
      const steps = one.problem.sub_steps.map((step) => ({
        ...{ number: '1.1', given: null, tested: true, cases: 0, return_line: step.return_line },
        description: step.step_description_prompt,
        background: one.background ? step.step_background : null,
        header: step.function_header,
      }))
      const problem: Problem = { question: '', problem: '', dependencies: one.problem.required_dependencies, steps }
      const codes = one.replies.map(extractCode)
      const template = one.background ? templates.with : templates.without
      return codes.map((code, index) => [
        stepPrompt(template, problem, codes, index),
        stepFile(problem.dependencies, codes.slice(0, index), code),
      ])
    }
    case 'script':
      return testScript({ ...one, targets: '', mark: null }).replace(`, ${one.cases.length}, '')\n`, `, ${one.cases.length})\n`)
    case 'compare':
    case 'targets':
      return undefined
  }
}

/** Our results beside the official ones. Where the official code raises on a generated case, ours is not asked to. */
export function tallyScicode(cases: readonly ScicodeCase[], verdicts: readonly ScicodeVerdict[], templates: Templates): ScicodeTally[] {
  const tallies = new Map<string, ScicodeTally>()
  for (const [index, one] of cases.entries()) {
    const verdict = verdicts[index]
    if (!verdict) throw new CannotCompare(`there are ${verdicts.length} verdicts for ${cases.length} cases`)
    const tally = tallies.get(one.kind) ?? { kind: one.kind, compared: 0, raised: 0, disagreements: [] }
    tallies.set(one.kind, tally)
    if ('raised' in verdict) {
      tally.raised++
      continue
    }
    const both = one.kind === 'compare' || one.kind === 'targets' ? (verdict.value as Record<'theirs' | 'ours', ScicodeVerdict>) : null // by the oracle
    const agree = both ? sameEnd(both.theirs, both.ours) : isDeepStrictEqual(verdict.value, ours(one, templates))
    tally.compared++
    if (!agree) tally.disagreements.push(one)
  }
  return [...tallies.values()]
}

/** A script that raises has failed, whatever it raises. */
const sameEnd = (theirs: ScicodeVerdict, own: ScicodeVerdict): boolean =>
  'raised' in theirs ? 'raised' in own : isDeepStrictEqual(theirs, own)

const pythons = [process.env.PYTHON, 'python3', '/usr/bin/python3'].filter((name) => name !== undefined)

/** Compares generated cases with the official code in `source`, a checkout of scicode-bench/SciCode, and returns the number of disagreements. */
export async function compareScicode(source: string | undefined, seed: number, count: number): Promise<number> {
  if (!source) throw new CannotCompare('scicode needs --source FOLDER: a checkout of scicode-bench/SciCode')
  const python = pythons.find((name) => spawnSync(name, ['-c', 'import h5py, numpy, scipy, sympy'], { stdio: 'ignore' }).status === 0)
  if (!python) throw new CannotCompare('scicode needs a Python with h5py, numpy, scipy and sympy; none was found (set PYTHON to name one)')
  const folder = await mkdtemp(join(tmpdir(), 'bench-parity-'))
  try {
    const cases = scicodeCases(seed, count)
    const [input, output, file] = [join(folder, 'cases.jsonl'), join(folder, 'verdicts.jsonl'), join(folder, 'targets.h5')]
    await writeFile(input, cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const run = (...words: string[]): void => {
      const script = join(import.meta.dirname, 'scicode-oracle.py')
      const done = spawnSync(python, ['-W', 'ignore', script, ...words], { encoding: 'utf8', maxBuffer: 2 ** 28 })
      if (done.status !== 0)
        throw new CannotCompare(`the official code could not be run: ${done.stderr.trim().split('\n').slice(-3).join(' | ')}`)
    }
    run('store', resolve(source), input, file)
    for await (const row of hdf5Rows(file, file)) {
      // The steps of the cases are numbered 1.0, 1.1 and so on, each a group of its own at the top of the file.
      const targets = StepTargets.parse(row)
      await writeFile(join(folder, targets.name), targetsFile(targets))
    }
    for (const [path, text] of Object.entries(pythonPackage)) {
      await mkdir(dirname(join(folder, 'package', path)), { recursive: true })
      await writeFile(join(folder, 'package', path), text)
    }
    run('compare', resolve(source), input, output, join(folder, 'package'), folder)
    const template = (name: string) => readFile(join(source, 'eval/data', name), 'utf8')
    const templates = { with: await template('multistep_template.txt'), without: await template('background_comment_template.txt') }
    const lines = (await readFile(output, 'utf8')).trim().split('\n')
    const tallies = tallyScicode(
      cases,
      lines.map((line): ScicodeVerdict => JSON.parse(line)),
      templates,
    )
    console.log(`scicode against ${source}: ${count} cases, seed ${seed}`)
    for (const { kind, compared, raised, disagreements } of tallies) {
      console.log(
        `  ${kind.padEnd(8)} ${compared} compared, ${raised} that the official code does not take, ${disagreements.length} disagreements`,
      )
      for (const one of disagreements.slice(0, 5))
        console.log(`    ${JSON.stringify(one)} ${JSON.stringify(lines[cases.indexOf(one)]).slice(0, 600)}`)
    }
    const all = tallies.reduce((sum, { disagreements }) => sum + disagreements.length, 0)
    console.log(`disagreements: ${all}`)
    return all
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
