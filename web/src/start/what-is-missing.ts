import type { ApiProblem } from '../api.ts'

/** Why Run cannot be pressed, in a few words for the button; undefined when it can. A server that is away is asked again by pressing it. */
export function whatIsMissing(state: {
  model: boolean
  benchmarks: number
  refused: Pick<ApiProblem, 'status'> | undefined
  planned: boolean
}): string | undefined {
  if (!state.model) return 'Choose a model'
  if (state.benchmarks === 0) return 'Choose a benchmark'
  if (state.refused && state.refused.status >= 400 && state.refused.status < 500 && state.refused.status !== 429) return 'Refused, see why'
  return state.planned || state.refused ? undefined : 'Planning'
}
