import { holdsSandbox, provedPools, type Resources } from '#shared/contract/resources.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { needsIn } from '#shared/run/match/match-run.ts'
import { sandboxText } from '#shared/run/needs-text.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import type { MachineHost } from './machine/machine-host.ts'
import { type AgentSandboxes, noSandboxes, openSandboxes } from './sandbox/open-sandboxes.ts'
import type { SandboxHost } from './sandbox/sandbox-host.ts'
import { readSandboxRoom } from './sandbox/sandbox-room.ts'

/** The sandboxes of a local run; what they share is released at its end. */
export type LocalSandboxes = Pick<AgentSandboxes, 'sandboxes' | 'machines' | 'rooms'> & AsyncDisposable

/**
 * The sandboxes of a local run, of the kinds that its benchmarks take; nothing is tried for one that only asks. Throws `RunRefused` where a benchmark
 * needs one that this machine does not have, with the reason and what to do.
 */
export async function openLocalSandboxes(
  spec: RunSpec,
  hosts: readonly SandboxHost[],
  dataDir: string,
  machines: MachineHost | null = null,
): Promise<LocalSandboxes> {
  const needing = spec.benchmarks.flatMap((planned) => {
    const { sandbox } = needsIn(planned)
    return sandbox ? [{ name: planned.name, sandbox }] : []
  })
  if (needing.length === 0) return { ...noSandboxes, [Symbol.asyncDispose]: async () => undefined }
  const fitting = hosts.filter(({ kind }) => needing.some(({ sandbox }) => sandbox.kinds.includes(kind)))
  const wanted = needing.some(({ sandbox }) => sandbox.kinds.includes('machine')) ? machines : null
  checkRoom()
  const opened = await openSandboxes(fitting, dataDir, wanted)
  const pools = provedPools(opened.resources)
  const without = needing.find(({ sandbox }) => !holdsSandbox(pools, sandbox))
  if (!without) return { ...opened, [Symbol.asyncDispose]: opened.close }
  await opened.close()
  const issue = `${without.name} needs ${sandboxText(without.sandbox)}, and this machine does not have it: ${hadText(opened.resources, [...fitting, ...(wanted ? [{ kind: 'machine' as const, absence: wanted.absence }] : [])])}.`
  throw new RunRefused('validation', '/selected_benchmarks', `${issue} bench doctor tells more.`, issue)
}

/** What the operator says of the room for sandboxes has to be read before any is tried. Throws `RunRefused`. */
function checkRoom(): void {
  try {
    readSandboxRoom(process.env)
  } catch (cause) {
    throw new RunRefused('validation', '/selected_benchmarks', (cause as Error).message, undefined, { cause })
  }
}

/** What there is instead, kind by kind. */
function hadText({ proofs, sandboxes }: Resources, hosts: readonly Pick<SandboxHost, 'kind' | 'absence'>[]): string {
  const texts = hosts.map(({ kind, absence }) => {
    const absent = absence()
    if (absent) return `${absent.why} (${absent.fix})`
    const proof = proofs.find((one) => one.kind === kind)
    if (proof && !proof.ok) return `${kind} is not proved (${proof.detail})`
    const pool = sandboxes.find(({ kinds }) => kinds.includes(kind))
    return pool ? `it has ${sandboxText({ ...pool, kinds: [kind] })}` : `${kind} is not there`
  })
  return texts.join('; ')
}
