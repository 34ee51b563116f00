import { adviceOn } from '#shared/run/failure-advice.ts'
import { cleanLine } from './terminal.ts'

/** How often trials failed, by class, and below each who must act. */
export function failureLines(failures: readonly (readonly [failure: string, times: number])[]): string[] {
  return failures.flatMap(([failure, times]) => {
    const advice = adviceOn(failure)
    return [`failed  ${times} × ${cleanLine(failure)}`, ...(advice ? [`        ${advice}`] : [])]
  })
}
