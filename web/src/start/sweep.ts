import type { CreateRun } from '#shared/contract/create-run.ts'
import type { SweptLevel } from '#shared/contract/swept-levels.ts'

/** What a sweep changes: further models by their slugs, and levels of reasoning in place of the one that is chosen. */
export type Sweep = { also: readonly string[]; levels: readonly SweptLevel[] }

/** Most runs of a sweep: each is planned while somebody chooses. */
export const mostSwept = 24

/** A run of a sweep, with what tells it from the others. */
export type SweptRun = { title: string; body: Partial<CreateRun> }

/**
 * The runs that a request stands for: one for each model and level, alike in everything else. A request without a sweep is one run. `tag` is what the runs
 * of a sweep are found by.
 */
export function sweptRuns(request: Partial<CreateRun>, { also, levels }: Sweep, tag: string): SweptRun[] {
  const model = request.model_id ?? ''
  const models = [{ model_id: model, provider: request.provider ?? null }, ...others(also, model)]
  const asked: (SweptLevel | undefined)[] = levels.length > 0 ? [...levels] : [undefined]
  const runs = models.flatMap((one) =>
    asked.map((level) => {
      const title = level === undefined ? one.model_id : `${one.model_id} · ${level}`
      const own = { ...one, ...(level !== undefined && { reasoning_effort: level, reasoning_budget_tokens: null }) }
      return { title, body: { ...request, ...own } }
    }),
  )
  if (runs.length === 1) return runs
  const named = (title: string) => `${request.name ? `${request.name} · ` : ''}${title}`.slice(-120)
  return runs.slice(0, mostSwept).map(({ title, body }) => ({
    title,
    body: { ...body, name: named(title), tags: [...(request.tags ?? []), tag] },
  }))
}

/** Each other model once; any provider that serves it. */
const others = (also: readonly string[], model: string) =>
  [...new Set(also)].filter((slug) => slug !== model).map((model_id) => ({ model_id, provider: null }))
