import { createHash } from 'node:crypto'
import { noLimits } from '#shared/contract/budget.ts'
import type { Card } from '#shared/contract/card.ts'
import type { Demand } from '#shared/contract/demand.ts'
import type { Forecast } from '#shared/contract/forecast.ts'
import type { ListedData } from '#shared/contract/item-list.ts'
import type { RunPending } from '#shared/contract/pending.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunHead, type RunSpec, type RunStatus } from '#shared/contract/run.ts'
import type { SandyAnswer, SandyQuestion } from '#shared/contract/sandy.ts'
import { namedModel } from '#shared/providers/listed-model.ts'
import { initialHead } from '#shared/run/apply.ts'
import type { RunCommand } from '#shared/run/command.ts'
import type { Sum } from '#shared/telemetry/run-progress.ts'
import { readAccess } from '../access-config.ts'
import { createChutesKeys } from '../adapters/chutes-keys.ts'
import { createSeal } from '../auth/seal.ts'
import type { Deps, FleetAgent, FleetPort, FleetRun, RunsPort } from '../deps.ts'
import type { ItemListing } from '../fleet/item-lists.ts'
import type { Measures } from '../fleet/tallies.ts'
import { openStrikes } from '../limits/strikes.ts'
import type { LeaseClaim } from '../run/lease-claim.ts'
import { createFlowSeal } from '../sign-in/flow.ts'
import { SessionTokens } from '../sign-in/session-tokens.ts'
import { exampleCards } from './example-records.ts'
import { emptyBucket, memoryBucket } from './memory-bucket.ts'
import { memoryBudgets } from './memory-budgets.ts'
import { emptyRecord, memoryStore } from './memory-store.ts'

/** The ports of the API over plain maps, and those maps: for tests that drive the real app without a platform. */
export type MemoryDeps = ReturnType<typeof memoryDeps>

export function memoryDeps(options: { cards?: readonly Card[]; config?: Partial<Deps['config']> } = {}) {
  const record = emptyRecord()
  const bucket = emptyBucket()
  const living = new Map<string, { spec: RunSpec; head: RunHead }>()
  const commands: { run_id: string; command: RunCommand }[] = []
  const agents: FleetAgent[] = []
  const dealt: FleetRun[] = []
  const pulses = new Map<string, RunPulse>()
  const leases = new Set<string>()
  const fetched: { url: string; init: RequestInit | undefined }[] = []
  const answers = new Map<string, () => Response>()
  const strikes = openStrikes()
  const demand: Demand = { runs: 0, open: 0, wanted: nothingWanted, waiting: nothingWanted, oldest_wait_s: 0 }
  const forecasts: Record<string, Forecast> = {}
  const sandy: MemoryFleet['sandy'] = {}
  const pending: Pending = { given: 0, reasons: [] }
  const measured = { totals: [] as Sum[], runs: [] as Measures['runs'] }
  const lists = new Map<string, ItemListing>()
  const listing = (of: ListedData): ItemListing => lists.get(of.name) ?? { type: 'absent' }
  const due: (() => Promise<void>)[] = []
  const sessions = new Map<string, SessionTokens>()
  let ids = 0
  const deps: Deps = {
    config: { ...config, ...options.config },
    cards: options.cards ?? exampleCards,
    store: memoryStore(record),
    artifacts: memoryBucket(bucket, () => deps.now()),
    runs: memoryRuns(living, commands, pulses, leases),
    fleet: memoryFleet({ agents, dealt, measured, demand, forecasts, sandy, pending, listing }),
    seal: createSeal({ current: 'v1', keys: { v1: new Uint8Array(32).fill(7) } }),
    signer: null,
    guard: { strike: async (kind, key) => strikes.strike(kind, key, deps.now().getTime()) },
    chutesKeys: { check: (key) => chutesKeys.check(key) },
    dataFor(benchmark, choice, provider) {
      const card = (options.cards ?? exampleCards).find((one) => one.name === benchmark)
      if (!card || choice === 'override') return undefined
      const source = choice === 'auto' ? (provider === 'demo' ? 'sample' : 'pinned') : choice
      return { source, repo: card.data.repo, revision: card.data.revision, files: card.data.files }
    },
    sessions: memoryTokens(sessions, () => deps),
    budgets: memoryBudgets(
      () => deps.now().getTime(),
      (holder) => (holder.startsWith('operator:') ? { day_usd: deps.config.operator_pays_usd ?? 0, month_usd: null } : noLimits),
    ),
    idp: null,
    flows: createFlowSeal('a key of tests'),
    listProviders: null,
    now: () => new Date('2026-01-02T03:04:05.000Z'),
    later: (_ms, work) => void due.push(work),
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    openSha256: () => createHash('sha256'),
    async fetch(url, init) {
      if (url === deps.config.access.chutes_key_url && !answers.has(url)) return Response.json({ user_id: 'somebody' })
      fetched.push({ url, init })
      const answer = [...answers].find(([start]) => url.startsWith(start))?.[1]
      if (!answer) throw new TypeError(`nothing listens at ${url}`)
      return answer()
    },
  }
  const chutesKeys = createChutesKeys(deps)
  return {
    deps,
    record,
    bucket,
    living,
    commands,
    pulses,
    leases,
    agents,
    dealt,
    measured,
    demand,
    forecasts,
    sandy,
    pending,
    lists,
    due,
    fetched,
    answers,
  }
}

