import { availableParallelism } from 'node:os'

/**
 * Unit tests that wait for containers, sandboxes, browsers and child processes while the cores idle, the longest first. They are a step of
 * their own, with more processes than cores.
 */
const waiting = [
  'fleet/machine/**/*.test.ts',
  'fleet/sandbox/**/*.test.ts',
  'fleet/cli/{code,regrade,sandbox,export-here}*.test.ts',
  'fleet/{run-local,local-sandboxes,served-model}.test.ts',
  'fleet/trial/livecodebench.test.ts',
  'fleet/package/*.test.ts',
  'edge/local/*.test.ts',
  'prove/{chaos,cheats,mutants,checks,sandbox}/**/*.test.ts',
  'shared/benchmarks/swe_bench_pro/on-host.test.ts',
]

/** Files of the unit tests: `all`, or those of one lane of `npm test`. */
export function unitLane(lane: string | undefined) {
  const include = ['{shared,db,edge,fleet,prove,web}/**/*.test.ts', '*.test.ts']
  const exclude = ['**/node_modules/**', '**/*.workers.test.ts']
  const cores = availableParallelism()
  if (lane === 'waiting') return { include: waiting, exclude, maxWorkers: cores + 3, isolate: false, unstubEnvs: true }
  if (lane === 'quick') return { include, exclude: [...exclude, ...waiting], maxWorkers: cores + 1, isolate: false, unstubEnvs: true }
  return { include, exclude, maxWorkers: cores }
}
