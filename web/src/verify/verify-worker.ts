import { findTask } from '#shared/benchmarks/tasks.ts'
import { blobSource } from '#shared/export/byte-source.ts'
import { verifyBundle } from '#shared/export/verify.ts'
import type { TrustedKey, VerifyReport } from '#shared/export/verify-report.ts'
import { findJobName } from '#shared/harbor/survey-job-zip.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'
import { planTrials } from '#shared/run/plan.ts'

export type VerifyRequest = { file: Blob; trustedKeys: TrustedKey[] }
/** `job`: the file is no bundle but a job of Harbor of this name. */
export type VerifyAnswer = { report: VerifyReport } | { job: string } | { error: string }
export type VerifyMessage = VerifyAnswer | { share: number }

const post = (message: VerifyMessage): void => self.postMessage(message)

/** The whole verifier, off the page's thread: a large bundle takes minutes and must not freeze the page. Nothing leaves the browser. */
self.onmessage = async (event: MessageEvent<VerifyRequest>) => {
  const { file, trustedKeys } = event.data
  let told = 0
  try {
    const job = await findJobName(blobSource(file))
    if (job !== undefined) return post({ job })
    const report = await verifyBundle(blobSource(file), {
      trustedKeys,
      tasks: findTask,
      computeMetrics: measureBenchmark,
      plan: planTrials,
      now: new Date(),
      onProgress(done, total) {
        const share = Math.floor((done / total) * 100) / 100
        if (share > told) post({ share })
        told = share
      },
    })
    post({ report })
  } catch (error) {
    post({ error: String(error) })
  }
}
