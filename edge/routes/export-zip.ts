import type { SigningKeyRow, Store, StoredRun } from '#db/store.ts'
import { isTerminal, type RunSpec } from '#shared/contract/run.ts'
import { bundleName, type ExportTrial, type TrialPages, writeBundle } from '#shared/export/bundle.ts'
import { BundleTooLarge } from '#shared/export/bundle-limits.ts'
import { claimsOfRun } from '#shared/export/claims-of-run.ts'
import { openWithhold } from '#shared/export/withhold.ts'
import type { Deps, SignerPort } from '../deps.ts'
import { Problem } from '../problem.ts'
import type { ExportFile } from './export-file.ts'
import { trialPages } from './trial-pages.ts'

const pageSize = 250

/**
 * The signed bundle of an ended run; it says when it was first made. `withheld` names benchmarks whose texts this visitor may not have; when
 * it is left out, all gated ones. Throws `export-not-ready`, `signing-not-configured`, and what the store throws.
 */
export async function openZip(deps: Deps, run: StoredRun, withheld: ReadonlySet<string> = gatedBenchmarks(run.spec)): Promise<ExportFile> {
  if (!isTerminal(run.head.status))
    throw new Problem('export-not-ready', `The run is ${run.head.status}. It can be exported when it has ended.`)
  const signer = getSigner(deps)
  const remembered = rememberKey(deps, signer)
  remembered.catch(() => undefined) // waited for below
  const claims = claimsOfRun(run, {
    metric_names: (benchmark) => deps.cards.find((card) => card.name === benchmark)?.metrics ?? [],
    code_version: deps.config.version,
    git_sha: deps.config.commit,
    now: deps.now(),
  })
  const withhold = await openWithhold(signer, run.spec.run_id, withheld)
  return {
    name: bundleName(run.spec.run_id, claims.exported_at),
    type: 'application/zip',
    trials: run.head.done,
    async *pieces() {
      try {
        yield* writeBundle(claims, storedPages(deps.store, run.spec.run_id), signer, { withhold, openSha256: deps.openSha256 })
      } catch (cause) {
        if (!(cause instanceof BundleTooLarge)) throw cause
        throw new Problem('export-too-large', `No verifier would take it: ${cause.message}. The JSONL export has no such limit.`, { cause })
      }
      await remembered // nobody has a file whose key is not in the history
    },
  }
}

/** The signer, or the problem that says that there is none. */
export function getSigner(deps: Pick<Deps, 'signer'>): SignerPort {
  if (deps.signer) return deps.signer
  throw new Problem('signing-not-configured', 'No signing key is configured on this server, so nothing can be signed.')
}

/** Every key this server ever signed with, oldest first; the present one is there even before its first use, since the moment it was first asked for. */
export async function listKeys(deps: Pick<Deps, 'signer' | 'store' | 'now'>): Promise<SigningKeyRow[]> {
  const saved = await deps.store.listSigningKeys()
  const { signer } = deps
  if (!signer || saved.some((key) => key.fingerprint === signer.fingerprint)) return saved
  // Kept from now on: a key that is as old as the question would tell nobody anything.
  await rememberKey(deps, signer)
  return deps.store.listSigningKeys()
}

/** Writes the key into the history at its first use and retires the ones before it; a key taken back into use is valid again. */
async function rememberKey(deps: Pick<Deps, 'store' | 'now'>, signer: SignerPort): Promise<void> {
  const saved = await deps.store.listSigningKeys()
  const own = saved.find((key) => key.fingerprint === signer.fingerprint)
  if (!own) await deps.store.saveSigningKey(keyRow(signer, deps.now()))
  else if (own.retired_at !== null) await deps.store.saveSigningKey({ ...own, retired_at: null })
  for (const key of saved) {
    if (key.retired_at === null && key !== own) await deps.store.saveSigningKey({ ...key, retired_at: deps.now().toISOString() })
  }
}

const keyRow = ({ fingerprint, public_key }: SignerPort, now: Date): SigningKeyRow => ({
  fingerprint,
  public_key,
  valid_from: now.toISOString(),
  retired_at: null,
})

function gatedBenchmarks(spec: RunSpec): ReadonlySet<string> {
  return new Set(spec.benchmarks.filter((one) => one.gated && one.data.source !== 'sample').map((one) => one.name))
}

/**
 * Trials of one benchmark after the other, in pages. The store hands out a run's trials by ordinal; where each benchmark begins is
 * remembered from earlier passes, so that a plan of benchmark after benchmark is read once.
 */
function storedPages(store: Pick<Store, 'listTrials'>, run_id: string): TrialPages {
  const starts = new Map<string, number>()
  let read = -1
  return async function* (benchmark) {
    for await (const page of trialPages(store, run_id, starts.get(benchmark) ?? read, pageSize)) {
      const mine: ExportTrial[] = []
      for (const trial of page) {
        const { ordinal, benchmark: name } = trial.record
        if (!starts.has(name)) starts.set(name, ordinal - 1)
        if (name === benchmark) mine.push(trial)
        read = Math.max(read, ordinal)
      }
      if (mine.length > 0) yield mine
    }
  }
}
