import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { openTablesOf } from '#fleet/dataset/open-tables.ts'
import { compareVerdicts, disagreementsOf, tallyTable } from './compare-verdicts.ts'
import { bySource } from './comparisons.ts'
import { writeNltkData } from './nltk-data.ts'
import { type Benchmark, type BenchmarkName, benchmarks, type OfficialPackage } from './official-packages.ts'
import { openOurSide, scoreAll } from './our-side.ts'
import type { OfficialVerdict } from './parity-answer.ts'
import { CannotCompare, createEnvironment, installFirst, runOracle } from './python-environment.ts'

const usage = `npm run parity -- [ifeval] [ifbench] [aime] [livecodebench] [scicode] [swe_bench_pro] [terminus] [terminus2] [harbor] [tau2] [janus] [panes] [python] [--answers 20000] [--seed 1] [--source FOLDER] [--only NAMES]
Scores generated answers with our checks and with the official checkers, installed into a throw-away virtual environment.
--source: a folder that holds the package ifbench, used in place of an installed one; the package matharena, which aime needs;
lcb_runner, which livecodebench needs; a checkout of scicode-bench/SciCode, which scicode needs, or of
scaleapi/SWE-bench_Pro-os, which swe_bench_pro needs; or the package harbor, used by terminus (how replies are read) and terminus2 (whole conversations; with all that Harbor needs) in place of an installed one, which needs Python 3.12: set PYTHON.
harbor runs tasks by Harbor and by us at this machine's Docker engine, which needs its Compose plugin: --source is an environment of Python that has Harbor,
--only names of tasks, parted by commas.
tau2 plays calls and dialogues by a checkout of sierra-research/tau2-bench and by us, which needs Python 3.12.
janus: --source is a folder that holds the package janus_bench.
panes reads panes by Terminal-Bench's parsers and by us; python compares our primitives of Python with CPython 3.12. Both need Python 3.12.
Exit code: 0 they agree, 1 they do not, 2 nothing could be compared.`

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache')

type Options = { answers: number; seed: number; source: string | undefined }

async function tablesOf(benchmark: Benchmark) {
  const folders = { cacheDir: join(cache, 'bench-tables'), benchmarksDir: join(root, 'shared/benchmarks') }
  const { tables, missing } = await openTablesOf(benchmark.tables, datasetEnv(process.env, folders))
  if (missing.length > 0)
    throw new CannotCompare(missing.map(({ name, detail }) => `the table ${name} cannot be had: ${detail}`).join('\n'))
  return tables
}

/** Installs the checkers; a folder given by hand goes before every package. */
function official(
  benchmark: Benchmark,
  folder: string,
  source: string | undefined,
): { found: OfficialPackage; folder: string; python: string } {
  const environment = createEnvironment(join(folder, 'venv'))
  const libraries = environment.install(...benchmark.libraries)
  if (!libraries.ok) throw new CannotCompare(`pip could not install ${benchmark.libraries.join(' ')}: ${libraries.detail}`)
  if (source)
    return { found: { title: source, layout: 'ifbench', pip: [], deviations: {} }, folder: resolve(source), python: environment.python }
  return { found: installFirst(environment, benchmark.packages), folder: environment.packages, python: environment.python }
}

const jsonLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** Compares one benchmark, prints its table and returns the number of disagreements that count. */
async function compare(name: BenchmarkName, { answers: count, seed, source }: Options): Promise<number> {
  const benchmark: Benchmark = benchmarks[name]
  const tables = await tablesOf(benchmark)
  const side = await openOurSide(name)
  const folder = await mkdtemp(join(tmpdir(), 'bench-parity-'))
  try {
    console.log(`${name}: installing the official checkers`)
    const theirs = official(benchmark, folder, name === 'ifbench' ? source : undefined)
    const generated = side.answers(seed, count)
    const answers = generated.filter((answer) => !benchmark.byChance(answer))
    const { verdicts, perSecond } = scoreAll(side, answers, tables)
    const [input, output, nltkData] = [join(folder, 'answers.jsonl'), join(folder, 'verdicts.jsonl'), join(folder, 'nltk_data')]
    await writeNltkData(nltkData, benchmark.tables, tables)
    await writeFile(input, jsonLines(answers))
    runOracle(theirs.python, { folder: theirs.folder, layout: theirs.found.layout, nltkData, input, output })
    const lines = (await readFile(output, 'utf8')).trim().split('\n')
    const tallies = compareVerdicts(
      answers,
      verdicts,
      lines.map((line): OfficialVerdict => JSON.parse(line)),
      theirs.found.deviations,
    )
    const examples = join(cache, `parity-${name}.jsonl`)
    await mkdir(cache, { recursive: true })
    await writeFile(examples, jsonLines(tallies.flatMap((tally) => tally.examples)))
    const disagreements = disagreementsOf(tallies)
    console.log(
      `\n${name} against ${theirs.found.title}: ${answers.length} answers, seed ${seed}, strict and loose\n\n${tallyTable(tallies)}\n`,
    )
    if (answers.length < generated.length) console.log(`left out, as upstream decides them by chance: ${generated.length - answers.length}`)
    console.log(`disagreements: ${disagreements}; examples: ${examples}; our side: ${perSecond} answers a second`)
    return disagreements
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isBySource = (name: string): name is keyof typeof bySource => Object.hasOwn(bySource, name)

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      answers: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      source: { type: 'string' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  const names = (positionals.length > 0 ? positionals : Object.keys(benchmarks)) as (BenchmarkName | keyof typeof bySource)[] // checked in the next lines
  const [answers, seed] = [Number(values.answers), Number(values.seed)]
  if (
    values.help ||
    !names.every((name) => Object.hasOwn(bySource, name) || Object.hasOwn(benchmarks, name)) ||
    !(answers >= 1) ||
    !Number.isSafeInteger(seed)
  ) {
    console.error(usage)
    return values.help ? 0 : 2
  }
  let disagreements = 0
  for (const name of names)
    disagreements += await (isBySource(name)
      ? bySource[name](values.source, seed, answers, values.only.split(',').filter(Boolean))
      : compare(name, { answers, seed, source: values.source }))
  return disagreements > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof CannotCompare)) throw error
  console.error(error.message)
  process.exitCode = 2
}
