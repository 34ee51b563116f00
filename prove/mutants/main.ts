import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseTree, readTree, type Tree } from '../architecture/source-tree.ts'
import { choose } from './choose.ts'
import { named, toNamed } from './named.ts'
import { type Mutant, mutantsOf, plant } from './operators.ts'
import { type Test, testsOf } from './reach.ts'
import { type Fate, report } from './report.ts'
import { Workbench } from './workbench.ts'

/** The run core, the objects and the agent. What a run is asked for (specs, profiles, judges) and how exports are scored again is not among them. */
const targets =
  /^(?:shared\/run\/(?:apply|decide|lease|match|openings|plan|rate-share|reserve|settle|stream|trial-store|turn|wake)|edge\/objects\/[\w-]+|fleet\/(?:agent|execute|fit-record|rate-desk|run-worker|serve-agent)|fleet\/coordinator\/[\w-]+|fleet\/cli\/commands\/agent)\.ts$/

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '240' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: String(availableParallelism()) },
    list: { type: 'boolean', default: false },
  },
})

const root = resolve(import.meta.dirname, '..', '..')
const tree = await readTree(root)
const sources = parseTree(tree)
const paths = [...tree.keys()].filter((path) => targets.test(path) && !/\.(test|contract)\.ts$|\/env\.ts$/.test(path))
const mutants = [
  ...named.map((one) => toNamed(one, tree.get(one.path) ?? '')),
  ...choose(
    paths.flatMap((path) => mutantsOf(path, tree.get(path)!)),
    Number(values.most) - named.length,
    values.seed,
  ),
].filter(({ path }) => path.includes(values.only))
const tests = new Map(paths.map((path) => [path, testsOf(path, sources)]))

/** How long each file of tests took with nothing planted, in milliseconds. */
const usualMs = new Map<string, number>()
/** Files of tests that say nothing, because they fail anyway. The proof fails then, but what the others find is still shown. */
const leftOut: string[] = []
const limitOf = (test: Test): number => 15_000 + 6 * (usualMs.get(test.path) ?? 60_000)
/** Near tests first, and among those the fast ones. */
const inOrder = (some: readonly Test[]): Test[] =>
  some.toSorted(
    (a, b) =>
      Number(a.project > b.project) - Number(a.project < b.project) ||
      a.distance - b.distance ||
      usualMs.get(a.path)! - usualMs.get(b.path)!,
  )

async function measure(bench: Workbench, queue: Test[]): Promise<void> {
  for (let test = queue.shift(); test; test = queue.shift()) {
    const startedMs = Date.now()
    const outcome = await bench.run(test.path, test.project, 300_000)
    if (outcome === 'too slow' || outcome.failure !== null) {
      leftOut.push(`${test.path} fails with nothing planted: ${outcome === 'too slow' ? outcome : outcome.failure}`)
      console.log(leftOut.at(-1))
    } else usualMs.set(test.path, Date.now() - startedMs)
  }
}

async function judge(bench: Workbench, mutant: Mutant): Promise<Fate> {
  const source = tree.get(mutant.path)!
  bench.write(mutant.path, plant(source, mutant))
  try {
    for (const test of inOrder(tests.get(mutant.path)!.filter(({ path }) => usualMs.has(path)))) {
      const outcome = await bench.run(test.path, test.project, limitOf(test))
      if (outcome === 'too slow') return { mutant, by: `${test.path} takes too long` }
      if (outcome.failure !== null) return { mutant, by: outcome.failure }
    }
    return { mutant, by: null }
  } finally {
    bench.write(mutant.path, source)
  }
}

async function main(tree: Tree): Promise<boolean> {
  const startedMs = Date.now()
  const since = () => `${((Date.now() - startedMs) / 60_000).toFixed(1)} min`
  const benches = Array.from({ length: Math.min(Number(values.workers), mutants.length) }, () => new Workbench(root, tree.keys()))
  try {
    const used = new Set(mutants.map(({ path }) => path))
    const needed = [...new Map([...used].flatMap((path) => tests.get(path)!).map((test) => [test.path, test])).values()]
    await Promise.all(benches.map((bench) => measure(bench, needed)))
    console.log(`${mutants.length} mutants in ${used.size} files; ${usualMs.size} files of tests reach them and pass (${since()})`)
    const fates: Fate[] = []
    const queue = mutants.map((mutant, at) => ({ mutant, at }))
    const work = async (bench: Workbench) => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const fate = await judge(bench, next.mutant)
        fates[next.at] = fate
        const { path, line, operator, after } = next.mutant
        console.log(
          `${String(next.at + 1).padStart(3)} ${fate.by === null ? 'SURVIVED' : 'killed  '} ${path}:${line} ${operator}  ${fate.by ?? after}`,
        )
      }
    }
    await Promise.all(benches.map(work))
    const { text, ok } = report(fates)
    console.log(`\n${text}\ntook ${since()}`)
    return ok && leftOut.length === 0
  } finally {
    for (const bench of benches) await bench[Symbol.asyncDispose]()
  }
}

if (values.list)
  for (const { path, line, operator, before, after } of mutants) console.log(`${path}:${line}  ${operator}\n  - ${before}\n  + ${after}`)
else process.exitCode = (await main(tree)) ? 0 : 1
