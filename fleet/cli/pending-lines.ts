import { RunPending } from '#shared/contract/pending.ts'
import { pendingText, reasonText } from '#shared/run/pending-text.ts'
import type { Client } from './client.ts'

/** Why a run has fewer trials under way than it could have; undefined where the service does not tell. */
export const askPending = (client: Client, run_id: string): Promise<RunPending | undefined> =>
  client.get(`/api/runs/${run_id}/pending`, RunPending).catch(() => undefined)

/** What a run that no agent works on waits for: the first reason, each other one, and what is to be done. */
export function pendingLines(pending: RunPending): string[] {
  const { title, text } = pendingText(pending)
  const others = pending.given === 0 ? pending.reasons.slice(1) : []
  return [title, ...others.map((reason) => `  also: ${reasonText(reason)}`), text]
}
