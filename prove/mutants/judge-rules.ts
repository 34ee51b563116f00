import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toNamed } from './named.ts'
import { plant } from './operators.ts'
import type { RuleBug } from './rule-bug.ts'
import { Workbench } from './workbench.ts'

/** What became of a bug: a test of its rule found it, none did, or there was no test to ask, as where its data are absent. */
type Fate = { bug: RuleBug; line: number; after: string; type: 'found' | 'unnoticed' | 'not asked'; why: string }

const limitMs = 240_000

/**
 * Plants each bug in a copy of these files and runs the tests of its file whose titles begin with the rule. Says a line for each, and whether every bug was
 * found that could be looked for.
 */
export async function judgeRules(root: string, paths: readonly string[], bugs: readonly RuleBug[], workers: number): Promise<boolean> {
  const fates: Fate[] = []
  const sound = new Map<string, string | null>()
  const queue = [...bugs]
  const work = async (bench: Workbench): Promise<void> => {
    for (let bug = queue.shift(); bug; bug = queue.shift()) {
      const fate = await judge(bench, bug, readFileSync(join(root, bug.path), 'utf8'), sound)
      fates.push(fate)
      console.log(`${fate.type.padEnd(9)} ${bug.rule.padEnd(8)} ${bug.path}:${fate.line}  ${fate.after}  ${fate.why}`)
    }
  }
  const benches = Array.from({ length: Math.min(workers, bugs.length) }, () => new Workbench(root, paths))
  try {
    await Promise.all(benches.map(work))
  } finally {
    for (const bench of benches) await bench[Symbol.asyncDispose]()
  }
  const count = (type: Fate['type']): number => fates.filter((fate) => fate.type === type).length
  console.log(
    `${fates.length} bugs in the lines of ${new Set(bugs.map(({ rule }) => rule)).size} rules: ${count('found')} found, ${count('unnoticed')} unnoticed, ${count('not asked')} not asked`,
  )
  return fates.length > 0 && count('unnoticed') === 0
}

async function judge(bench: Workbench, bug: RuleBug, source: string, sound: Map<string, string | null>): Promise<Fate> {
  const mutant = toNamed({ ...bug, name: bug.rule }, source)
  const told = { bug, line: mutant.line, after: mutant.after }
  const titled = `[${bug.rule}]`
  const run = () => bench.run(bug.test, 'unit', limitMs, titled)
  const key = `${bug.test} ${bug.rule}`
  if (!sound.has(key)) {
    const usual = await run()
    const wrong = usual === 'too slow' ? usual : (usual.failure ?? (usual.tests === 0 ? 'no such test was run' : null))
    sound.set(key, wrong)
  }
  const wrong = sound.get(key)
  if (wrong) return { ...told, type: 'not asked', why: `${bug.test}: ${wrong}` }
  bench.write(bug.path, plant(source, mutant))
  const outcome = await run()
  bench.write(bug.path, source)
  if (outcome === 'too slow') return { ...told, type: 'found', why: `${bug.test} takes too long` }
  if (outcome.failure === null) return { ...told, type: 'unnoticed', why: bug.test }
  return { ...told, type: outcome.by_test ? 'found' : 'not asked', why: outcome.failure }
}
