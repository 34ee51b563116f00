import { type GradedStep, mostTerminalOutput } from '../contract/evidence/reward.ts'
import type { Outcome } from '../contract/failure.ts'
import { scoreOf } from '../harbor/read-reward.ts'
import type { TaskStep } from '../harbor/task.ts'
import type { Kit } from '../solvers/kit.ts'
import type { Machine, MachineExec, MachineExecResult } from '../solvers/machine.ts'
import type { Tools } from '../solvers/machine-sight.ts'
import { openOutputScreen } from '../terminal/output-screen.ts'
import type { Cleared } from './clear-machine.ts'
import { gradePane, type PaneVerdict } from './grade-pane.ts'
import { envOf, machineGone, userOf } from './machine-spec.ts'
import { emptyRewards, gradeOf, isRewarded, readRewards, rewardFiles } from './reward-files.ts'
import { filesChanged, signsOf } from './tampering.ts'
import { mostVerifications, networkTrouble } from './verifier-network.ts'
import { keepLog, keptOutput } from './worker.ts'

/** What a verifier made of a step. */
export type Verified = Pick<GradedStep, 'rewards' | 'problem' | 'ignored' | 'tampering' | 'verifier' | 'left_running'>

/**
 * A machine somebody worked in: the tools it had before, whether its image had a `/tests`, and whether more steps of the task come after this one.
 */
export type Used = { tools: Tools; own_tests: boolean; goes_on: boolean }

/** What verifying takes of a kit. */
export type VerifierKit = Pick<Kit, 'now' | 'wait' | 'keep' | 'progress' | 'show'> & { transcript: Pick<Kit['transcript'], 'note'> }

/**
 * `used`: null where the machine is fresh. `log`: the name of the artifact that gets what the verifier wrote. `online`: whether the machine has a network that can fail.
 */
export type Verification = {
  step: TaskStep
  machine: Machine
  kit: VerifierKit
  given: ReadonlyMap<string, string>
  online: boolean
  used: Used | null
  log: string
}

/** What becomes of the processes that run in a machine when its tests are over: those that end may not have written the reward before. */
export type Afterwards = 'end-processes' | 'leave-processes' | 'nobody-else'

/**
 * Runs a step's tests and reads the reward. Tests that the network failed are run again, and fail as the sandbox does when it goes on: a missing
 * network is no score.
 */
export async function gradeTests(at: Verification, before: Cleared, afterwards: Afterwards): Promise<Outcome<Verified>> {
  const { verdict } = at.step.verifier
  // A session that shows one run of the tests already cannot show another.
  const most = verdict.type === 'pane' && verdict.same_shell ? 1 : mostVerifications
  for (let run = 1; ; run++) {
    const graded = await gradeOnce(at, before, afterwards)
    if (!graded.ok) return graded
    const { verified, said } = graded.value
    const trouble = at.online && isInDoubt(verified) ? networkTrouble(said) : null
    if (trouble === null) return { ok: true, value: verified }
    at.kit.transcript.note(`The network failed the tests (run ${run} of ${most} at most): ${trouble}`)
    if (run >= most) return offline(trouble, most)
    const emptied = await makeRoom(at.machine)
    if (!emptied.ok) return emptied
  }
}

/** Takes away what lies where rewards belong. */
export async function makeRoom(machine: Machine): Promise<Outcome<null>> {
  const argv = ['sh', '-c', emptyRewards] as const
  const { end, exit_code } = await machine.exec({ argv, user: 'root', timeout_ms: 60_000, head_bytes: 1000, tail_bytes: 0 })
  return end === 'exited' && exit_code === 0 ? { ok: true, value: null } : machineGone('make room for the tests', end)
}

/** Puts a step's tests in place, over what is there. */
export async function putTests(machine: Machine, { verifier }: TaskStep): Promise<Outcome<null>> {
  const put = testFiles(verifier)
  if (put.length === 0) return { ok: true, value: null }
  const written = await machine.upload('/tests', put)
  return written === 'written' ? { ok: true, value: null } : machineGone('take the tests', written)
}

const testFiles = ({ tests, script }: TaskStep['verifier']) =>
  tests.map((file) => (file.path === script ? { ...file, mode: file.mode | 0o111 } : file))

/** Whether a network that failed may have cost something: a full reward needed none, and who tampered is not spared by it. */
const isInDoubt = ({ rewards, tampering }: Verified): boolean => tampering.length === 0 && (rewards === null || scoreOf(rewards) !== 1)

function offline(trouble: string, runs: number): Outcome<never> {
  const detail = `The tests could not reach the network in ${runs} runs, so nothing was scored: ${trouble}. Whoever runs this agent has to let its machines reach what tests download (package servers, astral.sh, PyPI, GitHub).`
  return { ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable: true, status: null, detail } }
}

/** What tests came to in one run: `said` is what they wrote, beginning and end; `later`: the reward was written again by something else. */
type Graded = { result: Pick<Verified, 'rewards' | 'problem' | 'ignored'>; verifier: Verified['verifier']; said: string; later: boolean }

