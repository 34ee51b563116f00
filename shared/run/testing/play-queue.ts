import { expectPaces, type PacedRun, type PaceSource, paceKey } from '../expect-paces.ts'
import { keyOf } from '../match/bins.ts'
import { type MatchAgent, type MatchPart, type MatchRun, slotsOf } from '../match/fleet.ts'
import { forecastRuns } from '../match/forecast.ts'
import { type Given, matchFleet } from '../match/match-fleet.ts'
import { addTrial, fitPace, noPace, type Pace, type PaceSums } from '../pace.ts'

/** A benchmark of a simulated run. `seconds` draws how long one trial holds its slot; `truth` is the law of these times. */
export type QueuedBenchmark = { name: string; trials: number; seconds(): number; truth: Pace }
/** A run of a simulated queue: the benchmarks of each part, in the order of the plan. `open` of its parts is counted by the play. */
export type QueuedRun = { run: MatchRun; model: string; arrives_s: number; benchmarks: readonly QueuedBenchmark[] }
/** An agent of a simulated fleet. One that leaves finishes its trials if it is drained; if it is killed they are asked again. */
export type QueuedAgent = { agent: MatchAgent; joins_s: number; leaves_s: number; killed: boolean }
/** `kept`: paces of ended runs. `deal_s`: seconds between two deals of the fleet. */
export type Queue = { runs: readonly QueuedRun[]; agents: readonly QueuedAgent[]; kept: readonly PaceSource[]; deal_s: number }

/**
 * A run's forecast at the first deal at which a tenth of its trials had ended, and its true end; seconds since the queue began. `ideal_s` is
 * the end that the forecast would have told with the true laws of the times. `steady`: nobody came after the question and before the end,
 * and no agent left. `ran_before`: its model had ended a run on each of its benchmarks.
 */
export type Seen = {
  run_id: string
  began_s: number
  asked_s: number
  expected_s: number | null
  ideal_s: number | null
  ended_s: number
  steady: boolean
  ran_before: boolean
}

/** Seconds until the trials of a killed agent are pending again: its lease has to end. */
const lostS = 30
const askedPart = 0.1
/** The profile of all simulated benchmarks. */
export const profile = 'standard'

type Begun = { benchmark: Benchmark; session: string; since_s: number; ends_s: number }
type Benchmark = QueuedBenchmark & { part: MatchPart; pending: number; open: number; sums: PaceSums }
type State = Omit<QueuedRun, 'benchmarks'> & {
  benchmarks: Benchmark[]
  trials: number
  begun: Begun[]
  lost: { benchmark: Benchmark; at_s: number }[]
  began_s: number | null
  seen: Seen | null
}

/**
 * Plays a queue trial by trial with the fleet's own dealing. An agent finishes the trials that it has begun, whatever it is given next; no
 * agent has more at work than its slots and its sandboxes hold. Each run's forecast is asked once, with the facts that a service has then.
 */
export function playQueue(queue: Queue): Seen[] {
  const { runs, agents, kept, deal_s } = queue
  const states = new Map<string, State>()
  const coming = [...runs].sort((a, b) => a.arrives_s - b.arrives_s)
  let given: Given = new Map()
  for (let now_s = 0; coming.length > 0 || openStates(states).length > 0; now_s += deal_s) {
    for (let next = coming[0]; next && next.arrives_s <= now_s; next = coming[0]) {
      states.set(next.run.run_id, arrive(next))
      coming.shift()
    }
    const open = openStates(states)
    const tally = tallyOf(open)
    for (const state of open) endTrials(state, tally, given, agents, now_s)
    for (const { agent, leaves_s, killed } of agents)
      if (killed && leaves_s <= now_s && leaves_s > now_s - deal_s) for (const state of open) lose(state, agent.session, leaves_s)
    for (const state of open) giveBack(state, now_s)
    const present = agents.filter(({ joins_s, leaves_s }) => joins_s <= now_s && now_s < leaves_s).map(({ agent }) => agent)
    const working = openStates(states)
    given = matchFleet(working.map(matchOf), present, given)
    const atWork = tallyOf(working)
    for (const state of working) beginTrials(state, atWork, given, agents, now_s)
    const due = working.filter((state) => !state.seen && openOf(state) <= state.trials * (1 - askedPart))
    if (due.length > 0) ask(due, { states: working, present, given, kept, now_s })
  }
  return [...states.values()].flatMap(({ seen }) => (seen ? { ...seen, steady: isSteady(seen, queue) } : []))
}

