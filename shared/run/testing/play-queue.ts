import { type MatchAgent, type MatchRun, slotsOf } from '../match/fleet.ts'
import { forecastRuns } from '../match/forecast.ts'
import { type Given, matchFleet } from '../match/match-fleet.ts'
import { addTrial, fitPace, noPace, type PaceSums } from '../pace.ts'

/** A run of a simulated queue: each of its trials takes a log-normal time that is drawn when it begins. */
export type QueuedRun = { run: MatchRun; trials: number; arrives_s: number; median_s: number; spread: number }
/** What was expected of a run when a tenth of it was done, and what came; seconds since the queue began. */
export type Seen = { run_id: string; asked_s: number; expected_s: number | null; ended_s: number }

/** How often the fleet is dealt anew, in seconds. */
const dealS = 2

type Begun = { since_s: number; ends_s: number }
type State = QueuedRun & { open: number; pending: number; sums: PaceSums; begun: Begun[]; seen: Seen | null }

/**
 * Plays a queue trial by trial with the fleet's own dealing. Agents finish a trial that they have begun, whatever they are given next. When a
 * tenth of a run is done the forecast is asked once, knowing only what a service knows then.
 */
export function playQueue(queued: readonly QueuedRun[], agents: readonly MatchAgent[], random: () => number): Seen[] {
  const states = new Map<string, State>()
  const coming = [...queued].sort((a, b) => a.arrives_s - b.arrives_s)
  let given: Given = new Map()
  const openStates = (): State[] => [...states.values()].filter(({ open }) => open > 0)
  const matchRuns = (): MatchRun[] => openStates().map(({ run, open }) => ({ ...run, parts: run.parts.map((part) => ({ ...part, open })) }))
  const slots = (run_id: string): number =>
    [...given.values()].flat().reduce((sum, one) => sum + (one.run_id === run_id ? slotsOf(one.shares) : 0), 0)
  const begin = (state: State, room: number, at_s: number): void => {
    for (; room > 0 && state.pending > 0; room--, state.pending--)
      state.begun.push({ since_s: at_s, ends_s: at_s + state.median_s * Math.exp(state.spread * normal(random)) })
  }
  const endTrials = (state: State, now_s: number): void => {
    const most = slots(state.run.run_id)
    for (
      let ended = state.begun.filter((one) => one.ends_s <= now_s);
      ended.length > 0;
      ended = state.begun.filter((one) => one.ends_s <= now_s)
    )
      for (const one of ended) {
        state.begun.splice(state.begun.indexOf(one), 1)
        state.open--
        state.sums = addTrial(state.sums, one.ends_s - one.since_s)
        begin(state, Math.min(1, most - state.begun.length), one.ends_s)
        if (state.open === 0 && state.seen) state.seen.ended_s = one.ends_s
      }
  }
  const expect = (run_id: string, now_s: number): number | null => {
    const workOf = (run: MatchRun) => {
      const { open, sums, begun } = states.get(run.run_id)!
      return {
        open,
        pace: fitPace(
          sums,
          begun.map(({ since_s }) => now_s - since_s),
        ),
      }
    }
    const { ends_s } = forecastRuns(matchRuns(), agents, workOf, (one) => slots(one) > 0).get(run_id)!
    return ends_s === null ? null : now_s + ends_s
  }
  for (let now_s = 0; coming.length > 0 || openStates().length > 0; now_s += dealS) {
    for (let next = coming[0]; next && next.arrives_s <= now_s; next = coming[0]) {
      states.set(next.run.run_id, { ...next, open: next.trials, pending: next.trials, sums: noPace, begun: [], seen: null })
      coming.shift()
    }
    for (const state of openStates()) endTrials(state, now_s)
    given = matchFleet(matchRuns(), agents, given)
    for (const state of openStates()) {
      begin(state, slots(state.run.run_id) - state.begun.length, now_s)
      if (state.seen || state.open > state.trials * 0.9) continue
      const { run_id } = state.run
      state.seen = { run_id, asked_s: now_s, expected_s: expect(run_id, now_s), ended_s: now_s }
    }
  }
  return [...states.values()].flatMap(({ seen }) => seen ?? [])
}

/** A standard normal value (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
