import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import * as z from 'zod'
import type { Outcome } from '#shared/contract/failure.ts'
import { BenchmarkName, Sha256 } from '#shared/contract/ids.ts'
import type { DataIdentity } from '#shared/contract/run.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { datasetError, outcomeOf } from './dataset-error.ts'
import { countOf, findRows } from './open-rows.ts'
import { packedFolder } from './packed-folder.ts'
import { checkedHash } from './pinned-file.ts'
import { archivePath } from './rows.ts'

const OverrideFile = z.object({
  role: z.string().min(1),
  path: z.string().min(1),
  sha256: Sha256.optional(),
  rows: z.int().min(1).optional(),
})
export type OverrideFile = z.infer<typeof OverrideFile>

/** The operator's own data files by benchmark, as BENCH_DATA_OVERRIDES declares them, `private` those whose texts nobody else may read; paths are absolute. */
export const DataOverrides = z.record(
  BenchmarkName,
  z.strictObject({ files: z.array(OverrideFile).min(1), private: z.literal(true).optional() }),
)
export type DataOverrides = z.infer<typeof DataOverrides>

/** Parses BENCH_DATA_OVERRIDES: inline JSON, or a path to a JSON file whose relative paths start at its folder. A
 * catalogue of tasks may be named by its folder. Throws `dataset/unavailable`. */
export async function readOverrides(env: DatasetEnv): Promise<DataOverrides> {
  if (env.overrides === null) return {}
  const inline = env.overrides.startsWith('{')
  const from = inline ? process.cwd() : dirname(resolve(env.overrides))
  let value: unknown
  try {
    value = JSON.parse(inline ? env.overrides : await readFile(env.overrides, 'utf8'))
  } catch (cause) {
    throw datasetError('unavailable', `BENCH_DATA_OVERRIDES is neither JSON nor a readable JSON file: ${(cause as Error).message}`, {
      cause,
    })
  }
  const parsed = DataOverrides.safeParse(value)
  if (!parsed.success) throw datasetError('unavailable', `BENCH_DATA_OVERRIDES does not fit: ${z.prettifyError(parsed.error)}`)
  const overrides: DataOverrides = {}
  for (const [name, { files, ...more }] of Object.entries(parsed.data)) {
    const absolute = async (file: OverrideFile) => ({ ...file, path: await packedFolder(name, resolve(from, file.path), env) })
    overrides[name] = { files: await Promise.all(files.map(absolute)), ...more }
  }
  return overrides
}

/**
 * The complete identity of every override: hash and row count computed where the operator gave none. Identities name files by their
 * last path part only, since they are public. The caller hands them to the edge, which cannot read files.
 */
export function describeOverrides(env: DatasetEnv): Promise<Outcome<Record<string, DataIdentity>>> {
  return outcomeOf(async () => {
    const described: Record<string, DataIdentity> = {}
    for (const [benchmark, { files, private: own }] of Object.entries(await readOverrides(env))) {
      const complete = []
      for (const file of files) complete.push(await describe(file, env))
      described[benchmark] = {
        source: 'override',
        repo: 'override',
        revision: revisionOf(complete),
        files: complete,
        ...(own && { private: own }),
      }
    }
    return described
  })
}

/** 40 hex digits that stand for a set of files without a repository: the same files, the same revision. */
export function revisionOf(files: DataIdentity['files']): string {
  const lines = files.map((file) => `${file.role}\0${file.path}\0${file.sha256}\n`)
  return createHash('sha256').update(lines.join('')).digest('hex').slice(0, 40)
}

async function describe(file: OverrideFile, env: DatasetEnv): Promise<DataIdentity['files'][number]> {
  const { path, member } = archivePath(file.path)
  const sha256 = await checkedHash(path, file.sha256 ?? null, env)
  if (sha256 === undefined) throw datasetError('unavailable', `BENCH_DATA_OVERRIDES names ${path}, which does not exist`)
  const name = member === null ? basename(path) : `${basename(path)}!/${member}`
  const rows = file.rows ?? countOf(await findRows({ path, sha256 }, file.path, undefined, env))
  if (rows === 0) throw datasetError('bad-record', `${file.path} has no rows`)
  return { role: file.role, path: name, sha256, rows }
}
