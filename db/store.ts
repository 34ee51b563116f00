import type { CountIs, EpochResult, ItemQuery } from '#shared/contract/api.ts'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import type { ApartReason, BoardSetup, BoardSort, RunPlace, WithdrawnRun } from '#shared/contract/board.ts'
import type { Estimate } from '#shared/contract/estimate.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import type { ItemRowPage, ItemRowQuery } from '#shared/contract/item-rows.ts'
import type { Model } from '#shared/contract/model.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import type { KeptAnswers } from '#shared/contract/regrade.ts'
import type { Rescore, RescoreDifference } from '#shared/contract/rescore.ts'
import type { DataIdentity, RunHead, RunSpec, RunStatus } from '#shared/contract/run.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import type { MetricRow } from '#shared/metrics/port.ts'
import type { WrittenEvent } from '#shared/run/packed-event.ts'
import type { AuditStore } from './audit-store.ts'
import type { BudgetStore } from './budget-store.ts'
import type { KeyStore, Owner } from './key-store.ts'
import type { ProviderKeyStore } from './provider-key-store.ts'
import type { SessionStore } from './session-store.ts'
import type { TaskStore } from './task-store.ts'
import type { TeamStore } from './team-store.ts'

export type { ListedKey, Owner, SigningKeyRow, StoredKey } from './key-store.ts'
export type { StoredProviderKey } from './provider-key-store.ts'
export type { StoredSession } from './session-store.ts'
export type { FoundTask, StoredTask, TaskCounts, TaskFilter } from './task-store.ts'

/** What people call a run and file it under; nothing of it decides what is asked. */
export type RunLabel = { name: string | null; tags: string[] }
/** `label` is absent where nobody named the run. */
export type StoredRun = {
  spec: RunSpec
  head: RunHead
  metrics: Record<string, Record<string, unknown>>
  updated_at: string
  label?: RunLabel | undefined
  /** True where the run has ended while results of it are still on their way to the record; the edge knows it from the run's object. */
  arriving?: boolean
}
export type StoredTrial = { record: TrialRecord; finished_at: string; seq: number }
/**
 * A finished trial whose packed record stands as the text that `JSON.stringify` once made of it, in which it is kept; `packed` is what the text says,
 * where that is at hand.
 */
export type WrittenTrial = { text: string; packed?: PackedRecord; finished_at: string; seq: number }
export const runSorts = ['newest', 'oldest', 'model', 'cost', 'score'] as const
/**
 * `viewers` are owners whose private runs the list includes; `mine` limits the list to their runs. `q` is
 * text in name, model, tags or id. The moments `since` and `until` are included.
 */
export type RunFilter = {
  status?: RunStatus | undefined
  model_id?: string | undefined
  model_slug?: string | undefined
  mine?: boolean | undefined
  q?: string | undefined
  tag?: string | undefined
  benchmark?: string | undefined
  since?: string | undefined
  until?: string | undefined
  ids?: string[] | undefined
  sort?: (typeof runSorts)[number] | undefined
  viewers: readonly string[]
  limit: number
  offset: number
}
export type StoredAgent = {
  agent_id: string
  host: string
  version: string
  capabilities: string[]
  slots: number
  free_slots: number
  running: number
  draining: boolean
  connected: boolean
  first_seen: string
  last_seen: string
}
/** What trials of one kind of end took in a window; `failure` is null for those that have none. `unpriced` are those whose cost is not known. */
export type UsageSums = { trials: number; input_tokens: number; output_tokens: number; cost_usd: number; unpriced: number }
export type UsageRow = { failure: string | null; day: UsageSums; week: UsageSums }
export type OpsRun = Pick<StoredRun, 'spec' | 'head'> & { label: RunLabel }
/** The whole service as the record has it, of all owners: for operators. */
export type OpsRecord = {
  counts: Partial<Record<RunStatus, number>>
  queued: OpsRun[]
  running: OpsRun[]
  ended: OpsRun[]
  usage: UsageRow[]
}
export type ItemSummary = {
  correct: number
  incorrect: number
  errors: number
  avg_latency_ms: number | null
  avg_ttft_ms: number | null
  input_tokens: number
  output_tokens: number
  cost_usd: number | null
  error_breakdown: { message: string; count: number }[]
}

/** A board as it is chosen: how many models and runs the viewer may see on it. */
export type StoredBoard = {
  id: string
  benchmark: string
  version: number
  scorer_version: number
  profile: string
  data: DataIdentity
  models: number
  ranked_runs: number
  apart_runs: number
}
/** A benchmark of an ended run on its board. */
export type StoredEntry = {
  run_id: string
  owner_id: string
  asked: BoardSetup
  estimate: Estimate
  cost_usd: number | null
  duration_ms: number | null
  failed: number
  total: number
  epochs: number
  planned_epochs: number
  sampled_items: number
  total_items: number
  rescored: boolean
  status: RunStatus
  apart: ApartReason | null
  ended_at: string
}
/** The ranked runs of one setup. `below` and `above`: how far the 95 % limits of the mean are from it. */
export type StoredBoardRow = {
  best: StoredEntry
  mean: { value: number; below: number; above: number; cost_usd: number | null; duration_ms: number | null }
  runs: number
  unlisted: number
  withdrawn: number
  failed: number
  total: number
}
export type BoardPage = {
  rows: StoredBoardRow[]
  total: number
  apart: StoredEntry[]
  withdrawn: WithdrawnRun[]
}
export type Withdrawal = Pick<WithdrawnRun, 'by' | 'at'>

