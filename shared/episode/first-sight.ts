import type { Outcome } from '../contract/failure.ts'
import type { Machine } from '../solvers/machine.ts'
import type { MachineSight } from '../solvers/machine-sight.ts'
import { handOverPlace } from './log-places.ts'
import { listTools } from './machine-tools.ts'

/**
 * What a machine has before anybody works in it. It is looked at once for all machines that began alike; `isChanged`: something was done in this one since, so
 * that it is like no other.
 */
export async function firstSight(machine: Machine, isChanged: boolean): Promise<Outcome<MachineSight>> {
  const alike = isChanged ? undefined : machine.alike
  if (alike?.sight) return { ok: true, value: alike.sight }
  const tests = await machine.download('/tests', 1)
  const tools = await listTools(machine, { folders: [handOverPlace] })
  if (!tools.ok) return tools
  const sight = { tools: tools.value, own_tests: tests.ok || tests.reason !== 'absent' }
  if (alike) alike.sight = sight
  return { ok: true, value: sight }
}
