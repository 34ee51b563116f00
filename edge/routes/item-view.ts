import type { ItemName, StoredTrial } from '#db/store.ts'
import type { EpochResult } from '#shared/contract/api.ts'
import type { ArtifactLink, ArtifactRef } from '#shared/contract/artifact.ts'
import type { ItemRow } from '#shared/contract/item-rows.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { withheldFlag, withoutText } from '#shared/export/export-item.ts'

/** The trial as this visitor may see it: of a withheld benchmark only counts, times and outcome remain. */
export function withhold(trial: StoredTrial, benchmarks: ReadonlySet<string>): StoredTrial {
  return benchmarks.has(trial.record.benchmark) ? { ...trial, record: withoutText(trial.record) } : trial
}

/** A line of the list as this visitor may see it. */
export function withholdRow(row: ItemRow, benchmarks: ReadonlySet<string>): ItemRow {
  return benchmarks.has(row.benchmark)
    ? { ...row, source_id: null, answer: null, expected: null, snippet: '', flags: [...row.flags, withheldFlag] }
    : row
}

/** An item's epochs as this visitor may see them. */
export function withholdEpochs(epochs: EpochResult[], withheld: boolean): EpochResult[] {
  return withheld ? epochs.map((one) => ({ ...one, answer: null })) : epochs
}

/** The item that `benchmark:item_id:epoch` names, which is the `id` of an item in lists; null for any other text. */
export function readItemName(text: string | undefined): ItemName | null {
  const [, benchmark, item_id, epoch] = /^([^:]+):(.*):(\d{1,9})$/s.exec(text ?? '') ?? []
  return benchmark === undefined || item_id === undefined ? null : { benchmark, item_id, epoch: Number(epoch) }
}

/** What a trial left behind, each with the address of exactly these bytes; `kept` says whether this service keeps any. */
export function linkArtifacts(run_id: string, { ordinal, artifacts = [] }: TrialRecord, kept: boolean): ArtifactLink[] {
  const url = ({ name, sha256 }: ArtifactRef) => `/api/runs/${run_id}/artifacts/${ordinal}/${encodeURIComponent(name)}?sha256=${sha256}`
  return artifacts.map((one) => ({ ...one, url: kept ? url(one) : null }))
}
