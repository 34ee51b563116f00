import { createHash } from 'node:crypto'
import { createWriteStream, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { JobReport } from '#shared/harbor/episode-report.ts'
import { openPlainZip } from '#shared/harbor/open-plain-zip.ts'
import { type JobProblem, readJobFolder } from '#shared/harbor/read-job.ts'
import { isJobResult, nameFiles } from '#shared/harbor/survey-job-zip.ts'
import { visitEntries } from '#shared/harbor/zip-contents.ts'
import { jobZipLimits, RefusedZip, type TaskZipLimits } from '#shared/harbor/zip-problem.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'
import { openFileSource } from '../file-source.ts'

/** What is no job of Harbor's, for whoever named it. */
export class NoHarborJob extends Error {}

/** A job as it lies on this machine until it is disposed of. `files`: plain files below `folder`, by path; `sha256` names the results that were read. */
export type HarborJob = { job: JobReport; problems: JobProblem[]; folder: string; files: readonly string[]; sha256: string } & Disposable

/** Here a job may be larger than one that a service takes: recordings of thousands of episodes. */
const limits: TaskZipLimits = { ...jobZipLimits, packed_bytes: 2 ** 30, unpacked_bytes: 2 ** 32, entries: 100_000 }
/** A file of results is read whole; the largest is that of a job of ten thousand episodes. */
const mostResult = 64 * 2 ** 20

/** Opens a job by its folder, by a folder that holds one alone, or by a ZIP of either. Links are passed by. Throws `NoHarborJob` and errors of the file system. */
export async function openHarborJob(path: string): Promise<HarborJob> {
  const entry = lstatSync(resolve(path), { throwIfNoEntry: false })
  if (!entry) throw new NoHarborJob(`${path} is not there`)
  if (entry.isDirectory()) return { ...readJob(resolve(path), path), [Symbol.dispose]: () => undefined }
  const unpacked = mkdtempSync(join(tmpdir(), 'bench-harbor-'))
  const remove = (): void => rmSync(unpacked, { recursive: true, force: true })
  try {
    await unpack(resolve(path), unpacked)
    return { ...readJob(unpacked, path), [Symbol.dispose]: remove }
  } catch (cause) {
    remove()
    if (cause instanceof RefusedZip)
      throw new NoHarborJob(`${path}: ${cause.problem.entry ? `${cause.problem.entry}: ` : ''}${cause.problem.text}`, { cause })
    throw cause
  }
}

async function unpack(path: string, folder: string): Promise<void> {
  await using source = await openFileSource(path)
  const opened = await openPlainZip(source, limits)
  await visitEntries(source, opened, async (entry, pieces) => {
    if (entry.folder) return
    const file = join(folder, entry.path)
    mkdirSync(dirname(file), { recursive: true })
    await pipeline(Readable.from(pieces, { objectMode: false }), createWriteStream(file, { flags: 'wx' }))
  })
}

function readJob(given: string, named: string): Omit<HarborJob, typeof Symbol.dispose> {
  const folder = folderOfJob(given, named)
  const files = plainFiles(folder)
  const results: { path: string; sha256: string }[] = []
  const tree = files.filter(isJobResult).map((path): TreeFile => {
    const file = join(folder, path)
    if (lstatSync(file).size > mostResult) throw new NoHarborJob(`${join(named, path)} has more than ${mostResult} bytes`)
    const bytes = readFileSync(file)
    results.push({ path, sha256: createHash('sha256').update(bytes).digest('hex') })
    return { path, mode: 0o644, bytes }
  })
  const read = readJobFolder(basename(folder), tree)
  if (!read.ok)
    throw new NoHarborJob(`${named} is no job of Harbor's: ${read.problems.map(({ entry, text }) => `${entry}: ${text}`).join('; ')}`)
  return { job: read.job, problems: read.problems, folder, files, sha256: nameFiles(results) }
}

/** The folder that has the job's own result, which no trial's result is: that names its trial. */
function folderOfJob(given: string, named: string): string {
  const isJob = (folder: string): boolean => lstatSync(join(folder, 'result.json'), { throwIfNoEntry: false })?.isFile() ?? false
  if (isJob(given)) return given
  const inner = readdirSync(given, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isJob(join(given, entry.name)))
    .map(({ name }) => name)
  if (inner.length > 1) throw new NoHarborJob(`${named} holds ${inner.length} jobs; name one: ${inner.slice(0, 5).join(', ')}`)
  if (inner[0] === undefined) throw new NoHarborJob(`${named} is no job of Harbor's: there is no result.json in it or in a folder of it`)
  return join(given, inner[0])
}

function plainFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
}
