import type { ExecResult, SandboxSpec } from '#shared/solvers/sandbox.ts'
import { allAttacks } from '../../fleet/sandbox/all-attacks.ts'
import { type Attack, type Canary, contractRows, isContained } from '../../fleet/sandbox/attacks.ts'
import type { Architecture } from '../../fleet/sandbox/bubblewrap/syscalls.ts'
import type { LocalKind } from '../../fleet/sandbox/open-local.ts'
import { contractSpec, sandboxContract } from '../../fleet/sandbox/sandbox.contract.ts'
import type { SandboxProvider } from '../../fleet/trial/resources.ts'
import { badLimitsRow, type Cell } from './matrix.ts'

export type Tried = { kind: LocalKind; provider: SandboxProvider; canary: Canary; reached: readonly string[]; rows: readonly number[] }

/** Tries on one kind of sandbox every attack of these rows, one after the other, each in a sandbox of its own. */
export async function tryAttacks({ kind, provider, canary, reached, rows }: Tried, onCell: (cell: Cell) => void): Promise<Cell[]> {
  const cells: Cell[] = []
  const open = (changes: Partial<SandboxSpec> = {}, signal = new AbortController().signal) =>
    provider.open({ ...contractSpec, ...changes }, signal)
  const add = async (row: number, name: string, attempt: () => Promise<string | null>): Promise<void> => {
    const why = await attempt().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    const cell: Cell = {
      row,
      name,
      kind,
      verdict: why === null ? 'contained' : 'open',
      why: why?.replaceAll('\n', '; ').slice(0, 200) ?? '',
    }
    cells.push(cell)
    onCell(cell)
  }
  for (const attack of allAttacks.filter(({ row }) => rows.includes(row)))
    await add(attack.row, attack.name, async () => {
      const outcome = await open()
      if (!outcome.ok) throw new Error(outcome.failure.detail)
      await using box = outcome.value
      const before = reached.length
      const argv = attack.program(canary, process.arch as Architecture, kind)
      const became = await box.exec({ argv, timeout_ms: attack.timeout_ms ?? 60_000, output_bytes: 65_536 })
      if (reached.length > before) return `it reached ${reached.slice(before).join(' and ')} on this machine`
      return isContained(attack, became) ? null : describe(attack, became)
    })
  for (const [row, rules] of Object.entries(contractRows))
    for (const { rule, name, check } of sandboxContract.filter((one) => rules.includes(one.rule) && rows.includes(Number(row))))
      await add(Number(row), `${rule}: ${name.slice(0, 70)}`, async () => {
        await check(open)
        return null
      })
  if (rows.includes(badLimitsRow))
    await add(badLimitsRow, 'limits of 0, below it, no number, 2^63', async () => {
      for (const limit of ['cpus', 'memory_mb', 'disk_mb'])
        for (const value of [0, -1, Number.NaN, 2 ** 63, Number.POSITIVE_INFINITY]) {
          const outcome = await open({ [limit]: value })
          if (outcome.ok) await outcome.value[Symbol.asyncDispose]()
          if (outcome.ok || outcome.failure.reason !== 'denied') return `${limit} ${value} was not refused`
        }
      return null
    })
  return cells
}

function describe({ ends }: Attack, { end, exit_code, stdout }: ExecResult): string {
  const got = new TextDecoder().decode(stdout).match(/^OPEN.*$/gm)
  return got ? got.slice(0, 5).join('; ') : `it ended as ${end}${exit_code === null ? '' : ` ${exit_code}`}, not as ${ends.join(' or ')}`
}
