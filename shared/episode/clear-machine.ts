import type { Outcome } from '../contract/failure.ts'
import type { TaskStep } from '../harbor/task.ts'
import type { Machine } from '../solvers/machine.ts'
import { makeRoom, putTests, type Used } from './grade-tests.ts'
import { machineGone } from './machine-spec.ts'
import { listTools, toolsReplaced, unpacksAsBefore } from './machine-tools.ts'
import { emptyRewards, isRewarded, mostReward, readRewards } from './reward-files.ts'
import { clean, hasSign, type Signs } from './tampering.ts'

/** Signs of what stood where tests and reward belong, or came there again at once; and whether the machine can be trusted to unpack what it is given. */
export type Cleared = { signs: Signs; unpacks: boolean }

/** A machine where nobody has worked. */
export const fresh: Cleared = { signs: clean, unpacks: true }

/** Makes room for tests and reward in a machine where somebody worked. */
export async function clearMachine(machine: Machine, used: Used): Promise<Outcome<Cleared>> {
  const before = await readRewards(machine)
  if (!before.ok) return before
  const places = ['/solution', ...(used.own_tests ? [] : ['/tests'])]
  const tools = await listTools(machine, {
    first: { command: `${emptyRewards} && rm -rf ${places.join(' ')}`, what: 'make room for the tests' },
  })
  if (!tools.ok) return tools
  const after = await readRewards(machine)
  if (!after.ok) return after
  const left = used.own_tests ? null : await machine.download('/tests', mostReward)
  const replaced = toolsReplaced(used.tools, tools.value)
  const signs: Signs = {
    ...clean,
    'reward-before-tests': isRewarded(before.value),
    'tests-changed': left !== null && (left.ok || left.reason !== 'absent'),
    'tools-replaced': replaced,
    // A tool that was replaced may have written it when it was looked at.
    'processes-stayed': isRewarded(after.value) && !replaced,
  }
  return { ok: true, value: { signs, unpacks: !hasSign(signs) && unpacksAsBefore(used.tools, tools.value) } }
}

/** How long a probe lies there. Who writes rewards of its own does it at once, or the tests would be over before. */
const probe_seconds = 0.3
const probed = '0\n'

/**
 * Whether something in a machine changes a reward that it did not earn: a 0 is put where the tests, which are in place, will put theirs, and has to be
 * there a moment later as it was. The place is empty again afterwards.
 */
export async function forgesRewards(machine: Machine, step: TaskStep): Promise<Outcome<boolean>> {
  const put = await putTests(machine, step)
  if (!put.ok) return put
  const command = `printf '${probed.replace('\n', '\\n')}' > /logs/verifier/reward.txt && sleep ${probe_seconds}`
  const waited = await machine.exec({ argv: ['sh', '-c', command], user: 'root', timeout_ms: 60_000, head_bytes: 1000, tail_bytes: 0 })
  if (waited.end === 'unavailable') return machineGone('take a probe', waited.end)
  const found = await readRewards(machine)
  if (!found.ok) return found
  const emptied = await makeRoom(machine)
  if (!emptied.ok) return emptied
  const { json, text } = found.value
  return { ok: true, value: json !== undefined || !(text instanceof Uint8Array) || new TextDecoder().decode(text) !== probed }
}
