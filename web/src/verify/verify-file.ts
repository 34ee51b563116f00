import type { TrustedKey } from '#shared/export/verify-report.ts'
import type { ChosenFolder } from './bundle-folder.ts'
import type { VerifyAnswer, VerifyMessage, VerifyRequest } from './verify-worker.ts'

/**
 * Verifies an archive, or the folder of an unpacked archive, piece by piece in a web worker.
 * `onProgress` gets the finished share of the work, from 0 to 1.
 */
export async function verifyFile(
  given: File | ChosenFolder,
  trustedKeys: TrustedKey[],
  onProgress: (share: number) => void,
): Promise<VerifyAnswer> {
  const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<VerifyMessage>) => {
        if ('share' in data) onProgress(data.share)
        else resolve(data)
      }
      worker.onerror = (event) => resolve({ error: event.message || 'The verifier could not be loaded.' })
      worker.postMessage({ given, trustedKeys } satisfies VerifyRequest)
    })
  } finally {
    worker.terminate()
  }
}
