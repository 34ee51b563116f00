import type { Outcome } from '../contract/failure.ts'
import { scoreOf } from '../harbor/read-reward.ts'
import type { TaskStep } from '../harbor/task.ts'
import type { Machine } from '../solvers/machine.ts'
import { clearMachine, forgesRewards, fresh } from './clear-machine.ts'
import { forgesPanes } from './grade-pane.ts'
import { gradeTests, makeRoom, type Used, type Verification, type Verified } from './grade-tests.ts'
import { leftRunning } from './left-running.ts'
import { machineGone } from './machine-spec.ts'
import { clean, eitherSign, hasSign, type Signs } from './tampering.ts'

/**
 * Grades a step as Harbor does: whatever the exit code of its tests, `reward.json` before `reward.txt`. In a machine where somebody worked what lies where
 * rewards and tests belong is taken away, the tests come last, and a reward that is taken away must not come again. Signs of tampering are told, not
 * hidden: what they mean is the scorer's.
 *
 * A service may be what a task asks for, so what still runs goes on running while the tests run, as in Harbor, unless it was seen to tamper, and a reward
 * that it did not earn must stay as it is. What was rewarded so is graded once more when all processes have ended, so that everybody sees whether they were needed.
 */
export async function verifyStep(at: Verification): Promise<Outcome<Verified>> {
  const { machine, used } = at
  if (used === null) return gradeTests(at, fresh, 'nobody-else')
  if (isInSameShell(at.step)) return gradeInShell(at, used)
  const left = await leftRunning(machine)
  if (!left.ok) return left
  const { commands, alone } = left.value
  if (alone) return gradeEmptied(at, used, clean)
  return commands.length === 0 ? gradeAlone(at, used, clean) : gradeBeside(at, used, commands)
}

const isInSameShell = ({ verifier: { verdict } }: TaskStep): boolean => verdict.type === 'pane' && verdict.same_shell

/** Grades in the session that was worked in, which has to live. */
async function gradeInShell(at: Verification, used: Used): Promise<Outcome<Verified>> {
  const cleared = await clearMachine(at.machine, used)
  return cleared.ok ? gradeTests(at, cleared.value, 'leave-processes') : cleared
}

/** Grades when all processes have ended; `seen`: signs there have been of them. */
async function gradeAlone(at: Verification, used: Used, seen: Signs): Promise<Outcome<Verified>> {
  const ended = await endProcesses(at.machine)
  return ended.ok ? gradeEmptied(at, used, seen) : ended
}

/** Grades in a machine where nothing runs any more. */
async function gradeEmptied(at: Verification, used: Used, seen: Signs): Promise<Outcome<Verified>> {
  const cleared = await clearMachine(at.machine, used)
  if (!cleared.ok) return cleared
  const { signs, unpacks } = cleared.value
  return gradeTests(at, { signs: eitherSign(seen, signs), unpacks }, 'end-processes')
}

/** Grades beside what was left running, where no sign of tampering was seen. */
async function gradeBeside(at: Verification, used: Used, commands: string[]): Promise<Outcome<Verified>> {
  const { machine, kit } = at
  const cleared = await clearMachine(machine, used)
  if (!cleared.ok) return cleared
  const { signs } = cleared.value
  const forges = hasSign(signs) ? { ok: true as const, value: false } : await forgesVerdict(at)
  if (!forges.ok) return forges
  const comes_again = signs['processes-stayed']
  const seen: Signs = {
    ...signs,
    'reward-before-tests': signs['reward-before-tests'] || comes_again,
    'reward-after-tests': forges.value,
    'processes-stayed': false, // nobody has tried to end them
  }
  if (hasSign(seen)) {
    const emptied = await endAndMakeRoom(machine)
    return emptied.ok ? gradeAlone(at, used, seen) : emptied
  }
  kit.transcript.note(`Processes were left running, and run while the tests do: ${commands.join('; ')}`)
  const beside = await gradeTests(at, { signs: seen, unpacks: false }, 'leave-processes')
  if (!beside.ok) return beside
  const left = (needed: boolean | null): Outcome<Verified> => ({ ok: true, value: { ...beside.value, left_running: { commands, needed } } })
  if (used.goes_on || beside.value.tampering.length > 0 || earned(beside.value) === 0) return left(null)
  kit.progress('Verifier, once more without what was left running')
  const emptied = await endAndMakeRoom(machine)
  if (!emptied.ok) return emptied
  const alone = await gradeTests(
    { ...at, online: false, log: at.log.replace(/(\.\w+)?$/, '-alone$1') },
    { signs: clean, unpacks: false },
    'end-processes',
  )
  if (!alone.ok) return alone
  return left(earned(alone.value) < earned(beside.value))
}

/** Whether something in the machine says what the tests have to say: in the file of the reward, or at a terminal. */
function forgesVerdict({ machine, step, kit }: Verification): Promise<Outcome<boolean>> {
  const { verdict } = step.verifier
  return verdict.type === 'pane' ? forgesPanes({ step, machine, kit }, verdict) : forgesRewards(machine, step)
}

async function endAndMakeRoom(machine: Machine): Promise<Outcome<null>> {
  const ended = await endProcesses(machine)
  return ended.ok ? makeRoom(machine) : ended
}

const earned = ({ rewards }: Verified): number => (rewards === null ? 0 : (scoreOf(rewards) ?? 0))

const endProcesses = async (machine: Machine): Promise<Outcome<null>> =>
  (await machine.endProcesses()) ? { ok: true, value: null } : machineGone('end its processes', 'unavailable')
