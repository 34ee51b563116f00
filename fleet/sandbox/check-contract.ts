import { contractSpec, sandboxContract } from './sandbox.contract.ts'
import type { SandboxHost } from './sandbox-host.ts'

/** What came of the sandbox contract on one host: the rules that hold, and those that do not with the reason. */
export type ContractReport = { held: string[]; broken: { rule: string; name: string; why: string }[] }

/** Runs the whole contract against a host, one rule after the other. Throws where the host itself cannot be opened. */
export async function checkContract({ create }: Pick<SandboxHost, 'create'>, signal: AbortSignal): Promise<ContractReport> {
  const opened = await create()
  const report: ContractReport = { held: [], broken: [] }
  try {
    for (const { rule, name, check } of sandboxContract) {
      signal.throwIfAborted()
      const why = await check((changes = {}, given = signal) => opened.open({ ...contractSpec, ...changes }, given)).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]!,
      )
      if (why === null) report.held.push(rule)
      else report.broken.push({ rule, name, why })
    }
  } finally {
    await opened.close()
  }
  return report
}
