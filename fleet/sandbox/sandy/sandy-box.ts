import { randomUUID } from 'node:crypto'
import { posix } from 'node:path'
import type { ExecRequest, ExecResult, Sandbox, SandboxSpec, WriteEnd } from '#shared/solvers/sandbox.ts'
import { namesOf, workspacePath } from '../bubblewrap/workspace-files.ts'
import { fieldsText, type InsideMode, insideCommand, mostOnCommandLine, partsOf, readReport } from './inside-request.ts'
import type { Execed, SandyCalls } from './sandy-calls.ts'

/** Processes and threads of one sandbox, where it can be limited from inside. */
export const mostProcesses = 256
const mib = 1024 ** 2
/** What the program inside has beyond a command's own time: to end everything and to say so. */
const insideSlack_ms = 15_000
const fileWork_ms = 60_000
/** The longest time of a command, in milliseconds: a day. Timers take no more than three weeks. */
const longest_ms = 86_400_000
/** Bytes of a file that are sent at once: beside them a sandbox's disk holds their base64 for a moment. */
const piece = 3 * mib
const envName = /^[A-Za-z_][A-Za-z0-9_]*$/
const baseEnv = { HOME: workspacePath, TMPDIR: '/tmp', LANG: 'C.UTF-8' }
const ranEnds = ['exited', 'timeout', 'output-limit', 'out-of-memory', 'disk-full', 'denied', 'unavailable'] as const

type Said = { type: 'said'; end: string; code: number; parts: readonly Uint8Array[] } | { type: 'killed' | 'lost'; why: string }

/** Speaks with the program inside a sandbox of this id as this user of it (`insideProgram`). */
export function createInside(calls: SandyCalls, id: string, user: number, signal: AbortSignal) {
  return async (mode: InsideMode, fields: readonly (string | number | Uint8Array)[], timeout_ms: number, most: number): Promise<Said> => {
    const stage = `/tmp/bench-${randomUUID()}`
    const given = fieldsText([stage, user, ...fields])
    const short = given.length <= mostOnCommandLine
    const sent = `/tmp/bench-${randomUUID()}`
    if (!short && !(await calls.write(id, sent, given, signal))) return { type: 'lost', why: 'it takes no file' }
    // Base64, and its quotes in JSON.
    const room = 2 * most + mib
    const became = await calls.exec(id, insideCommand(mode, short ? given : `@${sent}`), timeout_ms, room, signal)
    if (became.type !== 'answer') return { type: 'lost', why: became.why }
    const report = readReport(became.stdout)
    if (!report) return withoutReport(became)
    const { end, code, parts } = report
    if (!('file' in parts)) return { type: 'said', end, code, parts }
    const text = await calls.read(id, parts.file, room, signal)
    await calls.exec(id, `rm -f ${stage}`, fileWork_ms, mib, signal)
    return text === null ? { type: 'lost', why: 'its file cannot be read' } : { type: 'said', end, code, parts: partsOf(text.trim()) }
  }
}

/**
 * A program inside that was killed: by its kernel for want of memory, or by what it ran where both are the same user. Neither is a reason to try
 * again. Anything else is the service's doing.
 */
function withoutReport({ exitCode, stderr }: Extract<Execed, { type: 'answer' }>): Said {
  return exitCode === 137
    ? { type: 'killed', why: 'killed' }
    : { type: 'lost', why: `exit code ${exitCode} ${stderr.slice(0, 300)}`.trim() }
}

/**
 * A sandbox of Sandy as solvers have it. Where the service fails it, it is lost: `lose` is called once, and from then on everything in it is
 * `unavailable`. A sandbox whose command killed the program inside is lost after that command, as what it left behind cannot be ended.
 */
export function createSandyBox(
  inside: ReturnType<typeof createInside>,
  { memory_mb, network }: SandboxSpec,
  signal: AbortSignal,
  lose: () => void,
): Sandbox {
  const nothing = (end: ExecResult['end']): ExecResult => ({ end, exit_code: null, stdout: new Uint8Array(), stderr: new Uint8Array() })
  const ask: typeof inside = async (...what) => {
    const said = await inside(...what)
    if (said.type !== 'said' || said.end === 'unavailable') lose()
    return said
  }
  const exec = async (request: ExecRequest): Promise<ExecResult> => {
    const { argv, cwd, stdin = new Uint8Array(), timeout_ms, output_bytes } = request
    const variables = Object.entries({ ...baseEnv, ...request.env })
    const words = [...argv, cwd ?? '', ...variables.map(([, value]) => value)]
    if (words.some((word) => word.includes('\0')) || variables.some(([name]) => !envName.test(name))) return nothing('denied')
    if (!(timeout_ms > 0) || !(output_bytes >= 0)) return nothing('denied')
    const limit_ms = Math.min(timeout_ms, longest_ms)
    const limits = [limit_ms, Math.min(output_bytes, Number.MAX_SAFE_INTEGER), Math.floor(memory_mb * mib), mostProcesses, network ? 1 : 0]
    const fields = [...limits, posix.resolve(workspacePath, cwd ?? '.'), stdin, variables.length, ...variables.flat(), ...argv]
    const said = await ask('run', fields, limit_ms + insideSlack_ms, output_bytes)
    if (said.type === 'killed') return nothing('out-of-memory')
    if (signal.aborted || said.type !== 'said') return nothing('unavailable')
    const end = ranEnds.find((one) => one === said.end) ?? 'unavailable'
    const [stdout = new Uint8Array(), stderr = new Uint8Array()] = said.parts
    return { end, exit_code: end === 'exited' ? said.code : null, stdout, stderr }
  }
  const write = async (path: string, bytes: Uint8Array): Promise<WriteEnd> => {
    const names = namesOf(path)
    if (!names) return 'denied'
    const fresh = `.bench-${randomUUID()}`
    const short = bytes.length * 1.4 < mostOnCommandLine - 20_000
    // What does not go at once begins with nothing: whether there is room is known before more of it lies in the sandbox.
    const cuts = short ? [bytes] : [new Uint8Array(), ...piecesOf(bytes)]
    const total = short ? bytes.length : bytes.length + 1.4 * Math.min(bytes.length, piece)
    for (const [index, part] of cuts.entries()) {
      const last = index === cuts.length - 1
      const fields = [fresh, Math.ceil(total), index === 0 ? 1 : 0, last ? 1 : 0, part, ...names]
      const said = await ask('place', fields, fileWork_ms, 0)
      if (signal.aborted || said.type !== 'said') return 'unavailable'
      if (said.end !== 'written') return said.end === 'disk-full' ? 'disk-full' : 'denied'
    }
    return 'written'
  }
  const read = async (path: string, most: number): Promise<Uint8Array | null> => {
    const names = namesOf(path)
    if (!names) return null
    const said = await ask('take', [most, ...names], fileWork_ms, most)
    return !signal.aborted && said.type === 'said' && said.end === 'taken' ? said.parts[0]! : null
  }
  return {
    exec: async (request) => (signal.aborted ? nothing('unavailable') : exec(request)),
    write: async (path, bytes) => (signal.aborted ? 'unavailable' : write(path, bytes)),
    read: async (path, most) => (signal.aborted ? null : read(path, most)),
  }
}

const piecesOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) => bytes.subarray(index * piece, (index + 1) * piece))
