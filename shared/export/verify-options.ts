import type { OpenSha256 } from './running-sha256.ts'
import type { TrustedKey } from './verify-report.ts'
import type { Recomputation } from './verify-results.ts'

export type VerifyOptions = Recomputation & {
  /** Keys pinned beforehand, the only ones trusted. `public_key.txt` inside a bundle is never trusted. */
  trustedKeys: readonly TrustedKey[]
  /** Tighter bounds than those of every bundle, for a place with less room. */
  limits?: { in_bytes: number; out_bytes: number }
  now?: Date
  /** A faster hash than the one that runs anywhere. */
  openSha256?: OpenSha256
  /** Lets others have their turn; waited for between trials. */
  breathe?(): Promise<void>
  /** Hears how much of the work is done, both in bytes. */
  onProgress?(done: number, total: number): void
}
