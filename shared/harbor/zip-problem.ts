/** Everything for which an archive is refused. */
export const zipProblemReasons = [
  'too-large',
  'not-a-zip',
  'ambiguous',
  'damaged',
  'too-many-entries',
  'unpacks-too-large',
  'expands-too-much',
  'encrypted',
  'unsupported',
  'bad-encoding',
  'unsafe-name',
  'long-name',
  'duplicate-name',
  'link',
  'special-file',
  'no-task',
  'several-tasks',
  'no-job',
  'several-jobs',
] as const
export type ZipProblemReason = (typeof zipProblemReasons)[number]

/** Why an archive is refused. `entry`: the name in it that this is about, as far as it can be shown; null where it is about the whole. */
export type ZipProblem = { reason: ZipProblemReason; entry: string | null; text: string }

/** How the reader leaves; nothing of it gets out of this folder. */
export class RefusedZip extends Error {
  readonly problem: ZipProblem
  constructor(reason: ZipProblemReason, entry: string | null, text: string) {
    super(text)
    this.problem = { reason, entry, text }
  }
}

/** What an uploaded task may be. Sizes in bytes. */
export type TaskZipLimits = {
  packed_bytes: number
  unpacked_bytes: number
  entries: number
  /** Of one name between two slashes, of a whole path, and of names in a path. */
  name_bytes: number
  path_bytes: number
  depth: number
  /** How many times an entry of at least `ratio_from_bytes` may expand. */
  ratio: number
  ratio_from_bytes: number
  /** How many times an archive that unpacks to at least `all_ratio_from_bytes` may expand as a whole. */
  all_ratio: number
  all_ratio_from_bytes: number
  /** A file that is read as text, and all of them together. */
  text_bytes: number
  all_text_bytes: number
}

const mebibyte = 2 ** 20

export const taskZipLimits: TaskZipLimits = {
  packed_bytes: 100 * mebibyte,
  unpacked_bytes: 1024 * mebibyte,
  entries: 20_000,
  name_bytes: 255,
  path_bytes: 1024,
  depth: 32,
  ratio: 200,
  ratio_from_bytes: mebibyte,
  all_ratio: 100,
  all_ratio_from_bytes: 64 * mebibyte,
  text_bytes: mebibyte,
  all_text_bytes: 32 * mebibyte,
}

/**
 * What an uploaded job may be. Of it only results are held, each up to `text_bytes` and all up to `all_text_bytes`, and as many characters of what agents were told.
 * Terminals repeat themselves, so what they showed may expand further than files of tasks.
 */
export const jobZipLimits: TaskZipLimits = { ...taskZipLimits, ratio: 1000, text_bytes: 4 * mebibyte, all_text_bytes: 16 * mebibyte }