/** What a drain batch writes in one go; repeating it changes nothing. */
export type DrainBatch = {
  run_id: string
  /** What prompts begin with, by hash; those of `trials` must be here or stored already. */
  openings: readonly { sha256: string; text: string }[]
  /** A row is replaced only by a higher attempt at its trial. */
  trials: readonly (StoredTrial | WrittenTrial)[]
  events: (StreamedEvent | WrittenEvent)[]
  /** Replaces an older one, and one of the same number that says that the run is open. */
  head: RunHead
}

/** A page of records: it ends at its length or at 4 MB of JSON, whichever comes first. `next` is what to pass to go on, null at the end. */
export type TrialPage = { trials: StoredTrial[]; next: number | null }
export type EventPage = { events: StreamedEvent[]; next: number | null }
export type EvidencePage = { records: TrialRecord[]; next: number | null }
export type ItemList = { items: StoredTrial[]; total: number; total_is: CountIs; next: number | null }

/** `conflicts` names trials (`benchmark/item_id:epoch`) whose stored row has the same attempt but says something else: an alarm. */
export type DrainOutcome = { written: number; conflicts: string[] }
export type Idempotency = { key: string; owner_id: string; body_sha256: string }
/** `previous` and `next` are `item_id:epoch` of the neighbours in plan order under the same filter. */
export type FoundItem = { trial: StoredTrial; previous: string | null; next: string | null; epochs: EpochResult[] }
export type ItemName = { benchmark: string; item_id: string; epoch: number }
export type ItemPlace = { before: number; listed: boolean }
export type ItemRowList = Pick<ItemRowPage, 'rows' | 'total' | 'total_is' | 'offset' | 'counts' | 'counts_are' | 'until' | 'place'>

/**
 * The record of everything, as the edge sees it. One implementation over drizzle and Neon's HTTP driver; every value is parsed by its
 * contract schema on the way out. Unknown ids give undefined or empty; a database that is away throws `DatabaseAway`.
 */
type Parts = TaskStore & SessionStore & KeyStore & ProviderKeyStore & BudgetStore & AuditStore & TeamStore

