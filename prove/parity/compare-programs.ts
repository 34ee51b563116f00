import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { hiddenTests } from '#shared/benchmarks/livecodebench/hidden-tests.ts'
import { lcbSandbox } from '#shared/benchmarks/livecodebench/lcb-sandbox.ts'
import { LcbRecord } from '#shared/benchmarks/livecodebench/record.ts'
import { runProgram } from '#shared/benchmarks/livecodebench/run-program.ts'
import { type OfficialCode, verdictOf } from '#shared/benchmarks/livecodebench/verdict.ts'
import { seededDraw } from './draw.ts'
import { packings, packTests } from './pack-tests.ts'
import { oddFunction, valueProgram } from './programs-functional.ts'
import { oddProgram, outputProgram, sumProgram, type Tested } from './programs-stdin.ts'
import { CannotCompare, createEnvironment } from './python-environment.ts'

/** A line of a release file, a program for it, and the seconds that each of its tests may take. */
export type ProgramCase = { row: Record<string, string>; program: string; seconds: number }

/** What upstream's evaluation imports. */
const libraries = ['numpy==1.26.4', 'tqdm']
/** Shorter than the official limit, which is the same code: programs are far from it, or never end. */
const seconds = 2
const kinds = [
  sumProgram,
  sumProgram,
  sumProgram,
  outputProgram,
  outputProgram,
  outputProgram,
  oddProgram,
  valueProgram,
  valueProgram,
  oddFunction,
]

/** Generated programs with tests of the same seed always the same; the first test is public, the others are packed in one of the encodings there are. */
export function programCases(seed: number, count: number): ProgramCase[] {
  const draw = seededDraw(seed)
  return draw.many(count, (index) => {
    const tested = draw.pick(kinds)(draw)
    return { row: rowOf(tested, index), program: tested.program, seconds }
  })
}

function rowOf({ tests, fn_name }: Tested, index: number): ProgramCase['row'] {
  const testtype = fn_name === null ? 'stdin' : 'functional'
  const list = tests.map(([input, output]) => ({ input, output, testtype }))
  return {
    ...{ question_title: '', question_content: 'invented', platform: 'atcoder', question_id: `case_${index}`, contest_id: '' },
    ...{ contest_date: '2024-01-01T00:00:00', starter_code: '', difficulty: 'easy' },
    public_test_cases: JSON.stringify(list.slice(0, 1)),
    private_test_cases: packTests(JSON.stringify(list.slice(1)), packings[index % packings.length]!),
    metadata: JSON.stringify(fn_name === null ? {} : { func_name: fn_name }),
  }
}

/** `lists`: both say solved or both do not, and the official lists differ, as where upstream breaks while it describes a wrong answer. */
export type ProgramTally = { solved: number; lists: number; disagreements: number[] }

/** Solved as upstream counts it: every entry above zero. */
const solved = (codes: readonly unknown[]): boolean => codes.every((code) => code === true || (typeof code === 'number' && code > 0))

export function tallyPrograms(ours: readonly (readonly OfficialCode[])[], theirs: readonly (readonly unknown[])[]): ProgramTally {
  if (ours.length !== theirs.length) throw new CannotCompare(`there are ${theirs.length} verdicts for ${ours.length} programs`)
  const tally: ProgramTally = { solved: 0, lists: 0, disagreements: [] }
  for (const [index, codes] of ours.entries()) {
    if (solved(codes)) tally.solved++
    if (solved(codes) !== solved(theirs[index]!)) tally.disagreements.push(index)
    else if (JSON.stringify(codes) !== JSON.stringify(theirs[index])) tally.lists++
  }
  return tally
}

async function ourCodes(cases: readonly ProgramCase[]): Promise<OfficialCode[][]> {
  const bubblewrap = await createBubblewrap()
  try {
    const all: OfficialCode[][] = []
    for (const { row, program, seconds } of cases) {
      const opened = await bubblewrap.open({ ...lcbSandbox, memory_mb: 1024 }, new AbortController().signal)
      if (!opened.ok) throw new CannotCompare(`no sandbox: ${opened.failure.detail}`)
      await using box = opened.value
      const tests = await hiddenTests(LcbRecord.parse(row), all.length)
      const ran = await runProgram(box, tests, { program, nonce: 'parity', seconds })
      if (!ran.ok) throw new CannotCompare(ran.failure.detail)
      all.push(verdictOf(ran.value, tests).codes)
    }
    return all
  } finally {
    bubblewrap.close()
  }
}

/** Compares generated programs with the evaluation in `source`, a folder that holds the package lcb_runner, and returns the number of disagreements. */
export async function comparePrograms(source: string | undefined, seed: number, count: number): Promise<number> {
  if (!source) throw new CannotCompare('livecodebench needs --source FOLDER: a folder that holds the Python package lcb_runner')
  const folder = await mkdtemp(join(tmpdir(), 'bench-parity-'))
  try {
    const environment = createEnvironment(join(folder, 'venv'))
    const installed = environment.install(...libraries)
    if (!installed.ok) throw new CannotCompare(`pip could not install ${libraries.join(' ')}: ${installed.detail}`)
    const cases = programCases(seed, count)
    const [input, output] = [join(folder, 'cases.jsonl'), join(folder, 'verdicts.jsonl')]
    await writeFile(input, cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const script = join(import.meta.dirname, 'livecodebench-oracle.py')
    const done = spawnSync(environment.python, ['-W', 'ignore', script, resolve(source), input, output], { stdio: 'ignore', cwd: folder })
    if (done.status !== 0) throw new CannotCompare(`the official evaluation ended with ${done.status ?? done.signal}`)
    const theirs = (await readFile(output, 'utf8')).trim().split('\n')
    const ours = await ourCodes(cases)
    const verdicts = theirs.map((line): unknown[] => JSON.parse(line))
    const tally = tallyPrograms(ours, verdicts)
    for (const index of tally.disagreements.slice(0, 20))
      console.log(`  ${JSON.stringify({ ...cases[index], ours: ours[index], theirs: verdicts[index] })}`)
    console.log(
      `livecodebench against ${source}: ${count} programs, seed ${seed}; ${tally.solved} solved here, ${tally.lists} lists differ`,
    )
    console.log(`disagreements: ${tally.disagreements.length}`)
    return tally.disagreements.length
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
