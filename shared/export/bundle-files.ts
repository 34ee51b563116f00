import type { ByteSource, Bytes } from './byte-source.ts'
import type { OpenZip } from './read-zip.ts'

/** A file of a bundle, by its name in the archive that was signed. Size in bytes. */
export type BundleMember = { name: string; size: number }

/**
 * The files of a bundle, wherever they lie: in the archive that was signed, in an archive that somebody packed anew, or in a folder. `packing` is
 * there where the bytes of the archive itself can be those that were signed. Reading throws `BadArchive` for a file that is not what it says.
 */
export type BundleFiles = {
  members: readonly BundleMember[]
  packing: { source: ByteSource; zip: OpenZip } | null
  /** The contents, piece by piece, each good until the next is asked for. */
  read(member: BundleMember): AsyncGenerator<Bytes>
  readWhole(member: BundleMember): Promise<Bytes>
}

/** What is said of the archive where only its contents are those that were signed. */
export const packedAnew = 'contents as signed; packed anew'
