import { waitUntil } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { cards } from '#shared/benchmarks/cards.ts'
import { findTask } from '#shared/benchmarks/tasks.ts'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'
import { ConfiguredProviders } from '#shared/providers/provider.ts'
import { planTrials } from '#shared/run/plan.ts'
import { renderPage } from '#web/entry-server.tsx'
import { createBudgetsPort } from './adapters/budget-objects.ts'
import { createChutesIdp } from './adapters/chutes-idp.ts'
import { createChutesKeys } from './adapters/chutes-keys.ts'
import { configuredDataChoice } from './adapters/data-choice.ts'
import { createGuardPort } from './adapters/guard.ts'
import { openR2Bucket } from './adapters/r2-bucket.ts'
import { createFleetPort, createRunsPort } from './adapters/run-objects.ts'
import { createSessionsPort } from './adapters/session-objects.ts'
import { syncNews } from './adapters/sync-models.ts'
import { belongsToApi, createApp } from './app.ts'
import { sweepArtifacts } from './artifacts/sweep.ts'
import { openSeal } from './auth/seal.ts'
import { cameThroughDoor } from './auth/visitor.ts'
import { readConfig } from './config.ts'
import type { Deps } from './deps.ts'
import type { Env } from './objects/env.ts'
import { openStore } from './objects/open-store.ts'
import { pushMetrics } from './push-metrics.ts'
import { nameRequest } from './request-id.ts'
import { createFlowSeal } from './sign-in/flow.ts'

export { BudgetObject } from './objects/budget-object.ts'
export { FleetObject } from './objects/fleet-object.ts'
export { GuardObject } from './objects/guard-object.ts'
export { RunObject } from './objects/run-object.ts'
export { SessionObject } from './objects/session-object.ts'

/** Everything the routes may reach, built once per isolate from the Worker's bindings. */
function createDeps(env: Env): Deps {
  const config = readConfig(env)
  const ports = { config, now: () => new Date(), fetch: (url: string, init?: RequestInit) => fetch(url, init) }
  return {
    ...ports,
    cards,
    store: openStore(env),
    artifacts: env.ARTIFACTS ? openR2Bucket(env.ARTIFACTS) : null,
    runs: createRunsPort(env),
    fleet: createFleetPort(env),
    seal: openSeal(env.MASTER_KEY),
    signer: openSigner(env.BENCH_SIGNING_PRIVATE_KEY),
    listProviders: env.LISTED ? listThrough(env.LISTED) : null,
    dataFor: configuredDataChoice(cards, env.SAMPLES, env.DATA_OVERRIDES),
    newId: () => crypto.randomUUID(),
    later: (ms, work) => waitUntil(new Promise((resolve) => setTimeout(resolve, ms)).then(work)),
    openSha256: () => createHash('sha256'),
    guard: createGuardPort(env),
    sessions: createSessionsPort(env.SESSION),
    budgets: createBudgetsPort(env.BUDGET),
    idp: config.sign_in && createChutesIdp(config.sign_in, ports.fetch),
    flows: createFlowSeal(env.MASTER_KEY ?? ''),
    chutesKeys: createChutesKeys(ports),
  }
}

const listThrough =
  (host: Fetcher): Deps['listProviders'] =>
  async (wait_ms) => {
    const answer = await host.fetch(`http://host/?wait_ms=${wait_ms}`)
    if (!answer.ok) throw new Error(`the host answers ${answer.status}`)
    return ConfiguredProviders.parse(await answer.json())
  }

function openSigner(text: string | undefined): Deps['signer'] {
  try {
    return text ? openSigningKey(text) : null
  } catch {
    return null // named among the configuration's faults
  }
}

let app: ReturnType<typeof createApp> | undefined
let deps: Deps | undefined

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (!(await cameThroughDoor(request, env.DOOR_SECRET))) return new Response(null, { status: 421 })
    deps ??= createDeps(env)
    app ??= createApp(deps, { tasks: findTask, computeMetrics: measureBenchmark, plan: planTrials })
    const api = app.fetch
    if (belongsToApi(request)) return api(request)
    return nameRequest(request, deps.newId, (named) => renderPage(request, async (inner) => api(named(inner))))
  },
  /**
   * The clock of `[triggers]` in wrangler.toml: the list of models follows the providers' catalogues, artifacts that nobody can ask for go, and metrics are pushed where
   * that is configured. A failure shows in the Worker's log.
   */
  async scheduled(_event: unknown, env: Env): Promise<void> {
    deps ??= createDeps(env)
    const memory = env.FLEET.getByName('default')
    // One that fails holds back none of the others.
    const done = await Promise.allSettled([syncNews(deps, memory), sweepArtifacts(deps, memory), pushMetrics(deps)])
    for (const one of done) if (one.status === 'rejected') throw one.reason
  },
}
