import { join } from 'node:path'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { describeOverrides } from '#fleet/dataset/overrides.ts'
import { sampleIdentities } from '#fleet/dataset/sample-identities.ts'
import { benchmarksDir } from '#fleet/program.ts'
import { providersFrom } from '../configured-providers.ts'
import { useProxies } from '../proxy/use-proxies.ts'

/**
 * Prints what this machine can run on, as JSON for whoever starts an edge: samples and overrides by hash, and providers with their keys.
 * `node fleet/cli/describe-machine.ts DATA_DIR`; exit code 1 and a sentence on stderr when BENCH_DATA_OVERRIDES does not fit.
 */
const misread = useProxies(process.env)
const env = datasetEnv(process.env, { cacheDir: join(process.argv[2] ?? '.data', 'cache'), benchmarksDir })
const overrides = await describeOverrides(env)
if (misread !== null) refuse(misread)
else if (overrides.ok) {
  const notes: string[] = []
  try {
    const providers = await providersFrom(process.env, fetch, (line) => notes.push(line))
    process.stdout.write(JSON.stringify({ samples: await sampleIdentities(benchmarksDir), overrides: overrides.value, providers, notes }))
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error))
  }
} else refuse(overrides.failure.detail)

function refuse(why: string): void {
  process.stderr.write(`${why}\n`)
  process.exitCode = 1
}
