import { closeSync, constants, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'

/** An output of a command: what the agent reads, and the program's end as a descriptor to be closed once the program has it. */
export type OutputPipe = { stream: Socket; given: number }

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/**
 * Opens both ends of a named pipe and takes its name away. Node's own are sockets, which no program can open by a path such as `/dev/stdout`, and
 * a pipe without a name belongs to who made it: this one is the sandbox's user's.
 */
export function openOutput(path: string): OutputPipe {
  const reading = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  try {
    const given = openSync(path, O_WRONLY | O_NOFOLLOW) // at once: there is a reader
    unlinkSync(path)
    return { stream: new Socket({ fd: reading, readable: true, writable: false }), given }
  } catch (error) {
    closeSync(reading)
    throw error
  }
}

/** Closes both ends of a pipe that no program was given. */
export function closeOutput({ stream, given }: OutputPipe): void {
  stream.destroy()
  closeSync(given)
}

/**
 * A file without a name that holds these bytes, opened for reading: a program may open it by `/dev/stdin` as often as it likes, where a named pipe
 * would let it wait for a writer who has been there already. Throws where there is no room for them.
 */
export function openInput(path: string, bytes: Uint8Array): number {
  const writing = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o444)
  try {
    writeFileSync(writing, bytes)
    return openSync(path, O_RDONLY | O_NOFOLLOW)
  } finally {
    closeSync(writing)
    unlinkSync(path)
  }
}

/** Names of pipes, made ahead by who can make them: `ask` has them made up to a number, and `made` is called when they are there. */
export function createPipeNames(ask: (upTo: number) => void) {
  const ahead = 16
  let used = 0
  let there = 0
  let asked = 0
  let ended = false
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const look of waiting.splice(0)) look()
  }
  const more = (): void => {
    if (asked - used > ahead / 2) return
    asked += ahead
    ask(asked)
  }
  return {
    more,
    made(upTo: number): void {
      there = upTo
      wake()
    },
    /** No more will be made: who waits gets null. */
    end(): void {
      ended = true
      wake()
    },
    /** The number of a set of pipes that nobody else has. */
    async take(): Promise<number | null> {
      const mine = ++used
      more()
      while (there < mine && !ended) await new Promise<void>((resolve) => waiting.push(resolve))
      return there >= mine ? mine : null
    },
  }
}
