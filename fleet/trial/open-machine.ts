import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { SandboxNeeds } from '#shared/contract/resources.ts'
import { count } from '#shared/metrics/number-text.ts'
import type { Machine, MachineSpec } from '#shared/solvers/machine.ts'
import { roomBeside } from '#shared/solvers/machine-services.ts'
import { BeyondPool, type Release } from '../lanes/lane.ts'
import { weightOf } from '../sandbox/sandbox-room.ts'
import type { SandboxTrial } from '../sandbox/trial-name.ts'
import type { TrialResources } from './resources.ts'

/** What a machine takes of its disk's limit as a rule: images are shared, and tasks name limits that none of them comes near. */
const partOfLimit = 1 / 10

/**
 * Opens machines for one trial, each within the agent's room for sandboxes. One that finds the trial with none waits for its turn, and `waiting` is called
 * around that; a further one beside it is there at once or not at all, as trials that hold some while they wait for more could wait for each other.
 * Sizes that a task leaves open are those of its card, `needs`; of a disk's limit a part is taken. All is given back when `opened` is disposed of; one that is stopped gives its room back
 * then. Throws the signal's reason when the trial is given up while it waits.
 */
export function createMachines(
  { machines, lanes, trial }: Pick<TrialResources, 'machines' | 'lanes'> & { trial?: SandboxTrial | undefined },
  needs: Pick<SandboxNeeds, 'cpus' | 'memory_mb' | 'disk_mb'>,
  opened: AsyncDisposableStack,
  waiting: () => () => void,
  signal: AbortSignal,
): (spec: MachineSpec) => Promise<Outcome<Machine>> {
  let held = 0
  const enter = async (spec: MachineSpec): Promise<Release | null> => {
    if (!lanes) return () => undefined
    const disk_mb = spec.storage_mb === null ? needs.disk_mb : spec.storage_mb * partOfLimit
    const beside = roomBeside(spec.services)
    const [cpus, memory_mb] = [(spec.cpus ?? needs.cpus) + beside.cpus, (spec.memory_mb ?? needs.memory_mb) + beside.memory_mb]
    const weight = weightOf('machine', { cpus, memory_mb, disk_mb })
    if (held > 0) return lanes.more('sandbox', weight)
    const there = lanes.now('sandbox', weight)
    if (there) return there
    const turn = lanes.enter('sandbox', weight, signal).finally(waiting())
    for (const image of [spec.image, ...(spec.services?.others ?? []).map((service) => service.image)]) machines?.warm?.(image, signal)
    return turn
  }
  return async (spec) => {
    if (!machines) return failed(true, 'This agent has no Docker engine for machines of tasks: the trial needs another agent.')
    let leave: Release | null
    try {
      leave = await enter(spec)
    } catch (error) {
      if (!(error instanceof BeyondPool)) throw error
      return failed(false, `The task's machine is more than this agent has for sandboxes: ${poolText(error.pool)}.`)
    }
    if (!leave) return failed(true, 'There is no room for another machine beside the one that the trial has.')
    held++
    const release = once(leave, () => held--)
    opened.defer(release)
    const machine = await machines.open(spec, signal, trial)
    if (!machine.ok) {
      release()
      return machine
    }
    opened.use(machine.value)
    const stop = async (): Promise<void> => {
      await machine.value.stop()
      release()
    }
    return { ok: true, value: { ...machine.value, stop } }
  }
}

function once(leave: Release, after: () => void): Release {
  let left = false
  return () => {
    if (left) return
    left = true
    leave()
    after()
  }
}

const poolText = ({ cpus = 0, memory_mb = 0, disk_mb = 0 }: Readonly<Record<string, number>>): string =>
  `${cpus} CPUs, ${count(memory_mb)} MB of memory, ${count(disk_mb)} MB of disk`

function failed(retryable: boolean, detail: string): { ok: false; failure: Failure } {
  return { ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable, status: null, detail } }
}
