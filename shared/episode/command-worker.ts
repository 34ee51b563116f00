import type { CommandAgent } from '../contract/command-agent.ts'
import type { AgentEnd } from '../contract/evidence/reward.ts'
import type { Outcome } from '../contract/failure.ts'
import { agentVersion } from '../run/agent-text.ts'
import type { Kit } from '../solvers/kit.ts'
import type { MachineExec } from '../solvers/machine.ts'
import type { ModelDoor } from '../solvers/model-door.ts'
import { openOutputScreen } from '../terminal/output-screen.ts'
import { machineGone, userOf } from './machine-spec.ts'
import { keepLog, keptOutput, leftOf, logPrefix, type Work, type WorkDone, type Worker } from './worker.ts'

/** As long as installing an agent may take; it is no part of its time. */
const install_timeout_ms = 900_000
/** Where the command finds what is to be done: a folder that agents write to and that is kept of no machine. */
const instructionFile = '/logs/agent/instruction.md'

/**
 * A program of whoever starts the run: it finds the instruction in a file and the tested model behind a door of the kit, at an address and with a token that
 * are in its environment. Whatever it ends with, what it did is graded; a model that could not be asked to the end is no result.
 */
export const commandWorker = (agent: CommandAgent): Worker => ({
  name: 'command',
  version: agentVersion(agent),
  asks: true,
  async install({ machine, kit }) {
    if (!agent.install) return { ok: true, value: null }
    const { end, exit_code, head, tail, omitted_bytes } = await machine.exec({
      ...runBash(agent.install),
      user: 'root',
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeout_ms: install_timeout_ms,
      ...keptOutput,
      onOutput: shownBy(kit),
    })
    if (end === 'unavailable') return machineGone('install the agent', end)
    const kept = await keepLog(kit, 'agent/install.txt', [head, tail], omitted_bytes)
    if (!kept.ok || (end === 'exited' && exit_code === 0)) return kept.ok ? { ok: true, value: null } : kept
    const words = new TextDecoder().decode(tail.length > 0 ? tail : head).slice(-1000)
    const detail = `The command that installs the agent ended as ${end}${exit_code === null ? '' : ` with exit code ${exit_code}`}: ${words}`
    return { ok: false, failure: { at: 'sandbox', reason: 'unhealthy', retryable: true, status: null, detail } }
  },
  async work(at) {
    const { step, machine, kit } = at
    const written = await machine.upload('/logs/agent', [
      { path: 'instruction.md', mode: 0o644, bytes: new TextEncoder().encode(step.instruction) },
    ])
    if (written !== 'written') return machineGone('take the instruction', written)
    const opened = await kit.openDoor(machine, at.until_ms)
    if (!opened.ok) return opened
    const door = opened.value
    try {
      return await runAgent(agent.command, door, at)
    } finally {
      await door.close()
    }
  },
})

async function runAgent(command: string, door: ModelDoor, at: Work): Promise<Outcome<WorkDone>> {
  const { step, machine, kit } = at
  const timeout_ms = leftOf(at)
  const { end, exit_code, head, tail, omitted_bytes } = await machine.exec({
    ...runBash(command),
    user: userOf(step.agent.user),
    env: { ...environmentOf(door), ...(at.until_ms === null ? {} : { BENCH_SECONDS: String(Math.floor(timeout_ms / 1000)) }) },
    timeout_ms,
    ...keptOutput,
    onOutput: shownBy(kit),
  })
  await door.close()
  if (end === 'unavailable') return machineGone('run the agent', end)
  const kept = await keepLog(kit, `${logPrefix(step)}agent/command.txt`, [head, tail], omitted_bytes)
  if (!kept.ok) return kept
  const { answers, last, failure } = door.told()
  if (failure) return { ok: false, failure }
  const done = (how: AgentEnd, detail: string) => ({ ok: true as const, value: { end: how, turns: answers, detail, last } })
  if (end === 'timeout') return done('timeout', '')
  if (kit.limit()) return done('limit', exit_code === null ? end : `exit code ${exit_code}`)
  if (end === 'out-of-memory') return done('failed', 'the command ran out of memory')
  if (end === 'disk-full') return done('failed', 'the command filled the machine’s disk')
  return done(exit_code === 0 ? 'completed' : 'failed', `exit code ${exit_code}`)
}

const runBash = (script: string): Pick<MachineExec, 'argv'> => ({ argv: ['bash', '-c', script] })

/** Shows an output to whoever watches, and takes its parts. */
function shownBy(kit: Pick<Kit, 'show'>): (part: Uint8Array) => void {
  const output = openOutputScreen()
  kit.show({ every_ms: 200, look: output.look })
  return output.write
}

/** The model under the names that tools look for, and what the command may want to know. */
const environmentOf = ({ base_url, token, model }: ModelDoor): Record<string, string> => ({
  OPENAI_BASE_URL: base_url,
  OPENAI_API_BASE: base_url,
  OPENAI_API_KEY: token,
  OPENAI_MODEL: model,
  MODEL: model,
  BENCH_MODEL: model,
  BENCH_INSTRUCTION_FILE: instructionFile,
  // The door is in the machine itself: a proxy that its image names must not be asked for it.
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
})
