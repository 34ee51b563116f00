import { Step } from '../contract/transcript.ts'

/** Bytes of a file from `from` to before `to`; what it throws passes through. */
export type ReadBytes = (from: number, to: number) => Promise<Uint8Array>
export type StepLines = {
  /** The next steps, at most so many; fewer only at the end. */
  next(most: number): Promise<Step[]>
  /** Whether there are no more. */
  ended(): boolean
}

const stretchBytes = 256 * 1024

/**
 * Reads a transcript that was kept as JSON lines, `bytes` long, stretch by stretch and no further than asked for. A line that is no step, such
 * as one of a later version, stands there as a note that says so. A call that throws can be repeated: nothing is lost.
 */
export function openStepLines(read: ReadBytes, bytes: number, stretch = stretchBytes): StepLines {
  const decoder = new TextDecoder()
  const lines: string[] = []
  let at = 0
  let rest = ''
  let lastMs = 0
  const readOn = async () => {
    const piece = await read(at, Math.min(at + stretch, bytes))
    if (piece.length === 0) throw new RangeError(`the transcript ends after ${at} of ${bytes} bytes`)
    at += piece.length
    const parts = (rest + decoder.decode(piece, { stream: at < bytes })).split('\n')
    rest = at < bytes ? parts.pop()! : '' // splitting gives one part at least
    lines.push(...parts.filter((line) => line.trim() !== ''))
  }
  const toStep = (line: string): Step => {
    const step = Step.safeParse(parseJson(line))
    if (step.success) lastMs = step.data.at_ms
    return step.success ? step.data : { type: 'note', at_ms: lastMs, text: 'A step that this version cannot read' }
  }
  return {
    async next(most) {
      while (lines.length < most && at < bytes) await readOn()
      return lines.splice(0, most).map(toStep)
    },
    ended: () => at >= bytes && lines.length === 0,
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
