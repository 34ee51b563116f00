import { hash } from 'node:crypto'
import type { Run } from '#shared/contract/api.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { Usage } from '#shared/contract/usage.ts'
import type { LedgerEntry } from '../provider/ledger.ts'
import { askedByTrials } from '../provider/preflight-entries.ts'
import type { Expectation } from './questions.ts'

/** Finished trials an agent may hold back to report them together. */
const batch = 64

export type Tokens = { input_tokens: number; output_tokens: number }

/** When an agent was killed (wall clock, ms), and whether the Worker it reported to was killed with it. */
export type AgentKill = { at_ms: number; with_edge: boolean }

/** One run as everybody tells it: the plan, Postgres, the stream, and the provider, whose word decides. */
export type Testimony = {
  expected: ReadonlyMap<string, Expectation>
  run: Pick<Run, 'id' | 'head' | 'overall_score'>
  trials: readonly TrialRecord[]
  events: readonly StreamedEvent[]
  /** Every request of this run, in order of arrival. */
  ledger: readonly LedgerEntry[]
  /** Requests an agent keeps in flight at most. */
  width: number
  agentKills: readonly AgentKill[]
  /** Batches an agent may have out beyond the one that the promise allows: only for a box so busy that acknowledgements come late. */
  lateBatches?: number
}

export type Verdict = {
  breaches: string[]
  trials: number
  /** Requests beyond one a trial. */
  extra: number
  /** How many there may be: for each agent killed what it may have in flight and one batch, and one more that was on its way to a Worker killed with it. */
  allowed: number
  /** What the provider had in flight at each of these kills; answers the agent had not read yet and requests not yet arrived come on top. */
  in_flight: number[]
  billed: Tokens
  counted: Tokens
  lost: Tokens
}

/** Compares the four accounts; every disagreement is one sentence. */
export function judge(testimony: Testimony): Verdict {
  const breaches = [...judgeTrials(testimony), ...judgeTally(testimony), ...judgeEvents(testimony)]
  return { ...judgeLedger(testimony, breaches), breaches }
}

/** Every planned trial once, with the outcome, answer and question of the undisturbed run. */
function judgeTrials({ expected, trials }: Testimony): string[] {
  const breaches: string[] = []
  const seen = new Set<string>()
  for (const trial of trials) {
    const name = `item ${trial.item_id}`
    const truth = expected.get(trial.item_id)
    if (!truth || trial.epoch !== 0) {
      breaches.push(`${name}, epoch ${trial.epoch} was not planned`)
      continue
    }
    if (seen.has(trial.item_id)) breaches.push(`${name} stands twice in Postgres`)
    seen.add(trial.item_id)
    const { outcome, answer, target } = truth
    if (trial.outcome !== outcome || trial.answer !== answer || trial.expected !== target)
      breaches.push(`${name} is ${trial.outcome} with ${trial.answer} for ${trial.expected}, not ${outcome} with ${answer} for ${target}`)
    const asked = hash('sha256', trial.messages.map(({ content }) => content).join('\n\n'))
    if (asked !== truth.prompt_sha256) breaches.push(`${name} was recorded with another question`)
  }
  for (const item of expected.keys()) if (!seen.has(item)) breaches.push(`item ${item} is missing in Postgres`)
  return breaches
}

function judgeTally({ expected, run, trials }: Testimony): string[] {
  const outcomes = [...expected.values()].map(({ outcome }) => outcome)
  const right = outcomes.filter((outcome) => outcome === 'right').length
  const wanted = {
    status: 'succeeded',
    total: expected.size,
    done: expected.size,
    leased: 0,
    right,
    wrong: expected.size - right,
    failed: 0,
  }
  const { status, total, done, leased, benchmarks } = run.head
  const { right: gotRight, wrong, failed } = benchmarks.mmlu_pro ?? { right: -1, wrong: -1, failed: -1 }
  const got = { status, total, done, leased, right: gotRight, wrong, failed }
  const breaches = Object.entries(wanted).flatMap(([key, value]) => {
    const found = got[key as keyof typeof got] // both have the same keys by construction
    return found === value ? [] : [`the run says ${key} = ${found}, it is ${value}`]
  })
  const score = right / expected.size
  if (run.overall_score === null || Math.abs(run.overall_score - score) > 1e-12)
    breaches.push(`the run's score is ${run.overall_score}, it is ${score}`)
  const ordinals = new Set(trials.map(({ ordinal }) => ordinal))
  if (ordinals.size !== trials.length) breaches.push(`${trials.length} trials share ${ordinals.size} ordinals`)
  return breaches
}

