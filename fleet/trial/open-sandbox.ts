import type { Failure, Outcome } from '#shared/contract/failure.ts'
import { count } from '#shared/metrics/number-text.ts'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import { type Amount, BeyondPool, type Release } from '../lanes/lane.ts'
import type { TrialResources } from './resources.ts'

/**
 * Opens sandboxes for one trial, each within the agent's room for them: the first waits for its turn, and `waiting` is called around that; a
 * further one is there at once or not at all, as trials that hold some while they wait for more could wait for each other. All of it is given
 * back when `opened` is disposed of, the sandbox before its room. Throws the signal's reason when the trial is given up while it waits.
 */
export function createSandboxes(
  { sandboxes, lanes }: Pick<TrialResources, 'sandboxes' | 'lanes'>,
  opened: AsyncDisposableStack,
  waiting: () => () => void,
  signal: AbortSignal,
): (spec: SandboxSpec) => Promise<Outcome<Sandbox>> {
  let first: Promise<Release> | undefined
  const enter = async ({ cpus, memory_mb, disk_mb }: SandboxSpec): Promise<Release | null> => {
    if (!lanes) return () => undefined
    const weight = { cpus, memory_mb, disk_mb }
    const holds = await first?.then(
      () => true,
      () => false,
    )
    if (holds) return lanes.more('sandbox', weight)
    first = lanes.enter('sandbox', weight, signal).finally(waiting())
    return first
  }
  return async (spec) => {
    if (!sandboxes) return failed(true, 'This agent has no sandbox: the trial needs another agent.')
    try {
      const leave = await enter(spec)
      if (!leave) return failed(true, `There is no room for another sandbox of ${roomText(spec)} beside those that the trial has.`)
      opened.defer(leave)
    } catch (error) {
      if (!(error instanceof BeyondPool)) throw error
      return failed(false, `A sandbox of ${roomText(spec)} is more than this agent has for sandboxes: ${roomText(error.pool)}.`)
    }
    const sandbox = await sandboxes.open(spec, signal)
    if (sandbox.ok) opened.use(sandbox.value)
    return sandbox
  }
}

const roomText = ({ cpus = 0, memory_mb = 0, disk_mb = 0 }: Amount | SandboxSpec): string =>
  `${cpus} CPUs, ${count(memory_mb)} MB of memory and ${count(disk_mb)} MB of disk`

function failed(retryable: boolean, detail: string): { ok: false; failure: Failure } {
  return { ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable, status: null, detail } }
}
