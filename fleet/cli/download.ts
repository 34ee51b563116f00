import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { Client } from './client.ts'
import { CommandError, type Io } from './io.ts'

export type Downloaded = { bytes: number; sha256: string | null; trials: number | null }

const waitsMs: readonly number[] = [500, 1_000, 2_000, 5_000, 10_000]

/**
 * Brings a file of the service to `path`: beside it first, and under its name only when it is as long as was told, has the hash that was told
 * and `check` (which reads it) throws nothing. What breaks on its way goes on where it ended, five times. Throws `CommandError`.
 */
export async function download(
  client: Client,
  from: string,
  path: string,
  io: Pick<Io, 'pause' | 'progress' | 'err' | 'signal'>,
  check: (part: string, told: Downloaded) => Promise<void>,
): Promise<Downloaded> {
  const part = `${path}.part`
  try {
    const told = await fetchWhole(client, from, part, io)
    if (told.sha256 !== null && (await hashOf(part)) !== told.sha256)
      throw new CommandError(`What came is not what ${client.url} sent: the SHA-256 differs.`, 'broken-download')
    await check(part, told)
    await rename(part, path)
    return told
  } catch (cause) {
    await rm(part, { force: true })
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`Nothing was written to ${path}: ${cause instanceof Error ? cause.message : cause}.`, 'failed', null, { cause })
  }
}

type State = { have: number; etag: string | null; bytes: number | null; sha256: string | null; trials: number | null }

async function fetchWhole(client: Client, from: string, part: string, io: Pick<Io, 'pause' | 'progress' | 'err' | 'signal'>) {
  await using file = await open(part, 'w', 0o644)
  const state: State = { have: 0, etag: null, bytes: null, sha256: null, trials: null }
  for (let attempt = 0; ; attempt++) {
    try {
      await fetchRest(client, from, file, state, io)
      if (state.bytes !== null && state.have !== state.bytes) throw new Error(`${state.have} of ${state.bytes} bytes came`)
      return { bytes: state.have, sha256: state.sha256, trials: state.trials }
    } catch (cause) {
      if (io.signal.aborted) throw new CommandError('interrupted', 'interrupted', null, { cause })
      const waitMs = waitsMs[attempt]
      if (waitMs === undefined || !isPassing(cause, state)) throw cause instanceof CommandError ? cause : brokeOff(client, state, cause)
      io.err(`The download broke off after ${mebibytes(state.have)}; it goes on in ${waitMs / 1000} s.`)
      await io.pause(waitMs)
    }
  }
}

/** A connection that broke, or a service that is away for a moment once the download had begun; a refusal at the start is told at once. */
function isPassing(cause: unknown, { have, bytes }: State): boolean {
  if (!(cause instanceof CommandError)) return isBroken(cause)
  return (have > 0 || bytes !== null) && (cause.code === 'unreachable' || cause.status === 503 || cause.status === 429)
}

/** What fetch throws when a body ends before its end, and nothing of the disk. */
const isBroken = (cause: unknown): boolean => !(cause instanceof Error && 'syscall' in cause && 'path' in cause)

async function fetchRest(client: Client, from: string, file: FileHandle, state: State, io: Pick<Io, 'progress'>): Promise<void> {
  const rest = state.have > 0 && state.etag !== null
  io.progress(rest ? `going on after ${mebibytes(state.have)}` : 'the service prepares the file')
  const response = await client.open(from, rest ? { range: `bytes=${state.have}-`, 'if-range': state.etag! } : {})
  if (response.status !== 206) begin(state, response)
  for await (const chunk of response.body ?? []) {
    await file.write(chunk, 0, chunk.length, state.have)
    state.have += chunk.length
    io.progress(`${mebibytes(state.have)}${state.bytes === null ? '' : ` of ${mebibytes(state.bytes)}`}`)
  }
  await file.truncate(state.have)
}

/** The whole file, from its first byte: what was there before is another one's. */
function begin(state: State, { headers }: Response): void {
  state.have = 0
  state.etag = headers.get('etag')
  state.bytes = numberOf(headers.get('content-length'))
  state.trials = numberOf(headers.get('x-trials'))
  state.sha256 = /sha-256=:([A-Za-z0-9+/=]+):/.exec(headers.get('repr-digest') ?? '')?.[1] ?? null
}

const numberOf = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null)

function brokeOff(client: Client, { have, bytes }: State, cause: unknown): CommandError {
  const detail = cause instanceof Error ? cause.message : String(cause)
  const of = bytes === null ? '' : ` of ${mebibytes(bytes)}`
  return new CommandError(`The download from ${client.url} broke off after ${mebibytes(have)}${of} (${detail}).`, 'broken-download', null, {
    cause,
  })
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('base64')
}

export const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
