import type { Readable } from 'node:stream'
import type { ExecRequest, ExecResult } from '#shared/solvers/sandbox.ts'
import type { Running } from './channels.ts'

/** Bytes of bwrap's status that are read: it writes two short lines. */
const mostStatus = 4096
/** How a shell ends that found a program and could not run it. */
const notRun = 126
/** The longest time that Node's timers take, in milliseconds: three weeks. */
const longest_ms = 2 ** 31 - 1

export type Finding = {
  end: 'exited' | 'timeout' | 'output-limit' | 'aborted' | 'not-started' | 'not-begun' | 'too-long'
  exit_code: number | null
  stdout: Uint8Array
  stderr: Uint8Array
}

/**
 * Sees a started bwrap through to its end: keeps the first `output_bytes` of both outputs together, and kills everything in
 * its namespaces at its time limit, at the first byte too many, and when `signal` aborts. Resolves when all of it is gone. `not-started`: bwrap
 * made no sandbox; `not-begun`: it made one and could not begin the command in it; `too-long`: its arguments are longer than the system takes.
 */
export async function runCommand(
  running: Running,
  { timeout_ms, output_bytes }: Pick<ExecRequest, 'timeout_ms' | 'output_bytes'>,
  signal: AbortSignal,
): Promise<Finding> {
  let cut: 'timeout' | 'output-limit' | 'aborted' | null = null
  let told = ''
  let room = output_bytes
  const kill = (why: NonNullable<typeof cut>): void => {
    cut ??= why
    const first = readNumber(told, 'child-pid')
    // The first process of the namespace takes all others with it; before it is known, the death of its parent does.
    if (first === null || !killed(first)) killed(running.pid)
  }
  const keep = (stream: Readable): Buffer[] => {
    const parts: Buffer[] = []
    stream.on('error', () => undefined) // what was read until then is kept
    stream.on('data', (part: Buffer) => {
      if (room > 0) parts.push(part.subarray(0, room))
      room -= part.length
      if (room < 0) kill('output-limit')
    })
    return parts
  }
  const [stdout, stderr] = [keep(running.stdout), keep(running.stderr)]
  running.status.on('error', () => undefined)
  running.status.on('data', (part: Buffer) => {
    told = (told + part.toString()).slice(0, mostStatus)
    if (cut) kill(cut)
  })
  const timer = setTimeout(() => kill('timeout'), Math.min(timeout_ms, longest_ms))
  const abort = (): void => kill('aborted')
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  // Its status ends with bwrap itself, which ends after all others.
  await Promise.all([running.stdout, running.stderr, running.status].map(closed))
  const status = await running.end()
  clearTimeout(timer)
  signal.removeEventListener('abort', abort)
  const exit_code = readNumber(told, 'exit-code')
  const end = cut ?? (exit_code !== null ? 'exited' : endOfStart(readNumber(told, 'child-pid') !== null, status))
  return { end, exit_code, stdout: new Uint8Array(Buffer.concat(stdout)), stderr: new Uint8Array(Buffer.concat(stderr)) }
}

/** What a start came to that told of no end; `status` is bwrap's own, null where what started it is gone. */
function endOfStart(opened: boolean, status: number | null): Finding['end'] {
  if (status === null) return 'not-started'
  if (opened) return 'not-begun'
  return status === notRun ? 'too-long' : 'not-started'
}

/** What a limit or the sandbox itself makes of a finding; `full`: its files have no room left. */
export function toResult({ end, exit_code, stdout, stderr }: Finding, memoryKills: number, full: boolean): ExecResult {
  const ended = (as: ExecResult['end']): ExecResult => ({ end: as, exit_code: null, stdout, stderr })
  switch (end) {
    case 'timeout':
    case 'output-limit':
      return ended(end)
    case 'aborted':
    case 'not-started':
      return ended(memoryKills > 0 ? 'out-of-memory' : 'unavailable')
    case 'too-long':
      return ended('denied')
    case 'not-begun':
      return ended(memoryKills > 0 ? 'out-of-memory' : 'denied')
    case 'exited':
      if (memoryKills > 0) return ended('out-of-memory')
      return exit_code !== 0 && full ? ended('disk-full') : { end, exit_code, stdout, stderr }
  }
}

const closed = (stream: Readable): Promise<void> => new Promise((resolve) => stream.once('close', resolve))

const readNumber = (told: string, name: string): number | null => {
  const found = new RegExp(`"${name}": (\\d+)`).exec(told)?.[1]
  return found === undefined ? null : Number(found)
}

function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
