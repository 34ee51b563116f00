import { adviceOn } from '#shared/run/failure-advice.ts'
import { cleanLine, indented } from './terminal.ts'

/** How often trials failed, by class, and below each who must act. `width` is the terminal's. */
export function failureLines(failures: readonly (readonly [failure: string, times: number])[], width: number | null): string[] {
  return failures.flatMap(([failure, times]) => {
    const advice = adviceOn(failure)
    return [`failed  ${times} × ${cleanLine(failure)}`, ...(advice ? indented(advice, 8, width) : [])]
  })
}
