import type { Outcome } from '../contract/failure.ts'
import type { TaskStep } from '../harbor/task.ts'
import type { Kit } from '../solvers/kit.ts'
import type { Verified, VerifierKit } from './grade-tests.ts'
import { giveArtifacts, type Taken } from './hand-over.ts'
import { machineSpecOf } from './machine-spec.ts'
import { verifyStep } from './verify-step.ts'

/** `log`: the name of the artifact that gets what the verifier wrote; `given`: values of variables that the task wants. */
export type ApartVerification = {
  step: TaskStep
  taken: readonly Taken[]
  kit: VerifierKit & Pick<Kit, 'machine'>
  given: ReadonlyMap<string, string>
  log: string
}

/**
 * Verifies a step in a fresh machine of the verifier's own, which gets what was handed over and nothing else. @throws where the task has no such place: the
 * caller's fault.
 */
export async function verifyApart({ step, taken, kit, given, log }: ApartVerification): Promise<Outcome<Verified>> {
  const { place, network } = step.verifier
  if (place.mode === 'shared') throw new Error('this step is verified in the machine that was worked in')
  // What a phase may reach is the verifier's own policy.
  const fresh = await kit.machine(machineSpecOf({ ...place.environment, network }, given))
  if (!fresh.ok) return fresh
  const put = await giveArtifacts(taken, fresh.value)
  if (!put.ok) return put
  const graded = await verifyStep({ step, kit, given, log, machine: fresh.value, online: network.mode !== 'no-network', used: null })
  await fresh.value.stop()
  return graded
}