export type Store = Parts & {
  ping(): Promise<void>
  /** All of it or nothing, the owner's `sealed` key, the answers to `replay` and the task whose run it is with its run. Repeating it changes nothing. Throws `KeyTaken` when the key was used for another run meanwhile: read it with `findIdempotent`. */
  createRun(
    spec: RunSpec,
    head: RunHead,
    idempotency: Idempotency | null,
    sealed?: string | null,
    owner?: Owner,
    label?: RunLabel,
    replay?: KeptAnswers | null,
    task_id?: string | null,
  ): Promise<void>
  /** Names a run or files it under other tags; what is left out stays. */
  labelRun(run_id: string, label: Partial<RunLabel>): Promise<void>
  /** Changes who may read a run, on boards too. */
  shareRun(run_id: string, visibility: RunSpec['visibility']): Promise<void>
  findIdempotent(owner_id: string, key: string): Promise<{ run_id: string; body_sha256: string } | undefined>
  findRun(run_id: string): Promise<StoredRun | undefined>
  /** Newest first unless sorted otherwise; public runs and those of the viewers. */
  listRuns(filter: RunFilter): Promise<{ runs: StoredRun[]; total: number }>
  /** Runs not yet in an end state, oldest first: what the fleet must know after a restart. */
  listOpenRuns(): Promise<StoredRun[]>
  /** How many of an owner's runs have not ended. */
  countOpenRuns(owner_id: string): Promise<number>
  /** The sealed key of the run's owner, as long as the run has not ended. */
  findCredential(run_id: string): Promise<string | undefined>
  /** The answers that a run replays; undefined where a model is asked. */
  findReplayAnswers(run_id: string): Promise<KeptAnswers | undefined>
  /** Runs of the same owner that grade the episodes of this one again, newest first. */
  listRegrades(run: Pick<RunSpec, 'run_id' | 'owner_id'>, limit: number): Promise<StoredRun[]>
  /** All of the batch or nothing. An older head never replaces a newer one. Throws when the run is not in the record. */
  drain(batch: DrainBatch): Promise<DrainOutcome>
  saveMetrics(run_id: string, benchmark: string, metrics: Record<string, unknown>): Promise<void>
  listMetricRows(run_id: string, benchmark: string): Promise<MetricRow[]>
  /**
   * Records in list form: without reasoning, of the messages the last one of the user. `total` counts all that match, of a search as many as
   * were looked for; `next` is the offset of the next page; `after` is an ordinal and holds in plan order; `finished` is newest first, `latency` slowest first. In `closed` benchmarks (gated data, for
   * people who do not own the run) `q` looks at ids only.
   */
  listItems(run_id: string, benchmark: string | null, query: ItemQuery, closed?: readonly string[]): Promise<ItemList>
  /**
   * Lines of an item list over all benchmarks of a run, or one. With `around` the page is the one that holds the item's place; the counts
   * obey every filter but those of their own kind. `closed` as in `listItems`.
   */
  listItemRows(run_id: string, query: ItemRowQuery, around: ItemName | null, closed?: readonly string[]): Promise<ItemRowList>
  /** `epochs`: the item's results in all epochs, this one included. */
  findItem(
    run_id: string,
    benchmark: string,
    item_id: string,
    epoch: number,
    query: ItemQuery,
    closed?: readonly string[],
  ): Promise<FoundItem | undefined>
  /** All trials of a run in plan order, in pages by ordinal, for exports. */
  listTrials(run_id: string, after_ordinal: number, limit: number): Promise<TrialPage>
  /** How many trials of a run stand in the record. */
  countTrials(run_id: string): Promise<number>
  summarise(run_id: string, benchmark: string): Promise<ItemSummary>
  /** What the trial at this place of the plan left behind under a name, by its last attempt. */
  findArtifact(run_id: string, ordinal: number, name: string): Promise<ArtifactRef | undefined>
  /** The different bytes that the trials of a run left, at most so many. */
  listArtifacts(run_id: string, limit: number): Promise<Pick<ArtifactRef, 'sha256' | 'bytes'>[]>
  /** Of these bytes those that no trial names whose run has ended, and all whose run the record does not know. */
  listUnnamedArtifacts(objects: readonly { run_id: string; sha256: string }[]): Promise<{ run_id: string; sha256: string }[]>
  /** Pages after an event's number, bounded like those of records. */
  listEvents(run_id: string, after: number, limit: number): Promise<EventPage>
  upsertModels(provider: string, models: Model[]): Promise<{ synced: number; deactivated: number }>
  /** Models of one provider, or of any in `providers`, the ones being served first. */
  listModels(filter: {
    search?: string
    provider?: string
    providers?: string[]
    limit: number
    offset: number
  }): Promise<{ models: Model[]; total: number }>
  /** By id, chute_id or slug, in this order; active models before inactive ones. */
  findModel(identifier: string, provider: string | null): Promise<Model | undefined>
  listBenchmarkLatency(): Promise<Record<string, number>>
  saveAgent(agent: StoredAgent): Promise<void>
  listAgents(): Promise<StoredAgent[]>
  /** Counts and newest runs of all owners, and what trials took since these moments, by failure. */
  readOps(weekAgo: string, dayAgo: string): Promise<OpsRecord>
  /** A benchmark's records after a trial's number, in the order of the plan, without messages and reasoning: what scorers read. */
  listEvidence(run_id: string, benchmark: string, after_ordinal: number, limit: number): Promise<EvidencePage>
  /** Writes a rescoring and its differences, all or nothing. It is never changed. */
  saveRescore(rescore: Rescore, owner_id: string, differences: readonly RescoreDifference[]): Promise<void>
  /** Newest first. */
  listRescores(run_id: string, page: { limit: number; offset: number }): Promise<{ rescores: Rescore[]; total: number }>
  findRescore(run_id: string, id: string): Promise<Rescore | undefined>
  /** What changed in a rescoring after a trial's number, in the order of the plan. */
  listRescoreDifferences(id: string, after_ordinal: number, limit: number): Promise<RescoreDifference[]>
  /** Boards on which these owners may see a run: public ones and their own. Those of a benchmark stand together, the newest revision first. */
  listBoards(viewers: readonly string[]): Promise<StoredBoard[]>
  /** The first setups of a board, the 50 newest runs that are not ranked, and which of the viewers' own were withdrawn. */
  readBoard(id: string, viewers: readonly string[], sort: BoardSort, limit: number): Promise<BoardPage>
  /** Takes a run from the boards, or puts it back with null; nothing else of it changes. */
  withdrawRun(run_id: string, withdrawal: Withdrawal | null): Promise<void>
  findWithdrawal(run_id: string): Promise<Withdrawal | undefined>
  /** Where the benchmarks of a run stand, withdrawn or not. */
  listPlaces(run_id: string): Promise<RunPlace[]>
  readSetting(name: string): Promise<unknown>
  writeSetting(name: string, value: unknown): Promise<void>
}

/** The database cannot be reached or does not answer in time: callers answer 503 or try again later. */
export class DatabaseAway extends Error {}

/** The database gave up on a statement for its time. */
export class TooSlow extends DatabaseAway {}

/** The Idempotency-Key was used for another run between looking and writing. */
export class KeyTaken extends Error {}
