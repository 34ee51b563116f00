import type { PreflightState } from '../contract/preflight.ts'
import type { PlannedBenchmark } from '../contract/run.ts'

/** Benchmarks whose questions offer tools to the model in the form of the API; agents at terminals bring their own way. */
export const offeringTools: ReadonlySet<string> = new Set([
  'janus_cost',
  'janus_public',
  'janus_research',
  'janus_tool_use',
  'tau2_bench_telecom',
])

type Planned = Pick<PlannedBenchmark, 'name' | 'params'>

/** Whether a planned benchmark offers tools that the server must pass on: those that are described in the question's text, it cannot drop. */
export const needsTools = ({ name, params }: Planned): boolean => offeringTools.has(name) && params.tool_calling !== 'text'

/** A sentence for beside the score of a benchmark whose tools the model never saw, as the pre-flight found; null elsewhere. */
export function toolsNote(preflight: Pick<PreflightState, 'found'> | undefined, planned: Planned): string | null {
  if (preflight?.found?.tools !== 'dropped' || !needsTools(planned)) return null
  return 'The server drops tools, so the model did not see any: the score says nothing about it. Run it again with tool calling as text (--tool-calling text).'
}