/** One run of the tests; `said` is what they wrote, beginning and end. */
async function gradeOnce(
  at: Verification,
  { signs, unpacks }: Cleared,
  afterwards: Afterwards,
): Promise<Outcome<{ verified: Verified; said: string }>> {
  const { step, machine } = at
  const { verdict } = step.verifier
  const tests = testFiles(step.verifier)
  const byCommand = verdict.type === 'reward' && unpacks && tests.length > 0
  const put = byCommand ? { ok: true as const } : await putTests(machine, step)
  if (!put.ok) return put
  const graded =
    verdict.type === 'pane'
      ? await fromPane(at, verdict)
      : await fromReward(at, afterwards, byCommand ? { path: '/tests', files: tests } : undefined)
  if (!graded.ok) return graded
  const { result, verifier, said, later } = graded.value
  const tampering = signsOf({
    ...signs,
    'reward-after-tests': signs['reward-after-tests'] || later,
    'tests-changed': signs['tests-changed'] || (tests.length > 0 && (await filesChanged(machine, '/tests', tests))),
  })
  return { ok: true, value: { verified: { ...result, tampering, verifier }, said } }
}

async function fromPane(at: Verification, verdict: PaneVerdict): Promise<Outcome<Graded>> {
  const shown = await gradePane({ ...at, had_tmux: at.used?.tools.listed?.has('tmux') ?? false }, verdict)
  if (!shown.ok) return shown
  const { result, pane } = shown.value
  const verifier = { exit_code: null, output: excerpt(new TextEncoder().encode(pane), new Uint8Array(), 0) }
  return { ok: true, value: { result, verifier, said: pane, later: false } }
}

async function fromReward(at: Verification, afterwards: Afterwards, put: MachineExec['put']): Promise<Outcome<Graded>> {
  const ran = await runTests(at, put)
  if (!ran.ok) return ran
  const first = await readRewards(at.machine)
  if (!first.ok) return first
  const later = afterwards === 'nobody-else' ? { ok: true as const, value: false } : await isWrittenLater(at.machine, afterwards)
  if (!later.ok) return later
  const { end, exit_code, head, tail, omitted_bytes } = ran.value
  const result = end === 'timeout' ? { rewards: null, problem: 'timeout' as const, ignored: [] } : gradeOf(first.value)
  const verifier = { exit_code, output: excerpt(head, tail, omitted_bytes) }
  const said = `${new TextDecoder().decode(head)}\n${new TextDecoder().decode(tail)}`
  return { ok: true, value: { result, verifier, said, later: later.value } }
}

/**
 * Whether a reward that was read and taken away comes again: something else than the tests, which are over, writes it. Where nothing runs any more, nothing
 * can, and to look costs less than to try.
 */
async function isWrittenLater(machine: Machine, afterwards: Exclude<Afterwards, 'nobody-else'>): Promise<Outcome<boolean>> {
  if (afterwards === 'end-processes') {
    const others = await machine.processes()
    if (others === null) return machineGone('tell its processes', 'unavailable')
    if (others.length === 0) return { ok: true, value: false }
  }
  const argv = ['sh', '-c', `rm -rf ${rewardFiles.join(' ')}`] as const
  const removed = await machine.exec({ argv, user: 'root', timeout_ms: 60_000, head_bytes: 1000, tail_bytes: 0 })
  if (removed.end === 'unavailable') return machineGone('take the reward away', removed.end)
  if (afterwards === 'end-processes' && !(await machine.endProcesses())) return machineGone('end its processes', 'unavailable')
  const again = await readRewards(machine)
  return again.ok ? { ok: true, value: isRewarded(again.value) } : again
}

async function runTests({ step, machine, kit, given, log }: Verification, put: MachineExec['put']): Promise<Outcome<MachineExecResult>> {
  const { script, user, env, timeout_ms } = step.verifier
  const output = openOutputScreen()
  kit.show({ every_ms: 200, look: output.look })
  const ran = await machine.exec({
    argv: ['bash', '-c', `/tests/${script}`],
    user: userOf(user),
    env: envOf(env, given),
    timeout_ms: Math.max(1, timeout_ms),
    put,
    ...keptOutput,
    onOutput: output.write,
  })
  if (ran.end === 'unavailable') return machineGone('run the tests', ran.end)
  const kept = await keepLog(kit, log, [ran.head, ran.tail], ran.omitted_bytes)
  return kept.ok ? { ok: true, value: ran } : kept
}

/** Beginning and end of an output as text, for evidence. */
export function excerpt(head: Uint8Array, tail: Uint8Array, omitted_bytes: number): string {
  const text =
    new TextDecoder().decode(head) + (omitted_bytes > 0 ? `\n[${omitted_bytes} bytes left out]\n` : '') + new TextDecoder().decode(tail)
  if (text.length <= mostTerminalOutput) return text
  const part = Math.floor((mostTerminalOutput - 60) / 2)
  return `${text.slice(0, part)}\n[${text.length - 2 * part} characters left out]\n${text.slice(-part)}`
}