const config: Deps['config'] = {
  version: '0.1.0',
  commit: null,
  local: false,
  public_url: 'https://bench.example',
  admin_secret: 'correct horse',
  agent_token: 'agent-token-1',
  maintenance: { mode: false, message: '' },
  providers: [
    { id: 'chutes', label: 'Chutes', kind: 'chutes', base_url: 'https://llm.example/v1', models: [] },
    { id: 'demo', label: 'Demo', kind: 'demo', base_url: 'http://127.0.0.1:1/v1', models: [namedModel('demo/coin')] },
  ],
  chutes: { catalogue_url: 'https://catalogue.example/chutes/', llm_url: 'https://llm.example/v1' },
  otlp: null,
  faults: [],
  access: readAccess({ CHUTES_MODELS_API_URL: 'https://catalogue.example/chutes/' }),
  sign_in: null,
  operator_pays_usd: null,
}

/** Session tokens over storage in memory. */
function memoryTokens(sessions: Map<string, SessionTokens>, deps: () => Deps): Deps['sessions'] {
  const of = (session_id: string): SessionTokens => {
    const shelf = new Map<string, string>()
    const { seal, idp, now } = deps()
    const opened =
      sessions.get(session_id) ??
      new SessionTokens({
        ...{ session_id, seal, idp, now: () => now().getTime() },
        shelf: { get: (name) => shelf.get(name), put: (name, text) => void shelf.set(name, text), clear: () => shelf.clear() },
      })
    sessions.set(session_id, opened)
    return opened
  }
  return {
    keep: (session_id, tokens) => of(session_id).keep(tokens),
    async token(session_id) {
      const answer = await of(session_id).token()
      return answer.is === 'followed' ? of(answer.session_id).token() : answer
    },
    end: (session_id, next) => of(session_id).end(next),
  }
}