function isSteady({ asked_s, ended_s }: Seen, { runs, agents }: Queue): boolean {
  const moments = [...runs.map(({ arrives_s }) => arrives_s), ...agents.flatMap(({ joins_s, leaves_s }) => [joins_s, leaves_s])]
  return moments.every((at_s) => at_s <= asked_s || at_s >= ended_s)
}

const openStates = (states: ReadonlyMap<string, State>): State[] => [...states.values()].filter((state) => openOf(state) > 0)
const openOf = ({ benchmarks }: Pick<State, 'benchmarks'>): number => benchmarks.reduce((sum, { open }) => sum + open, 0)

function arrive({ benchmarks, ...queued }: QueuedRun): State {
  const own = benchmarks.map((one): Benchmark => {
    const part = queued.run.parts.find((part) => part.benchmarks.includes(one.name))!
    return { ...one, part, pending: one.trials, open: one.trials, sums: noPace }
  })
  return { ...queued, benchmarks: own, trials: openOf({ benchmarks: own }), begun: [], lost: [], began_s: null, seen: null }
}

function matchOf({ run, benchmarks }: State): MatchRun {
  const openIn = (part: MatchPart): number => benchmarks.reduce((sum, one) => sum + (one.part === part ? one.open : 0), 0)
  return { ...run, parts: run.parts.map((part) => ({ ...part, open: openIn(part) })) }
}

/** Trials at work by share, and the calls and processors in use by agent. */
type Tally = Map<string, number>
const shareKey = (session: string, run_id: string, part: MatchPart): string => `${session} ${keyOf(run_id, part.benchmarks)}`
const unitKey = (session: string, { sandbox }: MatchPart): string => `${session} ${sandbox ? 'cpus' : 'calls'}`

function count(tally: Tally, run_id: string, { session, benchmark: { part } }: Begun, step: 1 | -1): void {
  const [share, unit] = [shareKey(session, run_id, part), unitKey(session, part)]
  tally.set(share, (tally.get(share) ?? 0) + step)
  tally.set(unit, (tally.get(unit) ?? 0) + step * (part.sandbox?.cpus ?? 1))
}

function tallyOf(states: readonly State[]): Tally {
  const tally: Tally = new Map()
  for (const { run, begun } of states) for (const one of begun) count(tally, run.run_id, one, 1)
  return tally
}

/** Begins the next trial of a share, in the order of the plan, if the share, the agent and the run's concurrency have room for it. */
function beginOne(state: State, part: MatchPart, agent: MatchAgent, slots: number, tally: Tally, at_s: number): boolean {
  const { session } = agent
  const size = part.sandbox ? agent.sandboxes.reduce((sum, { cpus }) => sum + cpus, 0) : agent.slots
  const needs = part.sandbox?.cpus ?? 1
  const benchmark = state.benchmarks.find((one) => one.part === part && one.pending > 0)
  if (!benchmark || state.begun.length >= state.run.concurrency) return false
  if ((tally.get(shareKey(session, state.run.run_id, part)) ?? 0) >= slots) return false
  if ((tally.get(unitKey(session, part)) ?? 0) + needs > size + 1e-9) return false
  benchmark.pending--
  const begun = { benchmark, session, since_s: at_s, ends_s: at_s + benchmark.seconds() }
  state.begun.push(begun)
  state.began_s ??= at_s
  count(tally, state.run.run_id, begun, 1)
  return true
}

const slotsFor = (given: Given, session: string, run_id: string, part: MatchPart): number =>
  slotsOf(
    (given.get(session) ?? [])
      .filter((one) => one.run_id === run_id)
      .flatMap(({ shares }) => shares.filter(({ benchmarks }) => benchmarks[0] === part.benchmarks[0])),
  )

function beginTrials(state: State, tally: Tally, given: Given, agents: readonly QueuedAgent[], now_s: number): void {
  for (const { agent } of agents)
    for (const part of state.run.parts) {
      const slots = slotsFor(given, agent.session, state.run.run_id, part)
      while (slots > 0 && beginOne(state, part, agent, slots, tally, now_s));
    }
}

