import { card as terminalTasks } from '../benchmarks/terminal_tasks/card.ts'
import type { DataIdentity, PlannedBenchmark, RunSpec } from '../contract/run.ts'

/** The benchmark whose items uploaded tasks are. */
export const uploadBenchmark = terminalTasks.name
/** Stands in place of a repository: the archive is named by its hash and lies with the service. */
export const uploadRepo = 'upload'

/**
 * The data of a run of one uploaded task. `archive_name` is what the task is called without a name of its own; the identity is that of the bytes, so that two
 * people who upload the same archive compare on the same data.
 */
export function uploadData(archive_name: string, sha256: string): DataIdentity {
  return {
    source: 'upload',
    repo: uploadRepo,
    revision: sha256.slice(0, 40),
    files: [{ role: 'test', path: `${archive_name}.zip`, sha256, rows: 1 }],
  }
}

/** The name that goes into `uploadData`, read back from there. */
export const archiveNameOf = (path: string): string => path.replace(/\.zip$/, '')

/** The hashes of the archives that a run needs. */
export function uploadsOf({ benchmarks }: Pick<RunSpec, 'benchmarks'>): string[] {
  const hashes = (planned: PlannedBenchmark): string[] =>
    planned.data.source === 'upload' ? planned.data.files.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256])) : []
  return benchmarks.flatMap(hashes)
}

const mostNameChars = 120

/** The name of a task's folder in its archive, else of the file it came in, in letters that are a file name anywhere. */
export function archiveName(folder: string | null, filename: string): string {
  const stem =
    folder ??
    filename
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.zip$/i, '') ??
    ''
  const plain = stem.replace(/[^\w.-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '')
  return plain.slice(0, mostNameChars) || 'task'
}
