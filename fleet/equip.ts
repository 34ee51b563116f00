import { BadRecord } from '#shared/benchmarks/task.ts'
import { findTask } from '#shared/benchmarks/tasks.ts'
import type { TableName } from '#shared/contract/card.ts'
import type { Failure, failureReasons, Outcome } from '#shared/contract/failure.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { noUsage } from '#shared/contract/usage.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import type { DatasetEnv } from './dataset/dataset-env.ts'
import { openDataset } from './dataset/open-dataset.ts'
import { openTablesOf } from './dataset/open-tables.ts'
import { openTexts } from './dataset/open-texts.ts'
import type { OpenedBenchmark, TrialModel } from './execute.ts'
import { type AdaptiveLimiter, createAdaptiveLimiter } from './model/adaptive-limiter.ts'
import { createGenerate } from './model/generate.ts'
import { createModelClient, defaultTimeouts } from './model/model-client.ts'
import type { RateGate } from './model/rate-gate.ts'
import type { Provider } from './provider.ts'
import type { Equip } from './run-worker.ts'

/**
 * Makes a run ready to work: opens data and official texts of every benchmark and a client for its model. One limiter per provider key is
 * shared by all runs of this process; a key of the agents' own passes the gate of its provider's rate limit too. A run that cannot be made ready gets the failure that says who must act.
 */
export function createEquip(providers: readonly Provider[], env: DatasetEnv, slots: number, gateOf: (provider: string) => RateGate): Equip {
  const limiters = new Map<string, AdaptiveLimiter>()
  const tablesOf = createTablesOf(env)
  return async (spec, credential) => {
    const provider = providers.find((each) => each.id === spec.model.provider)
    if (!provider) {
      const known = providers.map((each) => each.id).join(', ') || 'none'
      return refused(
        'provider',
        'not-found',
        `This agent has no provider "${spec.model.provider}" (it has: ${known}). Configure it on the agent, then resume the run.`,
      )
    }
    const benchmarks = new Map<string, OpenedBenchmark>()
    for (const planned of spec.benchmarks) {
      const opened = await openBenchmark(planned, env, tablesOf)
      if (!opened.ok) return opened
      benchmarks.set(planned.name, opened.value)
    }
    const apiKey = credential ?? provider.api_key
    const limiterKey = `${provider.base_url} ${apiKey ?? ''}`
    const limiter =
      limiters.get(limiterKey) ?? createAdaptiveLimiter({ max: slots, ...(credential === null && { rate: gateOf(provider.id) }) })
    limiters.set(limiterKey, limiter)
    const client = createModelClient({
      baseUrl: provider.base_url,
      apiKey,
      model: spec.model.slug,
      connections: slots,
      timeouts: defaultTimeouts,
    })
    return { ok: true, value: { benchmarks, model: openModel(client, limiter), close: async () => client.close() } }
  }
}

function openModel(client: ReturnType<typeof createModelClient>, limiter: AdaptiveLimiter): TrialModel {
  let resetAt: string | null = null
  return {
    resetAt: () => resetAt,
    generate: (request, signal, onCall) =>
      createGenerate({
        client,
        limiter,
        signal,
        onCall(call) {
          resetAt = call.reset_at ?? resetAt
          onCall(call.usage ?? noUsage)
        },
      })(request),
  }
}

type TablesOf = (names: readonly TableName[]) => Promise<Tables>

/** Tables by the set that is asked for: parsed ones are kept as long as the process lives, unless one of them could not be had. */
function createTablesOf(env: DatasetEnv): TablesOf {
  const kept = new Map<string, Tables>()
  return async (names) => {
    const key = [...names].sort().join(' ')
    const known = kept.get(key)
    if (known) return known
    const { tables, missing } = await openTablesOf(names, env)
    if (missing.length === 0) kept.set(key, tables)
    return tables
  }
}

async function openBenchmark(planned: PlannedBenchmark, env: DatasetEnv, tablesOf: TablesOf): Promise<Outcome<OpenedBenchmark>> {
  const task = await findTask(planned.name)
  const profile = task?.card.profiles.find((each) => each.id === planned.profile)
  if (!task || !profile || task.card.version !== planned.version) {
    return refused(
      'solver',
      'error',
      `This agent does not have ${planned.name} version ${planned.version} with profile ${planned.profile}. Update the older side, then resume the run.`,
    )
  }
  const dataset = await openDataset({ benchmark: planned.name, identity: planned.data, roles: profile.files }, env)
  if (!dataset.ok) return dataset
  const texts = await openTexts(profile, env)
  if (!texts.ok) return texts
  try {
    const opened = task.open({ profile, texts: texts.value, rows: dataset.value.rows })
    if (opened.count !== planned.total_items) {
      return refused(
        'dataset',
        'mismatch',
        `${planned.name} has ${opened.count} items here, the run was planned over ${planned.total_items}.`,
      )
    }
    return { ok: true, value: { planned, task, tables: await tablesOf(profile.tables), item: opened.item } }
  } catch (error) {
    if (error instanceof BadRecord) return refused('dataset', 'bad-record', error.message)
    throw error
  }
}

function refused<P extends keyof typeof failureReasons>(
  at: P,
  reason: (typeof failureReasons)[P][number],
  detail: string,
): { ok: false; failure: Failure } {
  return { ok: false, failure: { at, reason, retryable: false, status: null, detail } as Failure } // reason belongs to its place by the signature
}
