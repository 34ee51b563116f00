import type { Run } from '../../contract/api.ts'
import type { Weights } from '../../janus/composite.ts'
import type { BundlePorts, ExportTrial, TrialPages } from '../bundle.ts'
import type { Bytes } from '../byte-source.ts'
import { withoutText } from '../export-item.ts'
import type { OpenSha256 } from '../running-sha256.ts'
import type { SigningKey } from '../signing-key.ts'
import type { BundleClaims } from '../summarise.ts'

/** An ended run as one reader gets it: what every form is written from, beside its trials. */
export type ExportRun = {
  view: Run
  claims: BundleClaims
  /** Benchmarks whose texts this reader may not have. */
  withheld: ReadonlySet<string>
  /** Null where nothing can be signed. */
  key: SigningKey | null
  artifacts?: BundlePorts['artifacts']
  openSha256: OpenSha256
  /** Where the service is, without a slash at the end; empty where there is none. */
  service_url: string
  /** For a report of the Janus suite: the server that was asked, and what each part counts where that is chosen. */
  janus?: { target_url: string; weights: Weights }
}

/** Writes a run in one form. `pages` may be read more than once; what it throws passes through. */
export type FormatWriter = (run: ExportRun, pages: TrialPages) => AsyncGenerator<Bytes>

/** Pages of all trials in the order of the plan, as this reader may see them. */
export async function* shownPages(
  { view, withheld }: Pick<ExportRun, 'view' | 'withheld'>,
  pages: TrialPages,
): AsyncGenerator<ExportTrial[]> {
  for (const { name } of view.spec.benchmarks) {
    for await (const page of pages(name)) {
      yield withheld.has(name) ? page.map((trial) => ({ ...trial, record: withoutText(trial.record) })) : [...page]
    }
  }
}

const encoder = new TextEncoder()
export const encode = (text: string): Bytes => encoder.encode(text) as Bytes // an encoder makes its own buffers
