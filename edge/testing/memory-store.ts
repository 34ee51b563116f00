import { DatabaseAway, KeyTaken, type Store, type StoredAgent, type StoredRun, type StoredTrial, type WrittenTrial } from '#db/store.ts'
import type { EpochResult, ItemQuery } from '#shared/contract/api.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import { failureClass } from '#shared/contract/failure.ts'
import type { Model } from '#shared/contract/model.ts'
import { PackedRecord } from '#shared/contract/packed.ts'
import type { KeptAnswers } from '#shared/contract/regrade.ts'
import type { Rescore, RescoreDifference } from '#shared/contract/rescore.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { metricRowOf } from '#shared/metrics/metric-row.ts'
import { hasFlags } from '#shared/run/count-items.ts'
import { unpackRecord } from '#shared/run/openings.ts'
import { readEvent } from '#shared/run/packed-event.ts'
import { foldCase, searchText } from '#shared/run/search-text.ts'
import { type MemoryBoards, memoryBoards } from './memory-boards.ts'
import { memoryItemRows } from './memory-item-rows.ts'
import { emptyKeys, memoryKeys } from './memory-keys.ts'
import { emptyProviderKeys, memoryProviderKeys } from './memory-provider-keys.ts'
import { labelIn, listIn, opsOf, regradesOf, shareIn } from './memory-runs.ts'
import { emptySessions, memorySessions } from './memory-sessions.ts'
import { emptyBudgets, memoryBudgetStore } from './memory-store-budgets.ts'
import { emptyTasks, memoryTasks } from './memory-tasks.ts'
import { emptyTeams, memoryTeams } from './memory-teams.ts'

/** Everything the store of the tests holds; tests write into it and look at it. */
export type MemoryRecord = ReturnType<typeof emptyRecord>
export function emptyRecord() {
  return {
    away: false,
    runs: new Map<string, StoredRun>(),
    trials: new Map<string, StoredTrial[]>(),
    openings: new Map<string, string>(),
    events: new Map<string, StreamedEvent[]>(),
    credentials: new Map<string, string>(),
    replays: new Map<string, KeptAnswers>(),
    idempotency: new Map<string, { run_id: string; body_sha256: string }>(),
    models: new Map<string, Model>(),
    ...emptyKeys(),
    ...emptySessions(),
    ...emptyProviderKeys(),
    agents: new Map<string, StoredAgent>(),
    settings: new Map<string, unknown>(),
    rescores: new Map<string, { rescore: Rescore; owner_id: string; differences: readonly RescoreDifference[] }>(),
    boards: { listed: [], pages: new Map(), withdrawals: new Map(), places: new Map() } as MemoryBoards,
    ...emptyTasks(),
    ...emptyBudgets(),
    ...emptyTeams(),
    latency: {} as Record<string, number>,
  }
}

/** A `Store` over plain maps, with the database's promises: unknown ids give undefined, `away` makes every call throw `DatabaseAway`. */
export function memoryStore(record: MemoryRecord): Store {
  const methods: Store = {
    ...runMethods(record),
    ...trialMethods(record),
    ...rescoreMethods(record),
    ...memoryBoards(record.boards),
    ...memoryTasks(record),
    ...otherMethods(record),
  }
  return new Proxy(methods, {
    get(target, name: keyof Store) {
      if (record.away) return () => Promise.reject(new DatabaseAway('away'))
      return target[name]
    },
  })
}

type RunMethods =
  | 'createRun'
  | 'labelRun'
  | 'shareRun'
  | 'findIdempotent'
  | 'findRun'
  | 'listRuns'
  | 'listOpenRuns'
  | 'countOpenRuns'
  | 'findCredential'
  | 'findReplayAnswers'
  | 'listRegrades'

function runMethods(record: MemoryRecord): Pick<Store, RunMethods> {
  return {
    async createRun(spec, head, idempotency, sealed, owner, label, replay, task_id) {
      const key = idempotency && `${idempotency.owner_id}|${idempotency.key}`
      if (key && record.idempotency.has(key)) throw new KeyTaken(key)
      if (idempotency && key) record.idempotency.set(key, { run_id: spec.run_id, body_sha256: idempotency.body_sha256 })
      record.runs.set(spec.run_id, { spec, head, metrics: {}, updated_at: spec.created_at, label })
      if (task_id) record.taskRuns.set(spec.run_id, task_id)
      if (replay) record.replays.set(spec.run_id, replay)
      if (sealed) record.credentials.set(spec.run_id, sealed)
      if (owner) record.owners.set(owner.id, owner.kind)
    },
    labelRun: async (run_id, label) => labelIn(record, run_id, label),
    shareRun: async (...shared) => shareIn(record, ...shared),
    findIdempotent: async (owner_id, key) => record.idempotency.get(`${owner_id}|${key}`),
    findRun: async (run_id) => record.runs.get(run_id),
    listRuns: async (filter) => listIn(record, filter),
    countOpenRuns: async (owner_id) =>
      [...record.runs.values()].filter((run) => run.spec.owner_id === owner_id && run.head.completed_at === null).length,
    listOpenRuns: async () => [...record.runs.values()].filter((run) => run.head.completed_at === null),
    findCredential: async (run_id) => record.credentials.get(run_id),
    findReplayAnswers: async (run_id) => record.replays.get(run_id),
    listRegrades: async (run, limit) => regradesOf(record, run).slice(0, limit),
  }
}

