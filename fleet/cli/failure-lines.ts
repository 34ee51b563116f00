import type { RunHead } from '#shared/contract/run.ts'
import { adviceOn } from '#shared/run/failure-advice.ts'
import { cleanLine, indented } from './terminal.ts'

/** How often trials failed, by class, and below each what its failures share, else who must act. `width` is the terminal's. */
export function failureLines(
  failures: readonly (readonly [failure: string, times: number])[],
  width: number | null,
  causes: RunHead['causes'] = {},
): string[] {
  return failures.flatMap(([failure, times]) => {
    const advice = cleanLine(adviceOn(failure, causes[failure]), 300)
    return [`failed  ${times} × ${cleanLine(failure)}`, ...(advice ? indented(advice, 8, width) : [])]
  })
}
