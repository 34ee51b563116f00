import { randomBytes } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Container, Exec } from 'dockerode'
import * as z from 'zod'
import type { MachineExec, MachineExecResult } from '#shared/solvers/machine.ts'
import { demultiplex } from '../docker/demultiplex.ts'
import { refusalIn } from '../docker/engine.ts'
import { isRunning } from './end-processes.ts'
import type { EngineEvents } from './engine-events.ts'
import { keepHeadAndTail } from './head-and-tail.ts'

/** What a command needs of its machine. */
export type CommandPlace = {
  container: Container
  events: EngineEvents
  /** Aborts when the machine is closed or its trial given up. */
  signal: AbortSignal
  /** Resolves when the machine does not stand still. */
  moving(): Promise<void>
  /** Ends what carries this mark, with all below it. */
  endMarked(mark: string): Promise<boolean>
  /** Whether the machine holds more than its storage, so that its processes were ended. */
  isFull(): Promise<boolean>
}

/** The longest time that Node's timers take, in milliseconds: three weeks. */
const longest_ms = 2 ** 31 - 1
/** How long an output may stay open when its command has ended, or all of it was: as long as an engine itself waits for that. */
const lingering_ms = 3000
/** Longest wait for the cause of a killed command, and the interval of its checks: a busy engine reports the cause late. */
const afterKill = { most_ms: 1000, pause_ms: 50 }
const killed = 137
const notStarted = 126
/** The variable that marks a command and what it begins. */
const markName = 'BENCH_EXEC'

const ExecState = z.object({ Running: z.boolean(), ExitCode: z.int().nullable() })
const Created = z.object({ id: z.string() })

type Cut = 'timeout' | 'aborted' | null

/**
 * Runs a command in a machine and hands back the head and tail of its output. At its time limit all that it began is ended, not only its output. Never
 * throws: an engine that is away, or a machine that ended meanwhile, is `unavailable`.
 */
export async function runCommand(place: CommandPlace, request: MachineExec): Promise<MachineExecResult> {
  const { container, events, signal } = place
  const kept = keepHeadAndTail(request)
  const result = (end: MachineExecResult['end'], exit_code: number | null = null): MachineExecResult => ({ end, exit_code, ...kept.end() })
  const mark = `${markName}=${randomBytes(12).toString('hex')}`
  const before = { kills: events.memoryKills(container.id), ends: events.ends(container.id) }
  let exec: Exec
  let socket: Awaited<ReturnType<Exec['start']>>
  let exit: ReturnType<EngineEvents['exit']>
  try {
    signal.throwIfAborted()
    await events.listen()
    exec = await whenMoving(place, () => container.exec(settingsOf(request, mark)))
    exit = events.exit(Created.parse(exec).id)
    socket = await whenMoving(place, () => exec.start({ hijack: true, stdin: takesInput(request) }))
  } catch (error) {
    const { status, words } = refusalIn(error)
    if (signal.aborted || status === null || !/unable to find user|no matching entries|OCI runtime exec failed|invalid/i.test(words))
      return result('unavailable')
    kept.push(Buffer.from(`${words}\n`))
    return result('exited', notStarted)
  }
  try {
    const cut = await follow(place, request, { socket, exit, mark, keep: (part) => kept.push(part) })
    if (signal.aborted || cut === 'aborted') return result('unavailable')
    if (await place.isFull()) return result('disk-full')
    if (cut === 'timeout') return result('timeout')
    const code = await exitCode(exec, exit)
    if (code === 0) return result('exited', 0)
    const isOutOfMemory = () => events.memoryKills(container.id) > before.kills
    const isGone = () => code === null || events.ends(container.id) > before.ends || signal.aborted
    // The engine may report the end of the machine or the full memory after the end of the command.
    for (
      let waited_ms = 0;
      code === killed && !isOutOfMemory() && !isGone() && waited_ms < afterKill.most_ms;
      waited_ms += afterKill.pause_ms
    )
      await wait(afterKill.pause_ms)
    if (isOutOfMemory()) return result('out-of-memory')
    if (isGone() || (code === killed && !(await isRunning(container).catch(() => false))) || isGone()) return result('unavailable')
    return result('exited', code)
  } finally {
    exit.forget()
    socket.destroy()
  }
}

const takesInput = ({ stdin, input }: MachineExec): boolean => stdin !== undefined || input !== undefined

function settingsOf({ argv, user, cwd, env, ...request }: MachineExec, mark: string): object {
  return {
    Cmd: argv,
    AttachStdin: takesInput({ argv, ...request }),
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    Env: [mark, ...Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`)],
    ...(user === undefined ? {} : { User: user }),
    ...(cwd === undefined ? {} : { WorkingDir: cwd }),
  }
}

/** Sees a command through until it has ended or is cut short. */
async function follow(
  { endMarked, signal }: CommandPlace,
  { stdin, input, timeout_ms, onOutput }: MachineExec,
  {
    socket,
    exit,
    mark,
    keep,
  }: { socket: Awaited<ReturnType<Exec['start']>>; exit: ReturnType<EngineEvents['exit']>; mark: string; keep(part: Buffer): void },
): Promise<Cut> {
  const { promise: isCut, resolve: cut } = Promise.withResolvers<Cut>()
  const timer = setTimeout(() => cut('timeout'), Math.min(Math.max(0, timeout_ms), longest_ms))
  const abort = (): void => cut('aborted')
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const closed = demultiplex(socket, (_channel, part) => {
      keep(part)
      onOutput?.(part)
    })
    if (stdin !== undefined) socket.end(stdin)
    else if (input !== undefined) void pipeline(input, socket).catch(() => undefined) // a command that has ended takes no more
    // An engine closes the output soon after a command's own end, whatever else has it open.
    const became = await Promise.race([
      closed.then(() => null),
      exit.code.then((code) => (code === null ? closed.then(() => null) : null)),
      isCut,
    ])
    if (became === 'timeout') await endMarked(mark)
    if (became !== 'aborted') await Promise.race([closed, wait(lingering_ms, undefined, { signal }).catch(() => undefined)])
    return became
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** The exit code as the engine told it, or as it says when asked; null where it does not. */
async function exitCode(exec: Exec, exit: ReturnType<EngineEvents['exit']>): Promise<number | null> {
  const told = await Promise.race([exit.code, wait(100).then(() => null)])
  if (told !== null) return told
  try {
    for (let looks = 0; looks < 40; looks++) {
      const state = ExecState.parse(await exec.inspect())
      if (!state.Running) return state.ExitCode
      await wait(50)
    }
    return null
  } catch {
    return null
  }
}

/** Asks the engine when the machine does not stand still, and again where it has begun to meanwhile. */
async function whenMoving<T>({ moving }: CommandPlace, ask: () => Promise<T>): Promise<T> {
  for (let left = 20; ; left--) {
    await moving()
    try {
      return await ask()
    } catch (error) {
      if (left === 0 || !/paused/i.test(refusalIn(error).words)) throw error
      await wait(20)
    }
  }
}
