import { Duplex, PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { Machine } from '#shared/solvers/machine.ts'
import { framesOf, readFrames } from './frames.ts'
import { noLanguage, relayCommand } from './relay-programs.ts'

/** A port of a machine's own loopback, whose connections come here. */
export type Relay = { port: number; close(): Promise<void> }

/** Connections at once; a further one is closed. */
const mostConnections = 256
/** How long its program is waited for, which ends with its input: one that was made to stand still inside stays until its machine's end. */
const ending_ms = 2000
/** Bytes of all connections together that may wait to be read. */
const mostWaiting = 64 * 2 ** 20

/**
 * Listens in a machine, whatever network it has or lacks: a small program in it hands every connection over to the command's own input and output. Nothing
 * listens anywhere else. It ends after `timeout_ms`, with the machine, or when all its processes are ended.
 */
export async function openRelay(machine: Machine, timeout_ms: number, onConnection: (socket: Duplex) => void): Promise<Outcome<Relay>> {
  const toMachine = new PassThrough()
  const sockets = new Map<number, RelaySocket>()
  const { promise: port, resolve: told } = Promise.withResolvers<number | null>()
  const connect = (number: number): RelaySocket => {
    const socket = new RelaySocket(number, toMachine, () => void sockets.delete(number))
    sockets.set(number, socket)
    onConnection(socket)
    return socket
  }
  const end = (): void => {
    toMachine.end()
    for (const socket of sockets.values()) socket.destroy()
    told(null)
  }
  const waiting = (): number => [...sockets.values()].reduce((sum, socket) => sum + socket.readableLength, 0)
  let newest = 0
  const read = readFrames((number, data) => {
    if (number === 0) return told(Number(data.toString('latin1')))
    // A number is used once: what comes of one that is closed here is late.
    const socket = sockets.get(number) ?? (number > newest && sockets.size < mostConnections ? connect(number) : undefined)
    newest = Math.max(newest, number)
    if (!socket) for (const frame of framesOf(number, new Uint8Array())) toMachine.write(frame)
    else if (waiting() + data.length > mostWaiting) socket.destroy()
    else socket.arrive(data)
  })
  const ended = machine
    .exec({
      argv: relayCommand,
      user: 'root',
      input: toMachine,
      timeout_ms,
      head_bytes: 0,
      tail_bytes: 0,
      onOutput: (part) => void (read(part) || end()),
    })
    .finally(end)
  const found = await port
  const close = async (): Promise<void> => {
    end()
    await Promise.race([ended, wait(ending_ms)])
  }
  return found ? { ok: true, value: { port: found, close } } : notOpened(await ended)
}

/** One connection. What is written goes into the machine, frame by frame. */
class RelaySocket extends Duplex {
  readonly #number: number
  readonly #to: PassThrough
  readonly #left: () => void
  constructor(number: number, to: PassThrough, left: () => void) {
    super()
    this.#number = number
    this.#to = to
    this.#left = left
  }
  /** What came from the machine; nothing: its end. */
  arrive(data: Buffer): void {
    if (this.destroyed || this.readableEnded) return
    this.push(data.length === 0 ? null : data)
  }
  override _read(): void {
    // It comes by itself.
  }
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#to.writableEnded) return done(new Error('the machine is gone'))
    const frames = [...framesOf(this.#number, chunk)]
    frames.forEach((frame, at) => void this.#to.write(frame, at === frames.length - 1 ? done : undefined))
  }
  override _final(done: () => void): void {
    done()
    this.destroy()
  }
  override _destroy(_error: Error | null, done: () => void): void {
    this.#left()
    if (!this.#to.writableEnded) for (const frame of framesOf(this.#number, new Uint8Array())) this.#to.write(frame)
    done()
  }
}

function notOpened({ end, exit_code }: Awaited<ReturnType<Machine['exec']>>): { ok: false; failure: Failure } {
  const lacks = end === 'exited' && exit_code === noLanguage
  const detail = lacks
    ? 'The machine has neither python3 nor perl, through one of which a command there reaches the model. Whoever starts the run can have its install command bring one.'
    : `The way to the model could not be opened in the machine: ${end}${exit_code === null ? '' : ` ${exit_code}`}.`
  return { ok: false, failure: { at: 'sandbox', reason: lacks ? 'denied' : 'unavailable', retryable: !lacks, status: null, detail } }
}