/** Ends the trials whose time has come, in their order; the slot of each goes to the next trial of its share at once. */
function endTrials(state: State, tally: Tally, given: Given, agents: readonly QueuedAgent[], now_s: number): void {
  for (;;) {
    const ended = state.begun.filter(({ ends_s }) => ends_s <= now_s).sort((a, b) => a.ends_s - b.ends_s)
    if (ended.length === 0) return
    for (const one of ended) {
      const { agent, leaves_s, killed } = agents.find(({ agent: { session } }) => session === one.session)!
      if (killed && one.ends_s > leaves_s) continue
      const { benchmark, session, since_s, ends_s } = one
      state.begun.splice(state.begun.indexOf(one), 1)
      count(tally, state.run.run_id, one, -1)
      benchmark.open--
      benchmark.sums = addTrial(benchmark.sums, ends_s - since_s)
      if (openOf(state) === 0 && state.seen) state.seen.ended_s = ends_s
      const slots = slotsFor(given, session, state.run.run_id, benchmark.part)
      if (ends_s < leaves_s) beginOne(state, benchmark.part, agent, slots, tally, ends_s)
    }
    if (ended.every((one) => state.begun.includes(one))) return // their agent was killed before
  }
}

function lose(state: State, session: string, at_s: number): void {
  const lost = state.begun.filter((one) => one.session === session)
  state.begun = state.begun.filter((one) => one.session !== session)
  state.lost.push(...lost.map(({ benchmark }) => ({ benchmark, at_s: at_s + lostS })))
}

function giveBack(state: State, now_s: number): void {
  for (const { benchmark, at_s } of state.lost) if (at_s <= now_s) benchmark.pending++
  state.lost = state.lost.filter(({ at_s }) => at_s > now_s)
}

type Known = { states: readonly State[]; present: readonly MatchAgent[]; given: Given; kept: readonly PaceSource[]; now_s: number }

/** Asks the service's own estimator when these runs end. */
function ask(due: readonly State[], { states, present, given, kept, now_s }: Known): void {
  const expectedPaces = expectPaces(
    states.map((state) => tellOf(state, now_s)),
    kept,
  )
  const paces = new Map(expectedPaces.map((of, at) => [states[at]!.run.run_id, of]))
  const benchmarkIn = (run_id: string, name: string): Benchmark =>
    states.find(({ run }) => run.run_id === run_id)!.benchmarks.find((one) => one.name === name)!
  const agesIn = ({ run_id }: MatchRun, name: string): number[] => agesOf(states.find(({ run }) => run.run_id === run_id)!, name, now_s)
  const hasSlots = (run_id: string): boolean => [...given.values()].some((all) => all.some((one) => one.run_id === run_id))
  const paceIn = ({ run_id }: MatchRun, name: string): Pace | null => paces.get(run_id)!.get(name)!
  const truthIn = ({ run_id }: MatchRun, name: string): Pace => benchmarkIn(run_id, name).truth
  const [expected, ideal] = [paceIn, truthIn].map((pace) =>
    forecastRuns(
      states.map(matchOf),
      present,
      (run, name) => ({ open: benchmarkIn(run.run_id, name).open, pace: pace(run, name), ages: agesIn(run, name) }),
      hasSlots,
    ),
  )
  for (const { run, model, benchmarks, ...state } of due) {
    const ends = [expected, ideal].map((of) => of!.get(run.run_id)!.ends_s)
    const [expected_s, ideal_s] = ends.map((ends_s) => (ends_s === null ? null : now_s + ends_s)) as [number | null, number | null]
    const own = kept.find((source) => source.model === model)
    const ran_before = benchmarks.every(({ name }) => own?.paces.has(paceKey({ name, profile })))
    states.find((one) => one.run === run)!.seen = {
      ...{ run_id: run.run_id, began_s: state.began_s!, asked_s: now_s, ended_s: now_s },
      ...{ expected_s, ideal_s, ran_before, steady: true },
    }
  }
}

const agesOf = ({ begun }: State, name: string, now_s: number): number[] =>
  begun.filter(({ benchmark }) => benchmark.name === name).map(({ since_s }) => now_s - since_s)

function tellOf(state: State, now_s: number): PacedRun {
  const { model, benchmarks } = state
  const told = benchmarks.map(({ name, sums }) => {
    const ages = agesOf(state, name, now_s)
    return { name, profile, pace: fitPace(sums, ages), sums, ages }
  })
  return { model, benchmarks: told }
}
