import type { AgentEnd } from '../contract/evidence/reward.ts'
import type { Outcome } from '../contract/failure.ts'
import type { TaskUser } from '../harbor/task.ts'
import type { Completion, Kit } from '../solvers/kit.ts'
import type { Machine } from '../solvers/machine.ts'
import { keepRecording } from '../terminus/recording.ts'
import { runTerminus1, type Terminus1Result } from '../terminus/run-terminus1.ts'
import { runTerminus2, type Terminus2Result } from '../terminus/run-terminus2.ts'
import { openTerminal, type Terminal } from '../terminus/terminal.ts'
import type { Terminus1Texts } from '../terminus/terminus1-texts.ts'
import type { Terminus2Texts } from '../terminus/terminus2-texts.ts'
import { userOf } from './machine-spec.ts'
import { logPrefix, type WorkDone, type Worker } from './worker.ts'

/**
 * `context_tokens` and `output_tokens`: what is known of the model. `max_turns`: questions that are answered by commands, at most; `input_tokens`: as many as the
 * model may read in all of them together.
 */
export type TerminusOptions = {
  texts: Terminus2Texts
  max_turns?: number
  input_tokens?: number
  context_tokens: number | null
  output_tokens: number | null
}

/** Where the model works and until when; `user`: null for the image's own; `prefix`: of the recording's name. */
export type AtTerminal = { instruction: string; machine: Machine; kit: Kit; until_ms: number | null; user: TaskUser; prefix: string }

/** Lets the model work at a machine's terminal as Harbor's terminus-2: see `runTerminus2`. Its time bounds every call and every wait. */
export async function workAtTerminal(at: AtTerminal, options: TerminusOptions): Promise<Outcome<WorkDone>> {
  const { instruction, machine, kit, user, prefix } = at
  const bounded = boundKit(at, options.input_tokens)
  const clock = { now: kit.now, wait: bounded.kit.wait }
  const terminal = await openTerminal({ machine, clock, harness: options.texts.harness, user: userOf(user), install: true })
  if (!terminal.ok) return terminal
  kit.show({ every_ms: 1000, look: terminal.value.look })
  const { texts, max_turns, context_tokens, output_tokens } = options
  const result = await runTerminus2({
    instruction,
    terminal: bounded.end(terminal.value),
    kit: bounded.kit,
    texts,
    ...(max_turns === undefined ? {} : { max_turns }),
    context_tokens,
    output_tokens,
  })
  await keepRecording(terminal.value.recording, kit, prefix)
  return doneOf(result, bounded)
}

/** The model at a task's terminal. */
export const terminus2 = (options: TerminusOptions): Worker => ({
  name: 'terminus-2',
  version: '2.0.0',
  asks: true,
  work: ({ step, machine, kit, until_ms }) => {
    const { instruction, agent } = step
    return workAtTerminal({ instruction, machine, kit, until_ms, user: agent.user, prefix: logPrefix(step) }, options)
  },
})

/** terminus-1 of the first Terminal-Bench, at its terminal: the schema of its replies stands in the prompt. */
export const terminus1 = (texts: Terminus1Texts): Worker => ({
  name: 'terminus-1',
  version: '0.2.18',
  asks: true,
  async work({ step, machine, kit, until_ms }) {
    const bounded = boundKit({ kit, until_ms })
    const clock = { now: kit.now, wait: bounded.kit.wait }
    const opened = await openTerminal({ machine, clock, harness: 'terminal-bench', user: userOf(step.agent.user), install: true })
    if (!opened.ok) return opened
    const terminal = bounded.end(opened.value)
    const { counts, ...result } = await runTerminus1({
      instruction: step.instruction,
      terminal,
      kit: bounded.kit,
      texts,
      structured: false,
    })
    await keepRecording(opened.value.recording, kit, logPrefix(step))
    return doneOf({ ...result, counts: { summaries: 0, ...counts } }, bounded)
  },
})

type Bounded = ReturnType<typeof boundKit>

/** The kit with the worker's bounds in every call and wait. Beyond them the session counts as ended, so that nothing more is typed. */
function boundKit({ kit, until_ms }: Pick<AtTerminal, 'kit' | 'until_ms'>, input_tokens = Number.POSITIVE_INFINITY) {
  let last: Completion | null = null
  let read = 0
  const isLate = (): boolean => until_ms !== null && kit.now() >= until_ms
  const isOver = (): boolean => isLate() || read >= input_tokens
  const wait = (ms: number): Promise<void> => kit.wait(until_ms === null ? ms : Math.max(0, Math.min(ms, until_ms - kit.now())))
  const ask: Kit['ask'] = (async (role: 'model', request) => {
    const answered = await kit.ask(role, until_ms === null ? request : { ...request, until_ms })
    if (answered.ok) last = answered.value
    if (answered.ok) read += answered.value.usage.input_tokens
    return answered
  }) as Kit['ask'] // a terminal asks the tested model alone
  return {
    isLate,
    isOver,
    last: () => last,
    kit: { ...kit, wait, ask },
    end: (terminal: Terminal): Terminal => ({
      ...terminal,
      send: async (keys, wait_sec) => (isOver() ? { ok: true, value: 'session-ended' } : terminal.send(keys, wait_sec)),
      sendBlocking: async (keys, most_sec) => {
        if (isOver()) return { ok: true, value: 'session-ended' }
        return terminal.sendBlocking(keys, until_ms === null ? most_sec : Math.min(most_sec, (until_ms - kit.now()) / 1000))
      },
      alive: async () => (isOver() ? { ok: true, value: false } : terminal.alive()),
    }),
  }
}

type Ended = Terminus2Result | (Terminus1Result & { counts: { summaries: number } })

const ends: Record<Exclude<Ended['end'], 'failure'>, AgentEnd> = {
  completed: 'completed',
  'turn-limit': 'turn-limit',
  'session-ended': 'failed',
  'context-exhausted': 'context-exhausted',
  'reply-cut': 'failed',
  unreadable: 'failed',
  limit: 'limit',
}

const endWords: Partial<Record<Ended['end'], string>> = {
  'session-ended': 'the session was ended from inside',
  'reply-cut': 'an answer was cut at the output limit',
  unreadable: 'three answers in a row could not be read',
}

function doneOf(result: Ended, { isLate, isOver, last }: Bounded): Outcome<WorkDone> {
  if (result.end === 'failure') return { ok: false, failure: result.failure }
  const { turns, parse_errors, summaries } = result.counts
  const over = isOver() && result.end !== 'completed'
  const word = over ? (isLate() ? undefined : 'it had read as many tokens as it may') : endWords[result.end]
  const told = [
    ...(word === undefined ? [] : [word]),
    ...(parse_errors > 0 ? [`${parse_errors} answers could not be read`] : []),
    ...(summaries > 0 ? [`${summaries} summaries`] : []),
  ]
  const end = over ? (isLate() ? 'timeout' : 'limit') : ends[result.end]
  return { ok: true, value: { end, turns, detail: told.join('; '), last: last() } }
}
