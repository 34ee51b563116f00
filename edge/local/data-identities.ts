import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import { CannotStart } from './data-dir.ts'
import type { Identities } from './part-specs.ts'

const Printed = z.object({ samples: z.record(z.string(), z.unknown()), overrides: z.record(z.string(), z.unknown()) })

/**
 * What samples and overrides there are, by hash. The fleet knows how to read data files and the edge must not import it: so it is asked
 * as a program. A broken `BENCH_DATA_OVERRIDES` ends the start with its own sentence.
 */
export async function readIdentities(root: string, dataDir: string): Promise<Identities> {
  const program = join(root, 'fleet', 'cli', 'data-identities.ts')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, dataDir], { maxBuffer: 64_000_000 })
    return Printed.parse(JSON.parse(stdout))
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim()
    throw new CannotStart(said || "The benchmarks' samples cannot be read.", { cause })
  }
}
