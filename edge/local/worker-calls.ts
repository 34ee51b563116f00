import * as z from 'zod'

const pollMs = 50
const callTimeoutMs = 5_000

/** Resolves when the Worker counts a connected agent; ends without an answer when `signal` fires. */
export async function waitForAgent(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  while (!signal.aborted) {
    const status = await fetch(`${url}/api/status`, { signal: AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]) })
      .then((response) => response.json())
      .catch(() => undefined)
    const agents = z.object({ agents: z.int() }).safeParse(status)
    if (agents.success && agents.data.agents > 0) return {}
    await new Promise((done) => setTimeout(done, pollMs))
  }
  throw new Error('the agent ended')
}

/** Has the Worker read the provider's catalogue; gives one line that says how it went. */
export async function syncModels(url: string, adminSecret: string): Promise<string> {
  try {
    const response = await fetch(`${url}/api/admin/sync-models`, { method: 'POST', headers: { 'x-admin-secret': adminSecret } })
    const body = z.object({ message: z.string().optional(), detail: z.string().optional() }).parse(await response.json())
    return response.ok ? (body.message ?? 'catalogue read') : `the catalogue could not be read: ${body.detail ?? `HTTP ${response.status}`}`
  } catch (error) {
    return `the catalogue could not be read: ${error instanceof Error ? error.message : error}`
  }
}
