import { bytesToHex } from '@noble/hashes/utils.js'
import { type ByteSource, gather } from '../export/byte-source.ts'
import { type OpenSha256, openNoble } from '../export/running-sha256.ts'
import type { TreeFile } from '../solvers/machine.ts'
import { isOfMac, openPlainZip } from './open-plain-zip.ts'
import { isScript, scriptBeginning } from './script-line-ends.ts'
import { visitEntries } from './zip-contents.ts'
import type { ZipEntry } from './zip-entries.ts'
import { RefusedZip, type TaskZipLimits, taskZipLimits, type ZipProblem } from './zip-problem.ts'

type Refused = { ok: false; problem: ZipProblem }
/** `folder`: the name of the folder that the task was packed in; null where it lies at the archive's root. */
type FromZip = { ok: true; folder: string | null; files: TreeFile[] }
export type TaskFromZip = FromZip | Refused
export type SurveyedZip = (FromZip & { hashOf: (file: TreeFile) => string; unpacked_bytes: number }) | Refused

/**
 * The files of the one task in an archive, unpacked into memory, paths from its folder. What is no plain ZIP of plain files within the limits is
 * refused, wherever it lies; nothing is unpacked before the directory held. The same archive gives the same files or the same problem.
 */
export async function readTaskZip(source: ByteSource, limits: TaskZipLimits = taskZipLimits): Promise<TaskFromZip> {
  return refusals(async () => {
    const opened = await openTaskZip(source, limits)
    const files: TreeFile[] = []
    await visitEntries(source, opened, async (entry, pieces) => {
      const path = opened.pathOf(entry)
      if (path !== undefined) files.push({ path, mode: entry.mode, bytes: await gather(pieces, entry.size) })
    })
    return { ok: true, folder: opened.folder, files }
  })
}

/**
 * The same checks of an archive that is too large to be held: every byte is unpacked and checked, and only the files that `loadTask` reads are
 * kept, with the beginning of each script; the others come without their bytes. `hashOf` tells `loadTask` the SHA-256 of each.
 */
export async function surveyTaskZip(
  source: ByteSource,
  limits: TaskZipLimits = taskZipLimits,
  open: OpenSha256 = openNoble,
): Promise<SurveyedZip> {
  return refusals(async () => {
    const opened = await openTaskZip(source, limits)
    const [files, hashes]: [TreeFile[], Map<string, string>] = [[], new Map()]
    let [unpacked, kept] = [0, 0]
    await visitEntries(source, opened, async (entry, pieces) => {
      const path = opened.pathOf(entry)
      if (path === undefined) return
      const text = readAsText.test(path)
      kept += text ? entry.size : 0
      if (text && (entry.size > limits.text_bytes || kept > limits.all_text_bytes)) {
        throw new RefusedZip(
          'unpacks-too-large',
          entry.path,
          `it is longer than texts of a task may be (${limits.text_bytes} bytes, all ${limits.all_text_bytes})`,
        )
      }
      const hash = open()
      const bytes = new Uint8Array(text ? entry.size : isScript(path) ? Math.min(entry.size, scriptBeginning) : 0)
      let at = 0
      for await (const piece of pieces) {
        hash.update(piece)
        if (at < bytes.length) bytes.set(piece.subarray(0, bytes.length - at), at)
        at += piece.length
      }
      hashes.set(path, bytesToHex(hash.digest()))
      files.push({ path, mode: entry.mode, bytes })
      unpacked += entry.size
    })
    return { ok: true, folder: opened.folder, files, hashOf: ({ path }) => hashes.get(path) ?? '', unpacked_bytes: unpacked }
  })
}

/** What `loadTask` reads the bytes of. */
const readAsText = /(?:^|\/)(?:task\.toml|instruction\.md|\.harborignore|\.gitignore|docker-compose\.yaml|Dockerfile)$/

async function refusals<T>(read: () => Promise<T>): Promise<T | Refused> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof RefusedZip) return { ok: false, problem: cause.problem }
    throw cause
  }
}

type Opened = { entries: ZipEntry[]; end: number; folder: string | null; pathOf(entry: ZipEntry): string | undefined }

/** Checks all that the directory says, and finds the task's folder. */
async function openTaskZip(source: ByteSource, limits: TaskZipLimits): Promise<Opened> {
  const { entries, end } = await openPlainZip(source, limits)
  const root = findRoot(entries.filter(({ folder }) => !folder).map(({ path }) => path))
  return {
    entries,
    end,
    folder: root === '' ? null : (root.split('/').at(-2) ?? null),
    pathOf: ({ path, folder }) => (folder || !path.startsWith(root) || isOfMac(path) ? undefined : path.slice(root.length)),
  }
}

const mostFoldersAbove = 2

/** The folder with the topmost `task.toml`, as `a/b/` or empty: at the root, or in one or two folders. */
function findRoot(paths: readonly string[]): string {
  const tomls = paths.filter((path) => /(?:^|\/)task\.toml$/.test(path) && !isOfMac(path)).map((path) => path.slice(0, -'task.toml'.length))
  const depth = (root: string) => root.split('/').length - 1
  const least = Math.min(...tomls.map(depth))
  const [root, other] = tomls.filter((one) => depth(one) === least)
  if (root === undefined || least > mostFoldersAbove) {
    throw new RefusedZip('no-task', 'task.toml', 'there is none at the root or in one or two folders: pack the folder of a task')
  }
  if (other !== undefined)
    throw new RefusedZip('several-tasks', `${other}task.toml`, `there is another one in ${root}: pack each task by itself`)
  return root
}
