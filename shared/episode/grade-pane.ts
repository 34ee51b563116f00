import type { Outcome } from '../contract/failure.ts'
import type { TaskStep, Verdict } from '../harbor/task.ts'
import type { Machine } from '../solvers/machine.ts'
import { isResolved } from '../terminal-bench-1/pytest-pane.ts'
import { readPane } from '../terminal-bench-1/read-pane.ts'
import { openTerminal, type Terminal } from '../terminus/terminal.ts'
import type { Verified, VerifierKit } from './grade-tests.ts'
import { userOf } from './machine-spec.ts'
import { keepLog } from './worker.ts'

/** A verdict that a terminal shows. */
export type PaneVerdict = Extract<Verdict, { type: 'pane' }>

type AtPane = { step: TaskStep; machine: Machine; kit: VerifierKit }

/**
 * Where tests run whose verdict a terminal shows. `had_tmux`: whether the image brought it, so that who worked must have taken it away where it is not there;
 * `log`: the artifact that gets the pane.
 */
export type PaneRun = AtPane & { log: string; had_tmux: boolean }

/** What became of them, and all that the terminal showed. */
export type PaneGrade = { result: Pick<Verified, 'rewards' | 'problem' | 'ignored'>; pane: string }

/**
 * Runs a step's tests in a terminal and reads their verdict from what it shows, as Terminal-Bench 0.2.18 does: a session of its own as root, or the one that was
 * worked in; resolved is where every test that is told has passed. A pane that tells of no test resolves nothing, where upstream takes an empty summary for a
 * full one.
 */
export async function gradePane(at: PaneRun, verdict: PaneVerdict): Promise<Outcome<PaneGrade>> {
  const { step, machine, kit, log, had_tmux } = at
  const { script, timeout_ms } = step.verifier
  const terminal = await openTests(at, verdict, !had_tmux)
  if (!terminal.ok) return had_tmux && (await answers(machine)) ? { ok: true, value: { pane: '', result: none('no-summary') } } : terminal
  kit.show({ every_ms: 1000, look: terminal.value.look })
  const ran = await terminal.value.sendBlocking(`bash /tests/${script}\n`, timeout_ms / 1000)
  if (!ran.ok) return ran
  const shown = await terminal.value.pane()
  if (!shown.ok) return shown
  const pane = shown.value
  const kept = await keepLog(kit, log, [new TextEncoder().encode(pane)], 0)
  if (!kept.ok) return kept
  return { ok: true, value: { pane, result: ran.value === 'sent' ? verdictOf(readPane(verdict.parser, pane)) : none('timeout') } }
}

/** How long a terminal is looked at in which nothing runs. Who writes to terminals does it at once, or the tests would be over before. */
const probe_ms = 300

/** Whether something in a machine writes verdicts to a terminal where no test has run. */
export async function forgesPanes(at: AtPane, verdict: PaneVerdict): Promise<Outcome<boolean>> {
  const terminal = await openTests(at, verdict, true)
  if (!terminal.ok) return { ok: true, value: false } // the tests will tell why
  await at.kit.wait(probe_ms)
  const shown = await terminal.value.pane()
  if (!shown.ok) return shown
  return { ok: true, value: isResolved(readPane(verdict.parser, shown.value)) || /short test summary info/i.test(shown.value) }
}

/** The session for the tests: anew, without one of its name that is there, or the one that was worked in. */
function openTests({ step, machine, kit }: AtPane, { same_shell }: PaneVerdict, install: boolean): Promise<Outcome<Terminal>> {
  return openTerminal({
    machine,
    clock: { now: kit.now, wait: kit.wait },
    harness: 'terminal-bench',
    user: userOf(same_shell ? step.agent.user : step.verifier.user),
    install,
    session: { name: same_shell ? 'agent' : 'tests', attach: same_shell },
    ...(same_shell ? {} : { pane_log: '/logs/tests.log' }),
  })
}

const answers = async (machine: Machine): Promise<boolean> =>
  (await machine.exec({ argv: ['sh', '-c', ':'], user: 'root', timeout_ms: 60_000, head_bytes: 0, tail_bytes: 0 })).end === 'exited'

const none = (problem: PaneGrade['result']['problem']): PaneGrade['result'] => ({ rewards: null, problem, ignored: [] })

const verdictOf = (read: ReturnType<typeof readPane>): PaneGrade['result'] =>
  read.ok ? { rewards: { reward: isResolved(read) ? 1 : 0 }, problem: null, ignored: [] } : none(read.reason)