type TrialMethods =
  | 'drain'
  | 'saveMetrics'
  | 'listMetricRows'
  | 'listItems'
  | 'listItemRows'
  | 'findItem'
  | 'listTrials'
  | 'countTrials'
  | 'summarise'
  | 'findArtifact'
  | 'listArtifacts'
  | 'listUnnamedArtifacts'
  | 'listEvents'
  | 'listBenchmarkLatency'

function trialMethods(record: MemoryRecord): Pick<Store, TrialMethods> {
  const of = (run_id: string, benchmark: string | null = null) =>
    (record.trials.get(run_id) ?? []).filter((trial) => benchmark === null || trial.record.benchmark === benchmark)
  return {
    async drain(batch) {
      for (const { sha256, text } of batch.openings) record.openings.set(sha256, text)
      record.trials.set(batch.run_id, [...of(batch.run_id), ...batch.trials.map((trial) => asStored(trial, record.openings))])
      record.events.set(batch.run_id, [...(record.events.get(batch.run_id) ?? []), ...batch.events.map(readEvent)])
      const run = record.runs.get(batch.run_id)
      if (run) record.runs.set(batch.run_id, { ...run, head: batch.head })
      return { written: batch.trials.length, conflicts: [] }
    },
    async saveMetrics(run_id, benchmark, metrics) {
      const run = record.runs.get(run_id)
      if (run) record.runs.set(run_id, { ...run, metrics: { ...run.metrics, [benchmark]: metrics } })
    },
    listMetricRows: async (run_id, benchmark) => of(run_id, benchmark).map(({ record }) => ({ ...metricRowOf(record), options: null })),
    async listItems(run_id, benchmark, query, closed = []) {
      const all = of(run_id, benchmark).filter((trial) => matches(trial, query, closed))
      const end = query.offset + query.limit
      return { items: all.slice(query.offset, end), total: all.length, total_is: 'exact', next: end < all.length ? end : null }
    },
    async listItemRows(run_id, query, around, closed = []) {
      return memoryItemRows(of(run_id, query.benchmark ?? null), query, around, (trial, filter) => matches(trial, filter, closed))
    },
    async findItem(run_id, benchmark, item_id, epoch, query, closed = []) {
      const all = of(run_id, benchmark).filter((trial) => matches(trial, query, closed))
      const at = all.findIndex(({ record }) => record.item_id === item_id && record.epoch === epoch)
      if (at < 0) return undefined
      return { trial: all[at]!, previous: linkOf(all[at - 1]), next: linkOf(all[at + 1]), epochs: epochsOf(of(run_id, benchmark), item_id) }
    },
    async listTrials(run_id, after, limit) {
      const rest = of(run_id).filter(({ record }) => record.ordinal > after)
      const trials = rest.slice(0, limit)
      return { trials, next: trials.length < rest.length ? trials.at(-1)!.record.ordinal : null }
    },
    countTrials: async (run_id) => of(run_id).length,
    async listUnnamedArtifacts(objects) {
      const isNamed = (run_id: string, sha256: string) =>
        of(run_id).some(({ record }) => record.artifacts?.some((one) => one.sha256 === sha256))
      return objects.filter(({ run_id, sha256 }) => {
        const run = record.runs.get(run_id)
        return !run || (isTerminal(run.head.status) && !isNamed(run_id, sha256))
      })
    },
    async listArtifacts(run_id, limit) {
      const named = of(run_id).flatMap(({ record }) => record.artifacts ?? [])
      return [...new Map(named.map(({ sha256, bytes }) => [sha256, { sha256, bytes }])).values()].slice(0, limit)
    },
    async findArtifact(run_id, ordinal, name) {
      const trial = of(run_id).findLast(({ record }) => record.ordinal === ordinal)
      return trial?.record.artifacts?.findLast((one) => one.name === name)
    },
    async summarise(run_id, benchmark) {
      const records = of(run_id, benchmark).map((trial) => trial.record)
      const count = (outcome: string) => records.filter((one) => one.outcome === outcome).length
      const sum = (side: 'input_tokens' | 'output_tokens') => records.reduce((total, one) => total + one.usage[side], 0)
      const errors = records.flatMap((one) => (one.failure ? [failureClass(one.failure)] : []))
      return {
        correct: count('right'),
        incorrect: count('wrong'),
        errors: count('failed'),
        avg_latency_ms: null,
        avg_ttft_ms: null,
        input_tokens: sum('input_tokens'),
        output_tokens: sum('output_tokens'),
        cost_usd: null,
        error_breakdown: [...new Set(errors)].map((message) => ({ message, count: errors.filter((one) => one === message).length })),
      }
    },
    async listEvents(run_id, after, limit) {
      const rest = (record.events.get(run_id) ?? []).filter((event) => event.id > after)
      const events = rest.slice(0, limit)
      return { events, next: events.length < rest.length ? events.at(-1)!.id : null }
    },
    listBenchmarkLatency: async () => record.latency,
  }
}

