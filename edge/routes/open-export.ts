import type { Store, StoredRun } from '#db/store.ts'
import type { Run } from '#shared/contract/api.ts'
import { type ExportFormat, exportFormats } from '#shared/contract/export-formats.ts'
import { isTerminal, type RunSpec } from '#shared/contract/run.ts'
import type { TrialPages } from '#shared/export/bundle.ts'
import { BundleTooLarge } from '#shared/export/bundle-limits.ts'
import { claimsOfRun } from '#shared/export/claims-of-run.ts'
import type { ExportRun } from '#shared/export/formats/format.ts'
import { exportName, formatWriters } from '#shared/export/formats/formats.ts'
import { NoEpisodes } from '#shared/export/formats/harbor.ts'
import { trialCount } from '#shared/run/plan.ts'
import { openArtifacts } from '../artifacts/enclose.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import type { ExportFile } from './export-file.ts'
import { getSigner, rememberKey } from './signing-keys.ts'
import { trialPages } from './trial-pages.ts'

const pageSize = 500

/** What a reader of an ended run may have of it: the run as he sees it, and the benchmarks whose texts stay here. */
export type Reader = { view: Run; withheld: ReadonlySet<string> }

/**
 * An ended run as a file in one form; it says when it was first made. Throws `export-not-ready`, `signing-not-configured`; its pieces throw
 * `export-too-large` and what the store throws.
 */
export function openExport(deps: Deps, run: StoredRun, { view, withheld }: Reader, format: ExportFormat): ExportFile {
  if (!isTerminal(run.head.status))
    throw new Problem('export-not-ready', `The run is ${run.head.status}. It can be exported when it has ended.`)
  const { signs, encloses, lists_trials, media_type } = exportFormats[format]
  const remembered = signs ? rememberKey(deps, getSigner(deps)) : undefined
  remembered?.catch(() => undefined) // waited for below
  const claims = claimsOfRun(run, {
    metric_names: (benchmark) => deps.cards.find((card) => card.name === benchmark)?.metrics ?? [],
    code_version: deps.config.version,
    git_sha: deps.config.commit,
    now: deps.now(),
  })
  const service_url = deps.config.public_url.replace(/\/+$/, '')
  const exported: ExportRun = { view, claims, withheld, key: deps.signer, openSha256: deps.openSha256, service_url }
  return {
    name: exportName(exported, format),
    type: media_type,
    trials: lists_trials ? run.head.done : null,
    async *pieces() {
      try {
        // Asked for beside the trials: the writer waits for it when it has written them.
        const artifacts = encloses ? openArtifacts(deps, run.spec.run_id) : undefined
        artifacts?.catch(() => undefined)
        yield* formatWriters[format]({ ...exported, ...(artifacts && { artifacts }) }, storedPages(deps.store, run.spec))
      } catch (cause) {
        if (cause instanceof NoEpisodes)
          throw new Problem('export-no-episodes', 'None of its benchmarks is made of terminal tasks. Every other form has all of it.', {
            cause,
          })
        if (!(cause instanceof BundleTooLarge)) throw cause
        throw new Problem('export-too-large', `No verifier would take it: ${cause.message}. The JSONL export has no such limit.`, { cause })
      }
      await remembered // nobody has a file whose key is not in the history
    },
  }
}

/** Trials of one benchmark, in pages. A plan asks benchmark after benchmark, so each has a stretch of it to itself. */
function storedPages(store: Pick<Store, 'listTrials'>, { run_id, benchmarks }: RunSpec): TrialPages {
  return async function* (benchmark) {
    const index = benchmarks.findIndex(({ name }) => name === benchmark)
    const first = benchmarks.slice(0, index).reduce((sum, planned) => sum + trialCount(planned), 0)
    const end = first + trialCount(benchmarks[index]!)
    for await (const page of trialPages(store, run_id, first - 1, pageSize)) {
      const mine = page.filter(({ record }) => record.ordinal < end)
      if (mine.length > 0) yield mine
      if (page.at(-1)!.record.ordinal >= end - 1) return
    }
  }
}
