import { PlanPreview } from '#shared/contract/api.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import type { Client } from './client.ts'
import { CommandError, type Io } from './io.ts'
import { planText } from './plan-text.ts'
import { titleOf } from './run-options.ts'
import { cleanLine, paint } from './terminal.ts'

/** A run that is to be started, and what it would ask. */
export type Previewed = { body: CreateRun; preview: PlanPreview }

/**
 * What each of these runs would ask; the first that the service would refuse is thrown, and nothing is started. Of a sweep over levels
 * those that a model does not take are left out and told; where none is left the last refusal is thrown.
 */
export async function previewRuns(client: Client, bodies: readonly CreateRun[], sweeps: boolean, io: Io): Promise<Previewed[]> {
  return eachTaken(bodies, sweeps, io, async (body) => ({ body, preview: await client.post('/api/runs/plan', body, PlanPreview) }))
}

/** What `make` makes of each, without those of a sweep whose level the model does not take. */
export async function eachTaken<T>(
  bodies: readonly CreateRun[],
  sweeps: boolean,
  io: Io,
  make: (body: CreateRun) => Promise<T>,
): Promise<T[]> {
  const made: T[] = []
  let last: unknown
  for (const body of bodies) {
    try {
      made.push(await make(body))
    } catch (error) {
      if (!sweeps || !isLevelRefused(error)) throw error
      io.err(`left out: ${cleanLine(titleOf(body))}: ${cleanLine(error.message, 300)}`)
      last = error
    }
  }
  if (made.length === 0 && last !== undefined) throw last
  return made
}

const isLevelRefused = (error: unknown): error is CommandError => error instanceof CommandError && error.pointer === '/reasoning_effort'

/** Shows previews; of several each under what is its own. */
export function showPlans(previewed: readonly Previewed[], json: boolean, io: Io): void {
  const several = previewed.length > 1
  for (const [at, { body, preview }] of previewed.entries()) {
    if (json) {
      const { model_id, reasoning_effort, reasoning_budget_tokens } = body
      io.out(JSON.stringify({ type: 'plan', ...(several && { model_id, reasoning_effort, reasoning_budget_tokens }), ...preview }))
      continue
    }
    if (several) io.out(paint(`${at > 0 ? '\n' : ''}run ${at + 1} of ${previewed.length}: ${cleanLine(titleOf(body))}`, 'bold', io.colour))
    for (const line of planText(preview, io.columns)) io.out(line)
  }
}
