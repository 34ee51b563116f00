import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseTree, readTree, type Tree } from '../architecture/source-tree.ts'
import { choose } from './choose.ts'
import { judgeRules } from './judge-rules.ts'
import { named, toNamed } from './named.ts'
import { type Mutant, mutantsOf, plant } from './operators.ts'
import { type Test, testsOf } from './reach.ts'
import { type Fate, report } from './report.ts'
import { ruleBugs } from './rule-bugs.ts'
import { targetsIn } from './targets.ts'
import { Workbench } from './workbench.ts'

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '240' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: String(availableParallelism()) },
    list: { type: 'boolean', default: false },
    rules: { type: 'boolean', default: false },
  },
})

const root = resolve(import.meta.dirname, '..', '..')
const tree = await readTree(root)
const sources = parseTree(tree)
const paths = targetsIn(tree.keys())
const mutants = [
  ...named.map((one) => toNamed(one, tree.get(one.path) ?? '')),
  ...choose(
    paths.flatMap((path) => mutantsOf(path, tree.get(path)!)),
    Number(values.most) - named.length,
    values.seed,
  ),
].filter(({ path }) => path.includes(values.only))
const tests = new Map(paths.map((path) => [path, testsOf(path, sources)]))

/** How long each file of tests took with nothing planted, in milliseconds; null for one that fails anyway, and so says nothing. */
const usualMs = new Map<string, number | null>()
/** Files of tests that were left out. The proof fails then, but what the others find is still shown. */
const leftOut: string[] = []
const limitOf = (usual: number): number => 15_000 + 6 * usual
/** Measured when it is first wanted: most bugs are found by near tests, and far ones are never asked. Nothing may be planted. */
async function usualOf(bench: Workbench, { path, project }: Test): Promise<number | null> {
  const known = usualMs.get(path)
  if (known !== undefined) return known
  const startedMs = Date.now()
  const outcome = await bench.run(path, project, 300_000)
  const passes = outcome !== 'too slow' && outcome.failure === null
  if (!passes) {
    leftOut.push(`${path} fails with nothing planted: ${outcome === 'too slow' ? outcome : outcome.failure}`)
    console.log(leftOut.at(-1))
  }
  const usual = passes ? Date.now() - startedMs : null
  usualMs.set(path, usual)
  return usual
}

async function judge(bench: Workbench, mutant: Mutant): Promise<Fate> {
  const source = tree.get(mutant.path)!
  for (const test of tests.get(mutant.path)!) {
    const usual = await usualOf(bench, test)
    if (usual === null) continue
    const run = () => bench.run(test.path, test.project, limitOf(usual))
    bench.write(mutant.path, plant(source, mutant))
    const outcome = await run()
    bench.write(mutant.path, source)
    const slow = outcome === 'too slow'
    if (!slow && outcome.failure === null) continue
    // The machine may be too slow just now, or its packages gone: only what passes without the bug has found it.
    if (slow || !outcome.by_test) {
      const sound = await run()
      if (sound === 'too slow' || sound.failure !== null) continue
    }
    return { mutant, by: slow ? `${test.path} takes too long` : outcome.failure, slow }
  }
  return { mutant, by: null, slow: false }
}

async function main(tree: Tree): Promise<boolean> {
  const startedMs = Date.now()
  const since = () => `${((Date.now() - startedMs) / 60_000).toFixed(1)} min`
  const benches = Array.from({ length: Math.min(Number(values.workers), mutants.length) }, () => new Workbench(root, tree.keys()))
  try {
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
    for (const line of leftOut) console.log(line)
    console.log(`\n${text}\ntook ${since()}`)
    return ok && leftOut.length === 0
  } finally {
    for (const bench of benches) await bench[Symbol.asyncDispose]()
  }
}

if (values.rules) {
  const chosen = ruleBugs.filter(({ rule, path }) => `${rule} ${path}`.includes(values.only))
  process.exitCode = (await judgeRules(root, [...tree.keys()], chosen, Number(values.workers))) ? 0 : 1
} else if (values.list)
  for (const { path, line, operator, before, after } of mutants) console.log(`${path}:${line}  ${operator}\n  - ${before}\n  + ${after}`)
else process.exitCode = (await main(tree)) ? 0 : 1
