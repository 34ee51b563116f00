import { PlanPreview } from '#shared/contract/api.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import type { Client } from './client.ts'
import type { Io } from './io.ts'
import { planText } from './plan-text.ts'
import { titleOf } from './run-options.ts'
import { cleanLine, paint } from './terminal.ts'

/** What each of these runs would ask; the first that the service would refuse is thrown, and nothing is started. */
export async function previewRuns(client: Client, bodies: readonly CreateRun[]): Promise<PlanPreview[]> {
  const previews: PlanPreview[] = []
  for (const body of bodies) previews.push(await client.post('/api/runs/plan', body, PlanPreview))
  return previews
}

/** Shows previews; of several each under what is its own. */
export function showPlans(bodies: readonly CreateRun[], previews: readonly PlanPreview[], json: boolean, io: Io): void {
  const several = previews.length > 1
  for (const [at, preview] of previews.entries()) {
    const body = bodies[at]! // one preview a body
    if (json) {
      const { model_id, reasoning_effort } = body
      io.out(JSON.stringify({ type: 'plan', ...(several && { model_id, reasoning_effort }), ...preview }))
      continue
    }
    if (several) io.out(paint(`${at > 0 ? '\n' : ''}run ${at + 1} of ${previews.length}: ${cleanLine(titleOf(body))}`, 'bold', io.colour))
    for (const line of planText(preview, io.columns)) io.out(line)
  }
}
