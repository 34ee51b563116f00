import * as z from 'zod'
import { Blocks } from './blocks.ts'
import { Resources } from './resources.ts'

/** An agent as the fleet knows it now, or as it was last seen. */
export const Agent = z.object({
  agent_id: z.string(),
  /** Null for those who do not operate the service, as is `host`. */
  session: z.string().nullable(),
  host: z.string().nullable(),
  version: z.string(),
  capabilities: z.array(z.string()),
  /** Null for one that does not say it, and for those that are gone. */
  resources: Resources.nullable().default(null),
  slots: z.int(),
  free_slots: z.int(),
  running: z.int(),
  draining: z.boolean(),
  connected: z.boolean(),
  /** Connected, but not heard for longer than it should be: frozen, or its machine is. */
  silent: z.boolean().default(false),
  /** Null for one that does not say it, and for those that are gone. */
  blocks: Blocks.nullable().default(null),
  first_seen: z.string(),
  last_seen: z.string(),
})
export type Agent = z.infer<typeof Agent>
export const AgentList = z.object({
  agents: z.array(Agent),
  runs: z.array(z.object({ run_id: z.string(), agents: z.int(), slots: z.int() })),
  /** Agents that came under a name that is another's, for the operator: the newest of each name. */
  refused: z.array(z.object({ agent_id: z.string(), host: z.string(), at: z.string(), times: z.int() })).default([]),
})
export type AgentList = z.infer<typeof AgentList>
