import { type Amount, createLane, type LaneState, type Release } from './lane.ts'

/** Where sandboxes take their room: on the agent's machine, or of what a service elsewhere lets it have. */
export type SandboxLane = 'sandbox' | 'elsewhere'
/** What trials of an agent pass through: `model` while one of its calls is under way, one of the others while it has a sandbox. */
export type LaneName = 'model' | SandboxLane
/** How much sandboxes may take together, by lane; nothing where it is left out. */
export type LaneRooms = Partial<Record<SandboxLane, Amount>>

/** The lanes as one run's trials see them. Whoever holds `model` must not wait for a sandbox; the other way round is the rule. */
export type Lanes = {
  /** Waits for room in a lane, fairly between runs, and takes `weight` of it until released. Throws as a lane's `enter` does. */
  enter(lane: LaneName, weight: Amount, signal: AbortSignal): Promise<Release>
  /** Takes what is free in a lane where nobody waits; null where there is none now. Throws as a lane's `free` does. */
  now(lane: LaneName, weight: Amount): Release | null
  /** Takes more of a lane for a trial that holds some of it; null where there is no room now. Throws as a lane's `more` does. */
  more(lane: LaneName, weight: Amount): Release | null
  /** Room for one call to an endpoint, once there is some. */
  call(endpoint: string, kind: CallKind, signal: AbortSignal): Promise<Release>
  /** The same where there is room now and nobody waits for it, as there nearly always is; else null. */
  callNow(endpoint: string, kind: CallKind): Release | null
}

/**
 * What kind of call it is. One `alone` is timed: it waits until no other call of this agent is under way there, and keeps others from beginning one.
 * `bound`: of those with this name no more than `most` are under way at the endpoint at once, whichever runs they are of.
 */
export type CallKind = { alone: boolean; bound: { name: string; most: number } | null }

/** A call of no special kind. */
export const plainCall: CallKind = { alone: false, bound: null }

/** An endpoint as a lane: more shares of it than there will ever be calls at once, so that one call can take all of them. */
const whole = 1_000_000
const all = { shares: whole }
const beside = { shares: 1 }
const oneCall = { calls: 1 }

/** The lanes of an agent, sized apart: so many calls at once, and the rooms for sandboxes. */
export function createLanes({ calls, ...rooms }: { calls: number } & LaneRooms) {
  const lanes = { model: createLane({ calls }), sandbox: createLane(rooms.sandbox ?? {}), elsewhere: createLane(rooms.elsewhere ?? {}) }
  const endpoints = new Map<string, ReturnType<typeof createLane>>()
  const laneOf = (key: string, pool: Amount): ReturnType<typeof createLane> => {
    const known = endpoints.get(key)
    if (known) return known
    const made = createLane(pool)
    endpoints.set(key, made)
    return made
  }
  /** What a call passes through, always in this order, so that no two wait for each other. */
  const wayOf = (endpoint: string, { alone, bound }: CallKind) => [
    ...(bound ? [{ lane: laneOf(JSON.stringify([endpoint, bound.name, bound.most]), { calls: bound.most }), weight: oneCall }] : []),
    { lane: laneOf(endpoint, all), weight: alone ? all : beside },
    { lane: lanes.model, weight: oneCall },
  ]
  return {
    /** The lanes for the trials of one run: runs take turns. */
    of: (run_id: string): Lanes => ({
      enter: (lane, weight, signal) => lanes[lane].enter(run_id, weight, signal),
      now: (lane, weight) => lanes[lane].free(weight),
      more: (lane, weight) => lanes[lane].more(weight),
      async call(endpoint, kind, signal) {
        const taken: Release[] = []
        try {
          for (const { lane, weight } of wayOf(endpoint, kind)) taken.unshift(await lane.enter(run_id, weight, signal))
        } catch (error) {
          leaveAll(taken)
          throw error
        }
        return () => leaveAll(taken)
      },
      callNow(endpoint, kind) {
        const taken: Release[] = []
        for (const { lane, weight } of wayOf(endpoint, kind)) {
          const release = lane.free(weight)
          if (!release) {
            leaveAll(taken)
            return null
          }
          taken.unshift(release)
        }
        return () => leaveAll(taken)
      },
    }),
    /** Gives sandboxes these rooms, once it is known which kinds of them there are. */
    widen(rooms: LaneRooms): void {
      lanes.sandbox.resize(rooms.sandbox ?? {})
      lanes.elsewhere.resize(rooms.elsewhere ?? {})
    },
    load: (): Record<LaneName, LaneState> => ({
      model: lanes.model.load(),
      sandbox: lanes.sandbox.load(),
      elsewhere: lanes.elsewhere.load(),
    }),
  }
}

function leaveAll(taken: readonly Release[]): void {
  for (const release of taken) release()
}

export type AgentLanes = ReturnType<typeof createLanes>
