import type { Resources, SandboxKind } from '#shared/contract/resources.ts'
import { announceResources, type SandboxProbe } from '../announce-resources.ts'
import type { LaneRooms, SandboxLane } from '../lanes/lanes.ts'
import type { MachineHost, OpenedMachines } from '../machine/machine-host.ts'
import type { MachineProvider, SandboxesOfKind } from '../trial/resources.ts'
import type { OpenedHost, SandboxHost } from './sandbox-host.ts'
import { roomOf } from './sandbox-room.ts'

/** What an agent has for sandboxes: what it may announce, what it can open of that, and how much of it at once. */
export type AgentSandboxes = {
  resources: Resources
  sandboxes: readonly SandboxesOfKind[]
  /** Null where there is no engine for them, or it does not hold what it must. */
  machines: MachineProvider | null
  rooms: LaneRooms
  /** Tries what did not hold once more; what holds stays open and is not tried again. Null where all of it held. */
  again: (() => Promise<AgentSandboxes>) | null
  /** Releases what the kinds share. The sandboxes themselves are closed before, by who opened them. */
  close(): Promise<void>
}

/** An agent that opens none. */
export const noSandboxes: Pick<AgentSandboxes, 'sandboxes' | 'machines' | 'rooms'> = { sandboxes: [], machines: null, rooms: {} }

/** How to try the kinds that are there; what is not there is neither tried nor mentioned. */
export const probesOf = (hosts: readonly Pick<SandboxHost, 'absence' | 'probe'>[]): SandboxProbe[] =>
  hosts.filter((host) => host.absence() === null).map(({ probe }) => probe)

/**
 * Tries every kind that is there, and opens those that held, once each. One that cannot be opened after all is announced as not proved. What is not
 * there is neither tried nor mentioned. Never throws for what a kind does.
 */
export async function openSandboxes(
  hosts: readonly SandboxHost[],
  dataDir: string,
  machineHost: MachineHost | null = null,
  held: Held = { opened: new Map(), details: new Map(), machines: null },
): Promise<AgentSandboxes> {
  const { opened } = held
  const there = hosts.filter((host) => host.absence() === null)
  const once = (probe: SandboxProbe, open: () => Promise<void>) => opening(probe, open, held.details)
  const probes = there.map(({ kind, probe, create }) => once(probe, async () => void opened.set(kind, await create())))
  const ofMachines =
    machineHost && machineHost.absence() === null
      ? [
          once(machineHost.probe, async () => {
            held.machines = await machineHost.create()
          }),
        ]
      : []
  const resources = await announceResources(dataDir, [...probes, ...ofMachines])
  const lane = new Map<SandboxKind, SandboxLane>(there.map(({ kind, probe }) => [kind, probe.pool === null ? 'sandbox' : 'elsewhere']))
  if (machineHost) lane.set('machine', 'sandbox')
  const rooms = Object.fromEntries(resources.sandboxes.map((pool) => [lane.get(pool.kinds[0]!)!, roomOf(pool)]))
  return {
    resources,
    sandboxes: there.flatMap(({ kind }) => {
      const provider = opened.get(kind)
      return provider ? [{ kind, lane: lane.get(kind)!, provider }] : []
    }),
    machines: held.machines,
    rooms,
    again: resources.proofs.every(({ ok }) => ok) ? null : () => openSandboxes(hosts, dataDir, machineHost, held),
    close: async () =>
      void (await Promise.all([...opened.values(), ...(held.machines ? [held.machines] : [])].map((host) => host.close()))),
  }
}

/** What is open by now, and what its proof said. */
type Held = { opened: Map<SandboxKind, OpenedHost>; details: Map<SandboxKind, string>; machines: OpenedMachines | null }

/** The same probe, which opens what held; what is open already is not tried. */
const opening = (probe: SandboxProbe, open: () => Promise<void>, details: Map<SandboxKind, string>): SandboxProbe => ({
  kind: probe.kind,
  probed: probe.probed,
  get pool() {
    return probe.pool // a service elsewhere tells it when it is tried
  },
  async probe() {
    const known = details.get(probe.kind)
    if (known !== undefined) return known
    const found = await probe.probe()
    await open()
    details.set(probe.kind, found)
    return found
  },
})