type RescoreMethods = 'listEvidence' | 'saveRescore' | 'listRescores' | 'findRescore' | 'listRescoreDifferences'

function rescoreMethods(record: MemoryRecord): Pick<Store, RescoreMethods> {
  return {
    async listEvidence(run_id, benchmark, after, limit) {
      const all = (record.trials.get(run_id) ?? []).map((trial) => trial.record)
      const rest = all.filter((one) => one.benchmark === benchmark && one.ordinal > after)
      const records = rest.slice(0, limit)
      return { records, next: records.length < rest.length ? records.at(-1)!.ordinal : null }
    },
    saveRescore: async (rescore, owner_id, differences) => void record.rescores.set(rescore.id, { rescore, owner_id, differences }),
    async listRescores(run_id, { limit, offset }) {
      const all = [...record.rescores.values()].map(({ rescore }) => rescore).filter((one) => one.run_id === run_id)
      return { rescores: all.toReversed().slice(offset, offset + limit), total: all.length }
    },
    async findRescore(run_id, id) {
      const found = record.rescores.get(id)?.rescore
      return found?.run_id === run_id ? found : undefined
    },
    listRescoreDifferences: async (id, after, limit) =>
      (record.rescores.get(id)?.differences ?? []).filter((one) => one.ordinal > after).slice(0, limit),
  }
}

function asStored(trial: StoredTrial | WrittenTrial, openings: ReadonlyMap<string, string>): StoredTrial {
  return 'text' in trial
    ? { record: unpackRecord(PackedRecord.parse(JSON.parse(trial.text)), openings), finished_at: trial.finished_at, seq: trial.seq }
    : trial
}

const linkOf = (trial: StoredTrial | undefined) => (trial ? `${trial.record.item_id}:${trial.record.epoch}` : null)

function epochsOf(trials: readonly StoredTrial[], item_id: string): EpochResult[] {
  return trials
    .filter(({ record }) => record.item_id === item_id)
    .map(({ record: { epoch, outcome, score, answer, failure, latency_ms, usage } }) => ({
      ...{ epoch, outcome, score, answer, latency_ms, output_tokens: usage.output_tokens },
      failure: failure && failureClass(failure),
    }))
}

function matches({ record }: StoredTrial, query: Omit<ItemQuery, 'after'>, closed: readonly string[]): boolean {
  const searched = closed.includes(record.benchmark) ? record.item_id.toLowerCase() : searchText(record)
  return (
    (!query.outcome || record.outcome === query.outcome) &&
    (!query.group || record.group === query.group) &&
    hasFlags(record.flags, query.flag) &&
    (!query.failure || (record.failure !== null && failureClass(record.failure) === query.failure)) &&
    (query.epoch === undefined || record.epoch === query.epoch) &&
    (!query.q || searched.includes(foldCase(query.q)))
  )
}

function otherMethods(
  record: MemoryRecord,
): Omit<Store, RunMethods | TrialMethods | RescoreMethods | keyof ReturnType<typeof memoryBoards> | keyof ReturnType<typeof memoryTasks>> {
  return {
    ping: async () => undefined,
    async upsertModels(provider, models) {
      const named = new Set(models.map((model) => model.id))
      const vanished = [...record.models.values()].filter((one) => one.provider === provider && one.is_active && !named.has(one.id))
      for (const model of vanished) record.models.set(model.id, { ...model, is_active: false })
      for (const model of models) record.models.set(model.id, model)
      return { synced: models.length, deactivated: vanished.length }
    },
    async listModels({ search = '', provider, providers, limit, offset }) {
      const offered = [...record.models.values()].filter((one) => !providers || providers.includes(one.provider))
      const all = offered.filter((one) => one.slug.includes(search) && (!provider || one.provider === provider))
      return { models: all.slice(offset, offset + limit), total: all.length }
    },
    async findModel(identifier, provider) {
      const all = [...record.models.values()].filter((one) => provider === null || one.provider === provider)
      const found = all.filter((one) => [one.id, one.chute_id, one.slug].includes(identifier))
      return found.find((one) => one.is_active) ?? found[0]
    },
    saveAgent: async (agent) => void record.agents.set(agent.agent_id, agent),
    listAgents: async () => [...record.agents.values()],
    readOps: async () => opsOf(record),
    ...memoryKeys(record),
    ...memorySessions(record),
    ...memoryProviderKeys(record),
    ...memoryBudgetStore(record),
    ...memoryTeams(record),
    readSetting: async (name) => record.settings.get(name),
    writeSetting: async (name, value) => void record.settings.set(name, value),
  }
}
