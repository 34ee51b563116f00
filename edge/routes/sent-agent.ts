import * as z from 'zod'
import { AgentId, RunId, SessionId } from '#shared/contract/ids.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'

/** By what an agent shows that the fleet sent it to a run. */
export const sentAgentHeaders = z.object({ 'x-bench-agent': AgentId, 'x-bench-session': SessionId, 'x-bench-pass': z.string().max(200) })

/** The id of the run that the fleet sent this agent to. Throws `run-not-found`, and `forbidden` where it did not. */
export async function requireSentAgent(
  id: string,
  headers: z.infer<typeof sentAgentHeaders>,
  runs: Pick<Deps['runs'], 'wasSent'>,
): Promise<string> {
  const { 'x-bench-agent': agent_id, 'x-bench-session': session, 'x-bench-pass': pass } = headers
  const run_id = id.toLowerCase()
  const sent = RunId.safeParse(id).success ? await runs.wasSent(run_id, { agent_id, session, pass }) : undefined
  if (sent === undefined) throw new Problem('run-not-found')
  if (!sent) throw new Problem('forbidden', 'The fleet did not send this agent to this run.')
  return run_id
}
