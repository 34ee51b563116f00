import { BadRecord } from '#shared/benchmarks/task.ts'
import { findTask } from '#shared/benchmarks/tasks.ts'
import type { TableName } from '#shared/contract/card.ts'
import type { Failure, failureReasons, Outcome } from '#shared/contract/failure.ts'
import { defaultLimits } from '#shared/contract/limits.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import { createRedactor } from '#shared/secrets/redactor.ts'
import type { DatasetEnv } from './dataset/dataset-env.ts'
import { openDataset } from './dataset/open-dataset.ts'
import { openTablesOf } from './dataset/open-tables.ts'
import { openTexts } from './dataset/open-texts.ts'
import type { OpenedBenchmark, TrialModel } from './execute.ts'
import type { RateGate } from './model/rate-gate.ts'
import { createLimiters, openModels } from './open-models.ts'
import type { Provider } from './provider.ts'
import type { Equip } from './run-worker.ts'

/**
 * Makes a run ready to work: opens data and official texts of every benchmark and clients for its model and judges. One limiter per provider
 * key is shared by all runs of this process; a key of the agents' own passes the gate of its provider's rate limit too. A run that cannot be
 * made ready gets the failure that says who must act. `token` is the agent's own: like the keys, no text from outside carries it on.
 */
export function createEquip(
  providers: readonly Provider[],
  env: DatasetEnv,
  slots: number,
  gateOf: (provider: string) => RateGate,
  token: string | null = null,
): Equip {
  const limiterFor = createLimiters(slots, gateOf)
  const tablesOf = createTablesOf(env)
  return async (spec, credential) => {
    const named = [spec.model, ...spec.benchmarks.flatMap((planned) => planned.judge?.model ?? [])]
    const missing = named.find((model) => !providers.some((each) => each.id === model.provider))
    if (missing) {
      const known = providers.map((each) => each.id).join(', ') || 'none'
      const whose = missing === spec.model ? '' : `, which has the judge ${missing.slug}`
      return refused(
        missing === spec.model ? 'provider' : 'judge',
        'not-found',
        `This agent has no provider "${missing.provider}"${whose} (it has: ${known}). Configure it on the agent, then resume the run.`,
      )
    }
    const own = spec.own_credential ? { provider: spec.model.provider, api_key: credential } : null
    const secrets = [token, env.hfToken]
    const limits = spec.benchmarks.map((planned) => planned.limits ?? defaultLimits)
    const models = openModels(providers, own, limiterFor, slots, { secrets, limits })
    const benchmarks = new Map<string, OpenedBenchmark>()
    for (const planned of spec.benchmarks) {
      const opened = await openBenchmark(planned, env, tablesOf, planned.judge ? models.open(planned.judge.model) : null)
      if (!opened.ok) {
        await models.close()
        return cleaned(opened, [...secrets, ...providers.map((each) => each.api_key)])
      }
      benchmarks.set(planned.name, opened.value)
    }
    return { ok: true, value: { benchmarks, model: models.open(spec.model), pulse: models.pulse, close: models.close } }
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

async function openBenchmark(
  planned: PlannedBenchmark,
  env: DatasetEnv,
  tablesOf: TablesOf,
  judge: TrialModel | null,
): Promise<Outcome<OpenedBenchmark>> {
  const task = await findTask(planned.name)
  const profile = task?.card.profiles.find((each) => each.id === planned.profile)
  if (!task || !profile || task.card.version !== planned.version) {
    return refused(
      'solver',
      'error',
      `This agent does not have ${planned.name} version ${planned.version} with profile ${planned.profile}. Update the older side, then resume the run.`,
    )
  }
  const dataset = await openDataset({ benchmark: planned.name, identity: planned.data, roles: profile.files, columns: task.columns }, env)
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
    const solver = task.solver(profile.id, texts.value)
    return { ok: true, value: { planned, task, solver, judge, tables: await tablesOf(profile.tables), item: opened.item } }
  } catch (error) {
    if (error instanceof BadRecord) return refused('dataset', 'bad-record', error.message)
    throw error
  }
}

/** The failure with no key in its words: servers of data sets quote what they were sent. */
function cleaned({ failure }: { ok: false; failure: Failure }, secrets: readonly (string | null)[]): { ok: false; failure: Failure } {
  const redact = createRedactor(secrets.filter((secret) => secret !== null))
  return { ok: false, failure: { ...failure, detail: redact(failure.detail) } }
}

function refused<P extends keyof typeof failureReasons>(
  at: P,
  reason: (typeof failureReasons)[P][number],
  detail: string,
): { ok: false; failure: Failure } {
  return { ok: false, failure: { at, reason, retryable: false, status: null, detail } as Failure } // reason belongs to its place by the signature
}
