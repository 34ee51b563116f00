import type { OtlpTarget } from './otlp-target.ts'

/** How a request is made here; both platforms' `fetch` fits. */
export type Post = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; redirect: 'error' | 'manual' },
) => Promise<{ ok: boolean; status: number }>

/** Pushes a body made by `encodeOtlp`; null when it was taken, else why not. Never throws. */
export async function pushOtlp({ url, headers }: OtlpTarget, body: unknown, post: Post): Promise<string | null> {
  try {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
    } as const
    const { ok, status } = await post(url, init)
    return ok ? null : `HTTP ${status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
