import type { StreamedEvent } from '#shared/contract/event.ts'
import { rolesOf } from '#shared/contract/role.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import type { TrialBrief } from '#shared/contract/trial.ts'
import type { Usage } from '#shared/contract/usage.ts'
import { initialHead } from '#shared/run/apply.ts'
import { graceMs, leaseMs, renewMs } from '#shared/run/lease.ts'
import { rateWindowMs } from '#shared/run/rate-share.ts'
import { applyStreamed } from '#shared/run/stream.ts'
import type { AgentSocket } from '../../edge/run/agent-socket.ts'
import type { VirtualClock } from './clock.ts'
import type { Execution, Ledger } from './ledger.ts'
import type { VirtualStore } from './virtual-store.ts'

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6
const key = (ordinal: number, attempt: number): string => `${ordinal}:${attempt}`

type Counted = { ordinal: number; attempt: number; usage: Usage; cost_usd: number | null } & Pick<TrialBrief, 'roles'>

/**
 * What must hold of a run after every event, whatever happened (reference/reliability.md 2.0, I1 to I10), seen from outside: what its object
 * stores, what it says over sockets, what the provider was asked, what the record holds. Each breach is kept as one sentence.
 */
export class Invariants {
  readonly breaches: string[] = []
  readonly #clock: VirtualClock
  readonly #ledger: Ledger
  readonly #standing = new Map<number, { attempt: number; outcome: string }>()
  readonly #received = new Set<string>()
  readonly #counted = new Set<number>()
  readonly #latest = new Map<number, number>()
  readonly #heard = new Map<string, number>()
  readonly #reports = new Map<string, string[]>()
  readonly #sent: number[] = []
  readonly #inFlight = new Map<string, number>()
  #head: RunHead
  #spent = 0
  #judged = 0
  #ended = 0
  #retried = 0

  constructor(clock: VirtualClock, ledger: Ledger, spec: RunSpec) {
    this.#clock = clock
    this.#ledger = ledger
    this.#head = initialHead(spec)
  }

  breach(id: string, text: string): void {
    if (this.breaches.length < 20) this.breaches.push(`${id}: ${text}`)
  }

