import { RunPending } from '#shared/contract/pending.ts'
import { pendingText, reasonText } from '#shared/run/pending-text.ts'
import type { Client } from './client.ts'

/** Asks the service why a run waits. Returns undefined if the service does not answer. */
export const askPending = (client: Client, run_id: string): Promise<RunPending | undefined> =>
  client.get(`/api/runs/${run_id}/pending`, RunPending).catch(() => undefined)

/** Formats the reasons for which a run waits, and the remedy. */
export function pendingLines(pending: RunPending): string[] {
  const { title, text } = pendingText(pending)
  const others = pending.given === 0 ? pending.reasons.slice(1) : []
  return [title, ...others.map((reason) => `  also: ${reasonText(reason)}`), text]
}