function memoryRuns(
  living: Map<string, { spec: RunSpec; head: RunHead }>,
  commands: { run_id: string; command: RunCommand }[],
  pulses: Map<string, RunPulse>,
  leases: ReadonlySet<string>,
): RunsPort {
  return {
    async create(spec) {
      const head = initialHead(spec)
      living.set(spec.run_id, { spec, head })
      return head
    },
    takeIn: () => Promise.reject(new TypeError('imports want a real shell: see live-imports.ts')),
    async changeReaders(run_id, change) {
      const run = living.get(run_id)
      if (run && change !== 'members') living.set(run_id, { ...run, spec: { ...run.spec, visibility: change } })
    },
    head: async (run_id) => living.get(run_id)?.head,
    spec: async (run_id) => living.get(run_id)?.spec,
    async command(run_id, command) {
      const run = living.get(run_id)
      if (!run) return undefined
      const head = afterCommand(run.head, command)
      if (typeof head === 'string') return { refused: head }
      commands.push({ run_id, command })
      living.set(run_id, { ...run, head: { ...head, seq: head.seq + 1 } })
      return { head }
    },
    pulse: async (run_id) => pulses.get(run_id) ?? null,
    async stream(run_id, cursor, audience, request) {
      const head = living.get(run_id)?.head
      const agent = request.headers.get('user-agent')
      const body = `data: ${JSON.stringify({ event_type: 'snapshot', head, cursor, audience, agent })}\n\n`
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    async watch(run_id, { benchmark, item_id, epoch }) {
      if (!living.has(run_id) || item_id === 'none') return new Response(null, { status: 404 })
      if (item_id === 'full') return new Response(null, { status: 429 })
      const body = `data: ${JSON.stringify({ type: 'waiting', why: 'not-begun', benchmark, item_id, epoch })}\n\n`
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    underWay: async (run_id) => ({
      trials: [{ benchmark: living.get(run_id)!.spec.benchmarks[0]!.name, item_id: '4', epoch: 0, attempt: 1 }],
      total: 7,
    }),
    connect: async (run_id) => new Response(`run socket ${run_id}`),
    wasSent: async (run_id, { agent_id, session, pass }) =>
      living.has(run_id) ? [...leases].some((name) => name.startsWith([agent_id, session, pass, ''].join())) : undefined,
    holdsLease: async (run_id, claim) => (living.has(run_id) ? leases.has(leaseName(claim)) : undefined),
  }
}

/** How `leases` names what an agent may claim to hold. */
export const leaseName = (claim: LeaseClaim): string => [claim.agent_id, claim.session, claim.pass, claim.ordinal, claim.attempt].join()

/** The state after a command, or the sentence that refuses it. */
function afterCommand(head: RunHead, command: RunCommand): RunHead | string {
  const ended = isTerminal(head.status)
  const to = (status: RunStatus): RunHead => ({ ...head, status })
  switch (command.type) {
    case 'cancel':
      return ended ? `The run has ended: ${head.status}.` : to('canceled')
    case 'pause':
      return ended || head.status === 'paused' ? `The run is ${head.status}.` : to('paused')
    case 'resume':
      return head.status === 'paused' ? to('running') : 'The run is not paused.'
    case 'retry_failed':
    case 'requeue':
      return ended ? to('running') : 'The run has not ended yet.'
    case 'set_concurrency':
      return ended ? 'The run has ended.' : { ...head, concurrency: command.concurrency }
    case 'prioritise':
      return ended ? 'The run has ended.' : { ...head, priority: command.priority }
    case 'set_budget':
      return ended ? 'The run has ended.' : { ...head, budget_usd: command.budget_usd }
  }
}

const nothingWanted = { trials: 0, calls: 0, cpus: 0, memory_mb: 0, disk_mb: 0 }

type MemoryFleet = {
  agents: FleetAgent[]
  dealt: FleetRun[]
  measured: Measures
  demand: Demand
  forecasts: Record<string, Forecast>
  sandy: Partial<Record<SandyQuestion['what'], SandyAnswer>>
  pending: Pending
  listing: Listing
}
type Listing = (of: ListedData) => ItemListing
type Pending = Pick<RunPending, 'given' | 'reasons'>

function memoryFleet({ agents, dealt, measured, demand, forecasts, sandy, pending, listing }: MemoryFleet): FleetPort {
  return {
    overview: async () => ({ agents, runs: dealt, refused: [] }),
    forget: async () => false,
    listItems: async (of) => listing(of),
    measures: async () => measured,
    demand: async () => demand,
    forecast: async () => forecasts,
    load: async () => {
      const usage = Object.fromEntries(agents.flatMap((agent) => (agent.usage ? [[agent.agent_id, agent.usage]] : [])))
      return [{ at_ms: 0, agents: 1, slots: 8, working: 3, running_runs: 1, queued_runs: 0, by_agent: { 'box-1': 3 }, usage }]
    },
    askSandy: async ({ what }) => sandy[what] ?? null,
    async drain(agent_id, on) {
      const agent = agents.find((one) => one.agent_id === agent_id)
      if (agent) agent.draining = on
      return agent !== undefined
    },
    pending: async () => pending,
    count: async (sums) => void measured.totals.push(...sums),
    connect: async () => new Response('fleet socket'),
  }
}
