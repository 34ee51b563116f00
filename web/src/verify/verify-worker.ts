import { findTask } from '#shared/benchmarks/tasks.ts'
import { verifyBundle } from '#shared/export/verify.ts'
import type { TrustedKey, VerifyReport } from '#shared/export/verify-report.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'
import { planTrials } from '#shared/run/plan.ts'

export type VerifyRequest = { bytes: Uint8Array; trustedKeys: TrustedKey[] }
export type VerifyAnswer = { report: VerifyReport } | { error: string }

/** The whole verifier, off the page's thread: a large bundle takes seconds and must not freeze the page. Nothing leaves the browser. */
self.onmessage = async (event: MessageEvent<VerifyRequest>) => {
  const { bytes, trustedKeys } = event.data
  let answer: VerifyAnswer
  try {
    answer = {
      report: await verifyBundle(bytes, {
        trustedKeys,
        tasks: findTask,
        computeMetrics: measureBenchmark,
        plan: planTrials,
        now: new Date(),
      }),
    }
  } catch (error) {
    answer = { error: String(error) }
  }
  self.postMessage(answer)
}
