import { bytesToHex } from '@noble/hashes/utils.js'
import type { ByteSource, Bytes } from '../export/byte-source.ts'
import type { OpenSha256 } from '../export/running-sha256.ts'
import { sha256Hex } from '../sha256.ts'
import type { TreeFile } from '../solvers/machine.ts'
import { isOfMac, openPlainZip } from './open-plain-zip.ts'
import { mostTrajectory, toldInstruction, trajectoryPath } from './told-instruction.ts'
import { visitEntries } from './zip-contents.ts'
import type { ZipEntry } from './zip-entries.ts'
import { jobZipLimits, RefusedZip, type TaskZipLimits } from './zip-problem.ts'

/** A file of a job, by its path in the job's folder. */
export type JobZipFile = { path: string; bytes: number; sha256: string }

/**
 * A job in an archive of which no more is held than its results. `name`: its folder's, null where it lies at the archive's root. `results` name what was
 * read of it, `contents` all of it; `told`: what the agent of an episode was told first.
 */
export type JobZip = {
  name: string | null
  tree: TreeFile[]
  files: JobZipFile[]
  results: string
  contents: string
  told(episode: string): string | null
}

/** Whether a file of a job's folder belongs to the results that name it. */
export const isJobResult = (path: string): boolean => /^(?:[^/]+\/)?(?:config|lock|result)\.json$/.test(path)

/** One hash for files, whatever their order: of a line for each, as `sha256sum` writes it. */
export function nameFiles(files: readonly { path: string; sha256: string }[]): string {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return sha256Hex(sorted.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''))
}

/** What a reader of jobs looks into: the rest of its results is only named. */
const isRead = (path: string): boolean => /^(?:config\.json|(?:[^/]+\/)?result\.json|[^/]+\/lock\.json)$/.test(path)

/** Reads the one job of an archive, every byte of which is unpacked and checked. Throws `RefusedZip`. */
export async function surveyJobZip(source: ByteSource, open: OpenSha256, limits: TaskZipLimits = jobZipLimits): Promise<JobZip> {
  const opened = await openPlainZip(source, limits)
  const root = findRoot(opened.entries.filter(({ folder }) => !folder).map(({ path }) => path))
  const told = new Map<string, string | null>()
  /** Episodes of a task were told the same: it is held once. */
  const texts = new Map<string, string>()
  const job: JobZip = {
    name: root.split('/').at(-2) ?? null,
    tree: [],
    files: [],
    results: '',
    contents: '',
    told: (one) => told.get(one) ?? null,
  }
  let [held, chars] = [0, 0]
  await visitEntries(source, opened, async (entry, pieces) => {
    const path = pathIn(root, entry)
    if (path === undefined) return
    const hash = open()
    const episode = path.endsWith(`/${trajectoryPath}`) ? path.slice(0, -trajectoryPath.length - 1) : undefined
    const wanted = isRead(path) || (episode !== undefined && entry.size <= mostTrajectory)
    if (isRead(path)) {
      held += entry.size
      if (entry.size > limits.text_bytes || held > limits.all_text_bytes)
        throw new RefusedZip('unpacks-too-large', entry.path, tooMuch(limits))
    }
    const bytes = new Uint8Array(wanted ? entry.size : 0)
    let at = 0
    for await (const piece of pieces) {
      hash.update(piece)
      if (wanted) bytes.set(piece, at)
      at += piece.length
    }
    job.files.push({ path, bytes: entry.size, sha256: bytesToHex(hash.digest()) })
    if (isRead(path)) job.tree.push({ path, mode: 0o644, bytes })
    const text = episode === undefined ? null : toldInstruction(bytes)
    if (episode === undefined || text === null) return
    if (!texts.has(text)) chars += text.length
    if (chars > limits.all_text_bytes) return
    texts.set(text, texts.get(text) ?? text)
    told.set(episode, texts.get(text)!)
  })
  job.results = nameFiles(job.files.filter(({ path }) => isJobResult(path)))
  job.contents = nameFiles(job.files)
  return job
}

/** What the job in an archive is called, by its directory alone: empty where it lies at the root; undefined where the archive holds none. */
export async function findJobName(source: ByteSource, limits: TaskZipLimits = jobZipLimits): Promise<string | undefined> {
  try {
    const { entries } = await openPlainZip(source, { ...limits, packed_bytes: Number.POSITIVE_INFINITY })
    const paths = entries.filter(({ folder }) => !folder).map(({ path }) => path)
    const root = findRoot(paths)
    return paths.includes(`${root}config.json`) ? (root.split('/').at(-2) ?? '') : undefined
  } catch (error) {
    if (error instanceof RefusedZip) return undefined
    throw error
  }
}

/** Hands the files of a job out once more, in the order they lie in the archive. */
export async function visitJobZip(
  source: ByteSource,
  visit: (path: string, size: number, pieces: AsyncIterable<Bytes>) => Promise<void>,
  limits: TaskZipLimits = jobZipLimits,
): Promise<void> {
  const opened = await openPlainZip(source, limits)
  const root = findRoot(opened.entries.filter(({ folder }) => !folder).map(({ path }) => path))
  await visitEntries(source, opened, async (entry, pieces) => {
    const path = pathIn(root, entry)
    if (path !== undefined) await visit(path, entry.size, pieces)
  })
}

const tooMuch = ({ text_bytes, all_text_bytes }: TaskZipLimits): string =>
  `results may have ${text_bytes} bytes each and ${all_text_bytes} in all: import a larger job with bench import harbor, or as several`

const pathIn = (root: string, { path, folder }: ZipEntry): string | undefined =>
  folder || !path.startsWith(root) || isOfMac(path) || /(?:^|\/)\.DS_Store$/.test(path) ? undefined : path.slice(root.length)

const mostFoldersAbove = 2

/** The folder of the topmost `result.json`, as `a/b/` or empty: at the root, or in one or two folders. */
function findRoot(paths: readonly string[]): string {
  const own = paths
    .filter((path) => /(?:^|\/)result\.json$/.test(path) && !isOfMac(path))
    .map((path) => path.slice(0, -'result.json'.length))
  const depth = (root: string): number => root.split('/').length - 1
  const least = Math.min(...own.map(depth))
  const [root, other] = own.filter((one) => depth(one) === least)
  if (root === undefined || least > mostFoldersAbove)
    throw new RefusedZip(
      'no-job',
      'result.json',
      'there is none at the root or in one or two folders: pack the folder of one job of Harbor’s jobs/',
    )
  if (other !== undefined)
    throw new RefusedZip('several-jobs', `${other}result.json`, `there is another one in ${root}: pack each job by itself`)
  return root
}
