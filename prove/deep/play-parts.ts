import type { DeepPart } from './parts.ts'

export type DeepOutcome = { name: string; seconds: number; failure: string | null; ran: boolean }

/** Runs one part within so many milliseconds; resolves with the sentence that says why it failed, or null. */
export type RunPart = (part: DeepPart, args: readonly string[], limitMs: number) => Promise<string | null>

/**
 * Plays parts one after the other in the time there is. A part without a brief form, or for whose limit the time left is too short, is told as
 * not run; it is no failure.
 */
export async function playParts(
  parts: readonly DeepPart[],
  run: RunPart,
  options: { brief: boolean; limitMs: number; now?: () => number },
): Promise<DeepOutcome[]> {
  const now = options.now ?? (() => Date.now())
  const endMs = now() + options.limitMs
  const outcomes: DeepOutcome[] = []
  for (const part of parts) {
    const args = options.brief ? part.brief : part.args
    const startMs = now()
    const limitMs = options.brief ? part.minutes * 60_000 : Number.POSITIVE_INFINITY
    const ran = args !== null && (options.brief ? startMs + limitMs <= endMs : startMs < endMs)
    const failure = ran ? await run(part, args, limitMs) : null
    outcomes.push({ name: part.name, seconds: (now() - startMs) / 1000, failure, ran })
  }
  return outcomes
}

/** One line for each part. */
export const outcomeLines = (outcomes: readonly DeepOutcome[]): string[] =>
  outcomes.map(({ name, seconds, failure, ran }) => {
    if (!ran) return `not run  ${name}`
    return failure === null ? `ok  ${name}  ${seconds.toFixed(1)} s` : `FAILED  ${name}  ${seconds.toFixed(1)} s: ${failure}`
  })
