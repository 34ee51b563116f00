import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as z from 'zod'
import { namedModel } from '#shared/providers/listed-model.ts'
import { type KeyedProvider, KeyedProviders } from '#shared/providers/provider.ts'
import { CannotStart, fleetProgram } from './data-dir.ts'

const Machine = z.object({
  /** Identities of samples and overrides by benchmark: the Worker cannot read files. */
  samples: z.record(z.string(), z.json()),
  overrides: z.record(z.string(), z.json()),
  providers: KeyedProviders,
  notes: z.array(z.string()),
})
export type Machine = z.infer<typeof Machine>

/**
 * What this machine can run on. The fleet knows data files and providers, and the edge must not import it: so it is asked as a program.
 * A broken BENCH_DATA_OVERRIDES ends the start with its own sentence.
 */
export async function describeMachine(dataDir: string): Promise<Machine> {
  const program = fleetProgram(dataDir, 'describe-machine')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, dataDir], { maxBuffer: 64_000_000 })
    return Machine.parse(JSON.parse(stdout))
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim()
    throw new CannotStart(said || `${program} does not run.`, { cause })
  }
}

export function demoProvider(baseUrl: string, models: string[]): KeyedProvider {
  return { id: 'demo', label: 'Demo model', kind: 'demo', base_url: baseUrl, models: models.map(namedModel), api_key: null }
}
