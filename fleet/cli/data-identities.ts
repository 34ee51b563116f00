import { join, resolve } from 'node:path'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { describeOverrides } from '#fleet/dataset/overrides.ts'
import { sampleIdentities } from '#fleet/dataset/sample-identities.ts'

/** Prints `{samples, overrides}` as JSON for whoever starts an edge: `node fleet/cli/data-identities.ts DATA_DIR`. */
const benchmarksDir = resolve(import.meta.dirname, '..', '..', 'shared', 'benchmarks')
const env = datasetEnv(process.env, { cacheDir: join(process.argv[2] ?? '.data'), benchmarksDir })
const overrides = await describeOverrides(env)
if (overrides.ok) {
  console.log(JSON.stringify({ samples: await sampleIdentities(benchmarksDir), overrides: overrides.value }))
} else {
  console.error(overrides.failure.detail)
  process.exitCode = 1
}
