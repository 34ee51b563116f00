/** An output of the runner (`keeper-script.ts`): what it says of a command, and between that what the command says. */
export type MarkedText = {
  push(part: Buffer): void
  /** Gives what was held back, as nothing more will come. */
  flush(): void
  /** The number of the command's first process; 0 until it is said. */
  pid(): number
  /** How the command ended: its exit code, or that it could not begin; null until it is said. */
  ended(): number | 'denied' | null
}

const mostLine = 64

/** Reads such an output. The command's own part goes to `onPart` as it comes; `onEnd` is called once, when the end is said. */
export function openMarkedText(mark: string, onPart: (part: Buffer) => void, onEnd: () => void): MarkedText {
  let held: Buffer = Buffer.alloc(0)
  let pid = 0
  let ended: number | 'denied' | null = null
  const begin = (): boolean => {
    const line = held.indexOf(10)
    if (line < 0) return false
    const said = /^(\S+) (\d+)$/.exec(held.subarray(0, line).toString('latin1'))
    if (said?.[1] !== mark) return false
    pid = Number(said[2])
    held = held.subarray(line + 1)
    return true
  }
  /** Gives what is surely the command's own; says whether there may be more of it. */
  const release = (): boolean => {
    const at = held.indexOf(mark)
    if (at < 0) return give(held.length - mark.length + 1)
    const rest = held.subarray(at + mark.length)
    const said = /^ (?:e (\d+)|d)\n/.exec(rest.subarray(0, mostLine).toString('latin1'))
    // The program may write the mark itself: it is its own word like any other where no end follows.
    if (!said) return rest.length >= mostLine && give(at + mark.length)
    ended = said[1] === undefined ? 'denied' : Number(said[1])
    give(at)
    held = Buffer.alloc(0)
    onEnd()
    return false
  }
  const give = (bytes: number): boolean => {
    if (bytes <= 0) return false
    onPart(held.subarray(0, bytes))
    held = held.subarray(bytes)
    return true
  }
  return {
    push: (part) => {
      if (ended !== null) return // what was left behind says no more
      held = Buffer.concat([held, part])
      if (pid === 0 && !begin()) {
        held = held.subarray(0, mostLine * 1024)
        return
      }
      while (release());
    },
    flush: () => {
      if (pid > 0 && held.length > 0) onPart(held)
      held = Buffer.alloc(0)
    },
    pid: () => pid,
    ended: () => ended,
  }
}
