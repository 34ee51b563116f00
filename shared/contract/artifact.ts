import * as z from 'zod'
import { Sha256 } from './ids.ts'

/** What a trial may leave behind besides its record, and how large one of a kind may be, in bytes: below the 100 MB that Cloudflare lets through. */
export const artifactKinds = {
  /** The transcript, where it is too long for the record: JSON lines. */
  transcript: 64 * 1024 ** 2,
  /** What a program wrote. */
  log: 95 * 1024 ** 2,
  /** A terminal as it was seen: asciicast. */
  recording: 95 * 1024 ** 2,
  /** A file that the model made, or an answer too large for the record. */
  file: 95 * 1024 ** 2,
  picture: 20 * 1024 ** 2,
} as const satisfies Record<string, number>
export const ArtifactKind = z.enum(Object.keys(artifactKinds) as [keyof typeof artifactKinds]) // the keys of the table above
export type ArtifactKind = z.infer<typeof ArtifactKind>

/** Bytes and number of artifacts that one trial may leave. */
export const mostArtifactBytes = 512 * 1024 ** 2
export const mostArtifacts = 100

/** Something a trial left behind, named within the trial and kept once under the hash of its bytes. */
export const ArtifactRef = z.object({
  name: z
    .string()
    .min(1)
    .max(200)
    .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.+@-][\w.+@ -]*(?:\/[\w.+@-][\w.+@ -]*)*$/, 'a relative path of plain names'),
  kind: ArtifactKind,
  media_type: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/)
    .max(100),
  bytes: z.int().min(0),
  sha256: Sha256,
})
export type ArtifactRef = z.infer<typeof ArtifactRef>

/** The same with the address of its bytes at the service that was asked; null where that keeps none. */
export const ArtifactLink = ArtifactRef.extend({ url: z.string().nullable() })
export type ArtifactLink = z.infer<typeof ArtifactLink>
