import { findTask } from '#shared/benchmarks/tasks.ts'
import { blobSource } from '#shared/export/byte-source.ts'
import { verifyBundle, verifyFiles } from '#shared/export/verify.ts'
import type { VerifyOptions } from '#shared/export/verify-options.ts'
import type { TrustedKey, VerifyReport } from '#shared/export/verify-report.ts'
import { findJobName } from '#shared/harbor/survey-job-zip.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'
import { planTrials } from '#shared/run/plan.ts'
import { type ChosenFolder, openBundleFolder } from './bundle-folder.ts'

export type VerifyRequest = { given: File | ChosenFolder; trustedKeys: TrustedKey[] }
/** `job`: the file is no bundle but a job of Harbor of this name. */
export type VerifyAnswer = { report: VerifyReport } | { job: string } | { error: string }
export type VerifyMessage = VerifyAnswer | { share: number }

const post = (message: VerifyMessage): void => self.postMessage(message)

/** The whole verifier, off the page's thread: a large bundle takes minutes and must not freeze the page. Nothing leaves the browser. */
self.onmessage = async (event: MessageEvent<VerifyRequest>) => {
  const { given, trustedKeys } = event.data
  let told = 0
  const onProgress = (done: number, total: number) => {
    const share = Math.floor((done / total) * 100) / 100
    if (share > told) post({ share })
    told = share
  }
  const options = { trustedKeys, tasks: findTask, computeMetrics: measureBenchmark, plan: planTrials, now: new Date(), onProgress }
  try {
    if (!(given instanceof File)) return post({ report: await verifyFolder(given, options) })
    const job = await findJobName(blobSource(given))
    if (job !== undefined) return post({ job })
    const report = await verifyBundle(blobSource(given), options)
    post({ report })
  } catch (error) {
    post({ error: String(error) })
  }
}

function verifyFolder(folder: ChosenFolder, options: VerifyOptions): Promise<VerifyReport> {
  // Twice: for the hashes, and as records.
  const total = 2 * folder.files.reduce((sum, { file }) => sum + file.size, 0)
  return verifyFiles(async () => openBundleFolder(folder, (bytes) => options.onProgress?.(Math.min(bytes, total), total)), options)
}
