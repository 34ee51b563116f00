import { proofsOf } from '#fleet/announce-resources.ts'
import { checkContract } from '#fleet/sandbox/check-contract.ts'
import type { SandboxHost } from '#fleet/sandbox/sandbox-host.ts'
import type { Check } from './checks.ts'

const needed_for = 'benchmarks that run code'

/**
 * The same kinds of sandbox, each tried once for everybody who asks: its proof as an agent makes it, then the whole contract. Throws with what does not hold of
 * either.
 */
export function triedOnce(hosts: readonly SandboxHost[], signal: AbortSignal): SandboxHost[] {
  return hosts.map((host) => {
    let tried: Promise<string> | undefined
    const { probe } = host
    const tellOnce = async (): Promise<string> => {
      const [proof] = await proofsOf([probe])
      if (!proof!.ok) throw new Error(proof!.detail)
      return `${await tell(host, signal)}; ${proof!.detail}`
    }
    return {
      ...host,
      probe: {
        kind: probe.kind,
        probed: probe.probed,
        get pool() {
          return probe.pool
        },
        probe: () => (tried ??= tellOnce()),
      },
    }
  })
}

/** Every kind of sandbox of `triedOnce` that is there; where none is there, what would bring one. */
export function sandboxChecks(hosts: readonly SandboxHost[]): Check[] {
  const there = hosts.filter((host) => host.absence() === null)
  if (there.length > 0)
    return there.map((host) => ({ name: `sandbox ${host.kind}`, needed_for, fix: host.fix, look: () => host.probe.probe() }))
  const absent = hosts.flatMap((host) => host.absence() ?? [])
  return [
    {
      name: 'sandbox',
      needed_for,
      fix: absent.map(({ fix }) => fix).join('; or '),
      look: () => Promise.reject(new Error(absent.map(({ why }) => why).join('; '))),
    },
  ]
}

async function tell(host: SandboxHost, signal: AbortSignal): Promise<string> {
  const { held, broken } = await checkContract(host, signal)
  if (broken.length === 0) return `all ${held.length} rules of the contract hold (${held.join(', ')})`
  const [first] = broken
  const others = broken.slice(1).map(({ rule }) => rule)
  throw new Error(
    `${held.length} of ${held.length + broken.length} rules of the contract hold, but not ${first!.rule} (${first!.name}: ${first!.why})${others.length > 0 ? `, ${others.join(', ')}` : ''}`,
  )
}