  /** A request reaches the provider. */
  onCall({ agent }: Execution, slots: number, rateLimit: number | null): () => void {
    const nowMs = this.#clock.now()
    const flying = (this.#inFlight.get(agent) ?? 0) + 1
    this.#inFlight.set(agent, flying)
    if (flying > slots) this.breach('I5', `${agent} has ${flying} requests in flight with ${slots} slots`)
    this.#sent.push(nowMs)
    while (this.#sent[0]! <= nowMs - rateWindowMs) this.#sent.shift()
    if (rateLimit !== null && this.#sent.length > rateLimit)
      this.breach('I5', `${this.#sent.length} requests within a second, the key allows ${rateLimit}`)
    return () => void this.#inFlight.set(agent, this.#inFlight.get(agent)! - 1)
  }

  /** An agent starts work on a trial: each time it was given out explains one. */
  onWork({ ordinal, agent }: Execution): void {
    const begun = this.#ledger.of(ordinal).length
    const given = this.#latest.get(ordinal) ?? 0
    if (begun > given) this.breach('I4', `${agent} begins trial ${ordinal} for the ${begun}. time, it was given out ${given} times`)
  }

  /** A frame of an agent reaches the run. */
  onMessage(session: string | null, text: string): void {
    if (session === null) return
    if (/^\{"type":"re(?:new|port)"/.test(text)) this.#heard.set(session, this.#clock.now())
    const id = /^\{"type":"report","id":(\d+)/.exec(text)?.[1]
    if (id)
      this.#reports.set(
        `${session} ${id}`,
        [...text.matchAll(/"ordinal":(\d+),"attempt":(\d+)/g)].map(([, ordinal, attempt]) => `${ordinal}:${attempt}`),
      )
  }

  /** The run says something to an agent. */
  onSaid(session: string | null, text: string): void {
    const id = /^\{"type":"ack","id":(\d+)/.exec(text)?.[1]
    for (const attempt of (id && this.#reports.get(`${session} ${id}`)) || [])
      if (!this.#received.has(attempt)) this.breach('I2', `attempt ${attempt} was acknowledged and is not stored`)
    if (session !== null && text.startsWith('{"type":"welcome"')) this.#heard.set(session, this.#clock.now())
    if (!text.startsWith('{"type":"leases"')) return
    const { leases } = JSON.parse(text) as { leases: { ordinal: number; attempt: number }[] }
    for (const { ordinal, attempt } of leases) {
      if (attempt <= (this.#latest.get(ordinal) ?? 0)) this.breach('I1', `attempt ${key(ordinal, attempt)} was given out after another`)
      if (this.#standing.has(ordinal)) this.breach('I1', `trial ${ordinal} was given out with a result`)
      this.#latest.set(ordinal, attempt)
    }
  }

  onCommit(events: readonly StreamedEvent[], head: RunHead): void {
    const before = this.#head
    for (const event of events) this.#onEvent(event, head)
    this.#head = head
    if (events.length === 0) return
    if (events[0]!.id !== before.seq + 1 || events.at(-1)!.id !== head.seq)
      this.breach('I6', `events ${events[0]!.id} to ${events.at(-1)!.id} took the run from ${before.seq} to ${head.seq}`)
    if (before.status === 'canceled' && (head.leased > 0 || head.done !== before.done))
      this.breach('I8', 'work went on after the cancellation')
    if (head.cost_usd !== null && !near(head.cost_usd, this.#spent))
      this.breach('I4', `the run counts $${head.cost_usd}, its reports say $${this.#spent}`)
    if (!near(rolesOf(head).judge?.cost_usd ?? 0, this.#judged))
      this.breach('I4', `the run counts $${rolesOf(head).judge?.cost_usd} for its judge, its reports say $${this.#judged}`)
    const { budget_usd } = head
    if (budget_usd !== null && this.#ledger.total() > budget_usd + 1e-9)
      this.breach('I7', `spent $${this.#ledger.total()} of a budget of $${budget_usd}`)
    if (head.done !== this.#standing.size) this.breach('I1', `${head.done} done, ${this.#standing.size} results stand`)
  }

  #onEvent(event: StreamedEvent, head: RunHead): void {
    const data = event.data as never
    if (event.event_type === 'benchmark_progress') for (const brief of (data as { results: TrialBrief[] }).results) this.#onResult(brief)
    if (event.event_type === 'agent_lost' && (data as { reason: string }).reason === 'silent') {
      const { session, agent_id } = data as { session: string; agent_id: string }
      // An event tells whole milliseconds, the worlds' clock has parts of them.
      const silentMs = Date.parse(event.created_at) - Math.floor(this.#heard.get(session) ?? 0)
      if (silentMs < graceMs) this.breach('I9', `${agent_id} was given up ${silentMs} ms after it was heard`)
    }
    if (event.event_type === 'attempt_refused') this.#count(data)
    if (event.event_type === 'run_requeued') {
      this.#retried++
      for (const { ordinal } of (data as { retried: { ordinal: number }[] }).retried) this.#standing.delete(ordinal)
    }
    const ending = ['run_completed', 'run_failed', 'run_canceled'].includes(event.event_type)
    if (ending && ++this.#ended > 1 + this.#retried) this.breach('I8', 'the run ended twice')
    if (ending && !isTerminal(head.status)) this.breach('I8', `ended as ${head.status}`)
  }

  #onResult(brief: TrialBrief): void {
    const { ordinal, attempt, outcome, failure } = brief
    if (this.#standing.has(ordinal)) this.breach('I1', `trial ${ordinal} finished twice`)
    this.#standing.set(ordinal, { attempt, outcome })
    if (attempt !== this.#latest.get(ordinal))
      this.breach('I3', `attempt ${key(ordinal, attempt)} counts, ${this.#latest.get(ordinal)} was given out`)
    if (failure === 'agent/aborted') this.breach('I3', `trial ${ordinal} has what was given up on the way as its result`)
    if (failure !== 'agent/poison') this.#count(brief)
    const truth = failure ? 'failed' : this.#ledger.answer(ordinal)
    if (outcome !== truth) this.breach('I2', `trial ${ordinal} is ${outcome}, the provider answered ${truth}`)
  }

  /** What an attempt took goes into the sums: once, and what the provider booked for one execution of it. */
  #count({ ordinal, attempt, usage, cost_usd, ...spent }: Counted): void {
    const { judge } = rolesOf(spent)
    const name = key(ordinal, attempt)
    if (this.#received.has(name)) this.breach('I4', `attempt ${name} was counted twice`)
    this.#received.add(name)
    this.#spent += cost_usd ?? 0
    this.#judged += judge?.cost_usd ?? 0
    const tokens = usage.input_tokens + (judge?.usage.input_tokens ?? 0)
    if (tokens === 0) return
    const execution = this.#ledger.of(ordinal).find((one) => one.used.input_tokens + one.judged.input_tokens === tokens)
    if (!execution) this.breach('I4', `attempt ${name} is said to have taken what the provider never booked`)
    else if (this.#counted.has(execution.id)) this.breach('I4', `what execution ${execution.id} took was counted twice`)
    else this.#counted.add(execution.id)
  }

  /** Looked at every now and then: leases run out in time. `steadyMs`: how long the object has been up. */
  look(head: RunHead, steadyMs: number): void {
    if (steadyMs < leaseMs + renewMs) return
    for (const { agent_id, until_ms } of Object.values(head.agents)) {
      const lateMs = this.#clock.now() - until_ms
      if (lateMs > renewMs) this.breach('I9', `the leases of ${agent_id} ran out ${lateMs} ms ago, and it still holds them`)
    }
  }

  /** A viewer has folded what it was told, as far as the object is. */
  onViewed(seen: RunHead, head: RunHead): void {
    if (seen.seq !== head.seq) return
    const money =
      near(seen.cost_usd ?? 0, head.cost_usd ?? 0) && near(rolesOf(seen).judge?.cost_usd ?? 0, rolesOf(head).judge?.cost_usd ?? 0)
    const same = (['status', 'done', 'retried', 'total'] as const).every((field) => seen[field] === head[field])
    if (!money || !same || JSON.stringify(seen.benchmarks) !== JSON.stringify(head.benchmarks))
      this.breach('I6', `a viewer at ${seen.seq} sees another run: ${seen.status}, ${seen.done} of ${head.done} done`)
  }

  /** After the quiet phase: converged, and the record holds exactly what counts. */
  atEnd(head: RunHead, spec: RunSpec, store: VirtualStore, connections: readonly AgentSocket[]): void {
    if (!isTerminal(head.status)) return this.breach('I9', `still ${head.status} with ${head.done} of ${head.total}, ${head.leased} leased`)
    const record = store.runs.get(spec.run_id)!
    if (record.head.seq !== head.seq || record.head.status !== head.status)
      this.breach('I9', `the record stands at ${record.head.seq} of ${head.seq}`)
    const rows = [...record.trials.values()]
    if (rows.length !== new Set(rows.map(({ ordinal }) => ordinal)).size) this.breach('I2', 'the record holds a trial twice')
    const recorded = new Map(rows.map((row) => [row.ordinal, row]))
    for (const [ordinal, { attempt, outcome }] of this.#standing) {
      const row = recorded.get(ordinal)
      if (row?.attempt !== attempt || (JSON.parse(row.text) as { outcome: string }).outcome !== outcome)
        this.breach('I2', `the record has attempt ${row?.attempt} of trial ${ordinal}, the run ${attempt} (${outcome})`)
    }
    const events = [...record.events.values()].sort((a, b) => a.id - b.id)
    if (events.length !== head.seq) this.breach('I6', `the record has ${events.length} of ${head.seq} events`)
    else this.onViewed(events.reduce(applyStreamed, initialHead(spec)), head)
    if (head.status !== 'canceled' && this.#standing.size !== head.total)
      this.breach('I1', `${this.#standing.size} results of ${head.total}`)
    for (const { id, ordinal, agent, used, judged, lost } of this.#ledger.executions)
      if (!lost && used.output_tokens + judged.output_tokens > 0 && !this.#counted.has(id))
        this.breach('I4', `${agent} took ${used.output_tokens} tokens for trial ${ordinal}, and the run does not know of it`)
    for (const socket of connections)
      this.breach('I10', `a connection stays although the run has ended: ${JSON.stringify(socket.deserializeAttachment())}`)
  }
}
