import type { AgentEnd } from '../contract/evidence/reward.ts'
import type { Outcome } from '../contract/failure.ts'
import type { TaskStep } from '../harbor/task.ts'
import type { Completion, Kit } from '../solvers/kit.ts'
import type { Machine } from '../solvers/machine.ts'
import { openOutputScreen, outputSize, terminalLines } from '../terminal/output-screen.ts'
import { keepRecording, openRecording } from '../terminus/recording.ts'
import { envOf, machineGone, userOf } from './machine-spec.ts'

/** What is to be done, where, and until when: `until_ms` is in the kit's time, null where nothing bounds it. */
export type Work = { step: TaskStep; machine: Machine; kit: Kit; until_ms: number | null; given: ReadonlyMap<string, string> }

/** How it ended. `last` is the model's last answer, null where none was asked; `detail` is for people. */
export type WorkDone = { end: AgentEnd; turns: number; detail: string; last: Completion | null }

/**
 * Whoever works at a task's machine. Running out of time, of turns or of words is an end that is graded; a failure is no result. `asks` says whether a
 * model takes part.
 */
export type Worker = {
  name: string
  version: string
  asks: boolean
  /** Puts the worker into a fresh machine, before anything else is done there and on nobody's time. */
  install?(at: Pick<Work, 'machine' | 'kit'>): Promise<Outcome<null>>
  work(at: Work): Promise<Outcome<WorkDone>>
}

/** Milliseconds that are left, no more than timers take. */
export const leftOf = ({ kit, until_ms }: Pick<Work, 'kit' | 'until_ms'>): number =>
  until_ms === null ? 2 ** 31 - 1 : Math.max(1, until_ms - kit.now())

/** Bytes of a program's output that evidence and logs keep of its beginning and end. */
export const keptOutput = { head_bytes: 5_000_000, tail_bytes: 1_000_000 }

/** Where the files of a step lie among those of its episode. */
export const logPrefix = ({ name }: TaskStep): string => (name === null ? '' : `steps/${name}/`)

/** Does nothing: what it is given for must be nothing. */
export const nop: Worker = {
  name: 'nop',
  version: '1.0.0',
  asks: false,
  work: async () => ({ ok: true, value: { end: 'completed', turns: 0, detail: '', last: null } }),
}

/** Runs the task's own solution, as Harbor's oracle does: a task whose oracle does not get everything is not sound. */
export const oracle: Worker = {
  name: 'oracle',
  version: '1.0.0',
  asks: false,
  async work(at) {
    const { step, machine, kit, given } = at
    const { files, script, env } = step.solution
    const done = (end: AgentEnd, detail: string) => ({ ok: true as const, value: { end, turns: 0, detail, last: null } })
    if (script === null) return done('failed', 'the task has no solution')
    const put = files.map((file) => (file.path === script ? { ...file, mode: file.mode | 0o111 } : file))
    const output = openOutputScreen()
    kit.show({ every_ms: 200, look: output.look })
    const recording = openRecording({ width: outputSize.columns, height: outputSize.rows }, kit.now)
    const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
    const { end, exit_code, head, tail, omitted_bytes } = await machine.exec({
      argv: ['bash', '-c', `/solution/${script}`],
      user: userOf(step.agent.user),
      env: { DEBIAN_FRONTEND: 'noninteractive', ...envOf(env, given) },
      timeout_ms: leftOf(at),
      put: { path: '/solution', files: put },
      ...keptOutput,
      onOutput(part) {
        output.write(part)
        recording.output(new TextEncoder().encode(terminalLines(decoder.decode(part, { stream: true }))))
      },
    })
    if (head.length > 0) await keepRecording(recording, kit, logPrefix(step))
    const kept = await keepLog(kit, `${logPrefix(step)}agent/oracle.txt`, [head, tail], omitted_bytes)
    if (!kept.ok) return kept
    switch (end) {
      case 'unavailable':
        return machineGone('run the solution', end)
      case 'timeout':
        return done('timeout', '')
      case 'out-of-memory':
        return done('failed', 'the solution ran out of memory')
      case 'disk-full':
        return done('failed', 'the solution filled the machine’s disk')
      case 'exited':
        return exit_code === 0 ? done('completed', '') : done('failed', `the solution ended with exit code ${exit_code}`)
    }
  },
}

/** Keeps what a program wrote as an artifact of the trial; nothing where it wrote nothing. */
export async function keepLog(
  kit: Pick<Kit, 'keep'>,
  name: string,
  parts: readonly Uint8Array[],
  omitted_bytes: number,
): Promise<Outcome<unknown>> {
  const body = logBytes(parts, omitted_bytes)
  if (body.length === 0) return { ok: true, value: null }
  return kit.keep({ name, kind: 'log', media_type: 'text/plain; charset=utf-8', body })
}

function logBytes([head, tail = new Uint8Array()]: readonly Uint8Array[], omitted_bytes: number): Uint8Array {
  const note = omitted_bytes > 0 ? new TextEncoder().encode(`\n[${omitted_bytes} bytes left out]\n`) : new Uint8Array()
  const parts = [head ?? new Uint8Array(), note, tail]
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