const resultsOf = (event: StreamedEvent) => event.data.results as { ordinal: number }[] // as `benchmark_progress` is defined

/** Ids count from 1 to the state's number without a gap, and every trial was told once. */
function judgeEvents({ events, run, expected }: Testimony): string[] {
  const breaches: string[] = []
  const gap = events.findIndex((event, index) => event.id !== index + 1)
  if (gap >= 0) breaches.push(`event ${events[gap]!.id} stands at place ${gap + 1}`)
  if (events.length !== run.head.seq) breaches.push(`there are ${events.length} events, the run counts ${run.head.seq}`)
  const told = events.filter(({ event_type }) => event_type === 'benchmark_progress').flatMap(resultsOf)
  if (told.length !== expected.size || new Set(told.map(({ ordinal }) => ordinal)).size !== expected.size)
    breaches.push(`the events tell ${told.length} results of ${expected.size} trials`)
  return breaches
}

/** What was asked and paid for: the provider's account against the plan and against what the run counts. */
function judgeLedger(testimony: Testimony, breaches: string[]): Omit<Verdict, 'breaches'> {
  const { expected, run, trials, events, agentKills, width, lateBatches = 0 } = testimony
  const ledger = askedByTrials(testimony.ledger)
  const looks = testimony.ledger.length - ledger.length
  if (looks > 1 + agentKills.length) breaches.push(`the endpoint was looked at ${looks} times with ${agentKills.length} agents killed`)
  const asked = Map.groupBy(ledger, ({ prompt_sha256 }) => prompt_sha256)
  const planned = new Map([...expected].map(([item, { prompt_sha256 }]) => [prompt_sha256, item]))
  for (const [prompt, entries] of asked)
    if (!planned.has(prompt)) breaches.push(`the provider was asked ${entries.length} times what nobody planned (${prompt.slice(0, 12)})`)
  for (const [prompt, item] of planned) if (!asked.has(prompt)) breaches.push(`the provider was never asked item ${item}`)

  const in_flight = agentKills.map(({ at_ms }) => ledger.filter((entry) => entry.started_ms <= at_ms && entry.ended_ms > at_ms).length)
  const allowed = agentKills.reduce((sum, { with_edge }) => sum + width + (lateBatches + (with_edge ? 2 : 1)) * batch, 0)
  const extra = ledger.length - expected.size
  if (extra > allowed) breaches.push(`${extra} requests too many; with ${agentKills.length} agents killed at most ${allowed} may be lost`)

  const refused = events.filter(({ event_type }) => event_type === 'attempt_refused').map(({ data }) => Usage.parse(data.usage))
  const billed = total(ledger)
  const counted = total([run.head.usage])
  const reported = total([...trials.map(({ usage }) => usage), ...refused])
  if (!same(counted, reported)) breaches.push(`the run counts ${tell(counted)}, its reports add up to ${tell(reported)}`)
  const calls = new Map(trials.map((trial) => [expected.get(trial.item_id)?.prompt_sha256, trial.calls]))
  const unheard = [...asked].flatMap(([prompt, entries]) => entries.slice(calls.get(prompt) ?? 0))
  const lost = minus(total(unheard), total(refused))
  if (!same(counted, minus(billed, lost)))
    breaches.push(`the run counts ${tell(counted)}, the provider billed ${tell(billed)}, of which ${tell(lost)} went down with agents`)
  return { trials: trials.length, extra, allowed, in_flight, billed, counted, lost }
}

function total(parts: readonly Tokens[]): Tokens {
  return {
    input_tokens: parts.reduce((sum, part) => sum + part.input_tokens, 0),
    output_tokens: parts.reduce((sum, part) => sum + part.output_tokens, 0),
  }
}

const minus = (a: Tokens, b: Tokens): Tokens => ({
  input_tokens: a.input_tokens - b.input_tokens,
  output_tokens: a.output_tokens - b.output_tokens,
})
const same = (a: Tokens, b: Tokens): boolean => a.input_tokens === b.input_tokens && a.output_tokens === b.output_tokens
const tell = ({ input_tokens, output_tokens }: Tokens): string => `${input_tokens}+${output_tokens} tokens`
