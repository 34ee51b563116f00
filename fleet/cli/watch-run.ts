import { Run } from '#shared/contract/api.ts'
import type { Client } from './client.ts'
import { followRun, type Standing } from './follow-run.ts'
import { exitCodes, type Io } from './io.ts'
import { count, duration } from './numbers.ts'
import { runText } from './run-text.ts'
import { cleanLine } from './terminal.ts'

const plainEveryMs = 10_000

/**
 * Follows a run to its end: a progress line on a terminal, a line every ten seconds elsewhere, events as JSON lines with `json`.
 * Shows the result; exit code 0 only for a run that succeeded.
 */
export async function watchRun(client: Client, io: Io, runId: string, mode: { json: boolean; quiet: boolean }): Promise<number> {
  const show = progressOf(io, mode.quiet)
  await followRun(client, io, runId, {
    event: (event) => {
      if (mode.json) io.out(JSON.stringify({ type: 'event', ...event }))
    },
    standing: show,
  })
  const run = await client.get(`/api/runs/${runId}`, Run)
  if (mode.json) io.out(JSON.stringify({ type: 'done', run }))
  else for (const line of [...runText(run, io), '', `${client.url}/runs/${run.id}`]) io.out(line)
  return run.status === 'succeeded' ? exitCodes.ok : exitCodes.error
}

/** Shows standings with rate and remaining time; the rate counts from the first one seen. */
export function progressOf(io: Io, quiet: boolean): (standing: Standing) => void {
  let first: { done: number; atMs: number } | undefined
  let lastPlainMs = Number.NEGATIVE_INFINITY
  return (standing) => {
    const nowMs = io.now()
    first ??= { done: standing.done, atMs: nowMs }
    const line = progressLine(standing, (standing.done - first.done) / Math.max(1, nowMs - first.atMs))
    if (io.interactive) return io.progress(line)
    if (quiet || nowMs - lastPlainMs < plainEveryMs) return
    lastPlainMs = nowMs
    io.err(line)
  }
}

function progressLine(standing: Standing, perMs: number): string {
  const { done, total, right, wrong, failed, waiting, status } = standing
  const parts = [`${status}  ${count(done)}/${count(total)}`, `${count(right)} right, ${count(wrong)} wrong, ${count(failed)} failed`]
  if (perMs > 0 && done < total) parts.push(`${(perMs * 1000).toFixed(1)}/s`, `${duration((total - done) / perMs)} left`)
  if (waiting) parts.push(`waiting: ${cleanLine(waiting, 80)}`)
  return parts.join('  ·  ')
}
