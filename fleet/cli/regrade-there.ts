import { type LeftOutEpisode, RegradeComparison, type RegradedEpisode, RegradeStarted } from '#shared/contract/regrade.ts'
import type { Client } from './client.ts'
import { followRun } from './follow-run.ts'
import type { Io } from './io.ts'
import { progressOf } from './progress-line.ts'
import type { RegradedTrial } from './regrade-run.ts'

/** How long an ended run's last results may take on their way to the record, in looks of half a second. */
const mostLooks = 60

/** Has the service grade the episodes of a run again, follows the run that does it to its end, and gives both rewards of each. */
export async function regradeThere(client: Client, run_id: string, task_id: string | undefined, io: Io): Promise<RegradedTrial[]> {
  const started = await client.post(`/api/runs/${run_id}/regrade`, task_id === undefined ? {} : { task_id }, RegradeStarted)
  io.err(`${started.message}: ${client.url}/runs/${started.run_id}`)
  const show = progressOf(io, false)
  await followRun(client, io, started.run_id, { head: (head) => show(head, null) })
  for (let look = 1; ; look++) {
    const compared = await client.get(`/api/runs/${started.run_id}/regrade`, RegradeComparison)
    const waiting = compared.listed.some(({ outcome }) => outcome === null)
    if (!waiting || look >= mostLooks) return [...compared.listed.map(toRegraded), ...started.left_out.map(toSkipped)]
    await io.pause(500)
  }
}

function toRegraded({ benchmark, item_id, source_id, epoch_before: epoch, before, after, why }: RegradedEpisode): RegradedTrial {
  const trial = { benchmark, item_id, source_id, epoch, before }
  return after === null ? { ...trial, skipped: why ?? 'its run ended before it was graded' } : { ...trial, after }
}

const toSkipped = ({ benchmark, item_id, source_id, epoch, why }: LeftOutEpisode): RegradedTrial => {
  return { benchmark, item_id, source_id, epoch, before: null, skipped: why }
}
