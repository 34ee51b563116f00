import type { TrustedKey } from '#shared/export/verify-report.ts'
import type { VerifyAnswer, VerifyRequest } from './verify-worker.ts'

/** Verifies a bundle in a worker of this browser. */
export async function verifyFile(file: Blob, trustedKeys: TrustedKey[]): Promise<VerifyAnswer> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve) => {
      worker.onmessage = (event: MessageEvent<VerifyAnswer>) => resolve(event.data)
      worker.onerror = (event) => resolve({ error: event.message || 'The verifier could not be loaded.' })
      worker.postMessage({ bytes, trustedKeys } satisfies VerifyRequest, [bytes.buffer])
    })
  } finally {
    worker.terminate()
  }
}
