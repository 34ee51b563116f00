import type { ChildProcess } from 'node:child_process'
import { killGroup, lastLine, launch, logPath, stopChild, whenEnded } from './child.ts'
import { diskFault } from './disk-fault.ts'

export type Message = Record<string, unknown>

/** One child process that the supervisor keeps running. */
export type PartSpec = {
  name: string
  file: string
  env: NodeJS.ProcessEnv
  /** Resolves when the part serves, where it does not say so itself; `signal` fires when the process ends. */
  isReady?(signal: AbortSignal): Promise<Message>
  /** Answers what the part asks over IPC (`askSupervisor`). */
  answer?(question: Message): Promise<unknown>
  /** How long it may take to leave after SIGTERM, in milliseconds. */
  stopMs: number
}

export type PartIo = {
  logsDir: string
  say(part: string, line: string): void
  /** Wait before the next start after so many failures in a row, in milliseconds. */
  backoffMs?(failures: number): number
}

export type Part = {
  name: string
  pid(): number | undefined
  /** Resolves at the first `ready` with its message; rejects when the part failed five times before it was ever ready. */
  ready: Promise<Message>
  stop(): Promise<void>
  /** Ends the process group at once, without grace. */
  kill(): void
}

const startsBeforeGivingUp = 5
const stableMs = 10_000
const slowMs = 15_000
const steps = [0, 250, 500, 1_000, 2_000, 5_000]
const stepwise = (failures: number) => steps[Math.min(failures, steps.length) - 1] ?? 0

/**
 * Starts a part in its own process group and starts it again whenever it ends. It is tethered: it ends when the supervisor does.
 * `{type:'ready'}` over IPC says that it serves; `{type:'restarted'}` that it healed a part of itself.
 */
export function keepRunning(spec: PartSpec, io: PartIo): Part {
  const first = Promise.withResolvers<Message>()
  first.promise.catch(() => undefined) // whoever waits for `ready` sees it; nobody has to
  const backoffMs = io.backoffMs ?? stepwise
  const state = { child: undefined as ChildProcess | undefined, timer: undefined as NodeJS.Timeout | undefined, failures: 0 }
  let stopping = false

  const start = () => {
    const startedMs = Date.now()
    let served = false
    const hooks: Hooks = {
      serves: (message) => {
        served = true
        first.resolve(message)
      },
      ended: (how) => {
        state.child = undefined
        if (stopping) return
        state.failures = served && Date.now() - startedMs >= stableMs ? 1 : state.failures + 1
        again(how, served)
      },
    }
    try {
      state.child = run(spec, io, hooks)
    } catch (error) {
      // Its log cannot be written: the disk may have room again at the next try.
      hooks.ended(diskFault(error, io.logsDir) ?? String(error))
    }
  }
  const again = (how: string, served: boolean) => {
    if (!served && state.failures >= startsBeforeGivingUp) {
      first.reject(new Error(`${spec.name} does not start (${how}): ${lastLine(io.logsDir, spec.name)}`))
    }
    const waitMs = backoffMs(state.failures)
    io.say(spec.name, `ended (${how}); starting it again${waitMs ? ` in ${seconds(waitMs)}` : ''}`)
    state.timer = setTimeout(start, waitMs)
  }
  const end = (): ChildProcess | undefined => {
    stopping = true
    clearTimeout(state.timer)
    return state.child
  }
  start()
  return {
    name: spec.name,
    pid: () => state.child?.pid,
    ready: first.promise,
    stop: async () => {
      const child = end()
      if (child) await stopChild(child, spec.stopMs)
    },
    kill: () => {
      const child = end()
      if (child) killGroup(child)
    },
  }
}

/** Stops parts in the reverse of the order in which they were started, each one only when the one before it has gone. */
export async function stopAll(started: readonly Part[], say: PartIo['say']): Promise<void> {
  for (const part of started.toReversed()) {
    await part.stop()
    say(part.name, 'stopped')
  }
}

type Hooks = { serves(message: Message): void; ended(how: string): void }

/** One life of the process: launched, ready once, ended once; what it leaves in its group is ended with it. */
function run(spec: PartSpec, io: PartIo, hooks: Hooks): ChildProcess {
  const startedMs = Date.now()
  const child = launch({ file: spec.file, name: spec.name, env: spec.env, logsDir: io.logsDir })
  const life = new AbortController()
  const patience = setTimeout(
    () => io.say(spec.name, `is still starting and is waited for; the log tells more: ${logPath(io.logsDir, spec.name)}`),
    slowMs,
  )
  const serves = (message: Message) => {
    if (life.signal.aborted) return
    clearTimeout(patience)
    const detail = typeof message.detail === 'string' ? `  ${message.detail}` : ''
    io.say(spec.name, `ready in ${seconds(Date.now() - startedMs)}${detail}`)
    hooks.serves(message)
  }
  child.on('message', (message: Message) => {
    if (message.type === 'ready' && !spec.isReady) serves(message)
    if (message.type === 'ask') void answerPart(spec, child, message)
    if (message.type === 'restarted') io.say(spec.name, 'a process of it had ended and was started again')
  })
  spec.isReady?.(life.signal).then(serves, () => undefined)
  whenEnded(child, (how) => {
    life.abort()
    clearTimeout(patience)
    killGroup(child)
    hooks.ended(how)
  })
  return child
}

/** Sends what the spec answers to a question, or its error; a part that has ended meanwhile needs none. */
export async function answerPart(spec: Pick<PartSpec, 'answer'>, child: ChildProcess, question: Message): Promise<void> {
  const told = await Promise.resolve(spec.answer?.(question)).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  )
  if (child.connected) child.send({ type: 'answer', id: question.id, ...told }, () => undefined)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
