import type { AgentEnd } from '../contract/evidence/reward.ts'
import type { Outcome } from '../contract/failure.ts'
import { readPythonYaml } from '../terminal-bench-1/python-yaml.ts'
import { SolutionYaml, type TerminalCommand } from '../terminal-bench-1/task-yaml.ts'
import { keepRecording } from '../terminus/recording.ts'
import { openTerminal, type Sent, type Terminal } from '../terminus/terminal.ts'
import { machineGone, userOf } from './machine-spec.ts'
import { leftOf, logPrefix, type Work, type WorkDone, type Worker } from './worker.ts'

/**
 * Runs a task's own solution as the oracle of Terminal-Bench 0.2.18 does: at the terminal of who works, a script as one command, a `solution.yaml` as keys that
 * are typed one after another.
 */
export const terminalOracle: Worker = {
  name: 'oracle',
  version: '0.2.18',
  asks: false,
  async work(at) {
    const { step, machine, kit } = at
    const { files, script } = step.solution
    const file = files.find(({ path }) => path === script)
    if (!file) return done('failed', 'the task has no solution')
    const clock = { now: kit.now, wait: kit.wait }
    const opened = await openTerminal({ machine, clock, harness: 'terminal-bench', user: userOf(step.agent.user), install: true })
    if (!opened.ok) return opened
    const terminal = opened.value
    kit.show({ every_ms: 1000, look: terminal.look })
    const ended = await (script === 'solution.yaml' ? typeSolution(file.bytes, terminal, at) : runScript(at, terminal))
    await keepRecording(terminal.recording, kit, logPrefix(step))
    return ended
  },
}

const done = (end: AgentEnd, detail: string): Outcome<WorkDone> => ({ ok: true, value: { end, turns: 0, detail, last: null } })

async function runScript(at: Work, terminal: Terminal): Promise<Outcome<WorkDone>> {
  const written = await at.machine.upload('/oracle', at.step.solution.files)
  if (written !== 'written') return machineGone('take the solution', written)
  const ran = await terminal.sendBlocking('bash /oracle/solution.sh\n', leftOf(at) / 1000)
  if (!ran.ok) return ran
  return ran.value === 'sent' ? done('completed', '') : done('timeout', '')
}

/** A command that takes too long ends the solution, and what it did is graded. */
async function typeSolution(bytes: Uint8Array, terminal: Terminal, at: Work): Promise<Outcome<WorkDone>> {
  const read = readPythonYaml(new TextDecoder().decode(bytes))
  const commands = read.ok ? SolutionYaml.safeParse(read.value) : undefined
  if (!commands?.success) return done('failed', 'solution.yaml is no list of commands')
  for (const command of commands.data) {
    const sent = await type(command, terminal, leftOf(at) / 1000)
    if (!sent.ok) return sent
    if (at.until_ms !== null && at.kit.now() >= at.until_ms) return done('timeout', '')
    if (sent.value === 'timeout') return done('failed', `a command of the solution took more than ${command.max_timeout_sec} s`)
  }
  return done('completed', '')
}

function type(
  { command, append_enter, block, min_timeout_sec, max_timeout_sec }: TerminalCommand,
  terminal: Terminal,
  left_sec: number,
): Promise<Outcome<Sent | 'timeout'>> {
  const keys = append_enter ? `${command}\n` : command
  if (block) return terminal.sendBlocking(keys, Math.min(max_timeout_sec, left_sec))
  return terminal.send(keys, Math.min(min_timeout_sec, left_sec))
}
