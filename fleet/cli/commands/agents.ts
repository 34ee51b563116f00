import * as z from 'zod'
import { type Agent, AgentList } from '#shared/contract/api.ts'
import { agentState } from '#shared/run/agent-state.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../io.ts'
import { count, duration } from '../numbers.ts'
import { cleanLine, table } from '../terminal.ts'

const columns = [
  { title: 'agent', whole: true },
  { title: 'state' },
  { title: 'busy', right: true },
  { title: 'heard' },
  { title: 'version' },
]

export const agents = defineCommand({
  name: 'agents',
  summary: 'Lists the agents of the fleet: state, load, and time of the last heartbeat. Exit code 1 if no agent can take work.',
  options: {},
  values: z.object({}),
  examples: ['bench agents', 'bench agents --json | jq -r "select(.silent) | .agent_id"'],
  async run({ json, url }, io) {
    const { body, now } = await createClient(io, url).getDated('/api/agents', AgentList)
    const { agents: list } = body
    const rows = list.map((agent) => row(agent, now))
    if (json) for (const agent of list) io.out(JSON.stringify({ ...agent, state: agentState(agent) }))
    else for (const line of list.length > 0 ? table(columns, rows, io.columns) : ['No agent has ever connected.']) io.out(line)
    return list.some((agent) => agent.connected && !agent.silent && !agent.draining) ? exitCodes.ok : exitCodes.error
  },
})

/** `now` is the service's: the clock of this machine may differ. */
function row(agent: Agent, now: number): string[] {
  const age = Math.max(0, now - Date.parse(agent.last_seen))
  const heard = agent.connected && !agent.silent ? 'now' : `${duration(age)} ago`
  return [cleanLine(agent.agent_id), agentState(agent), `${count(agent.running)} of ${count(agent.slots)}`, heard, cleanLine(agent.version)]
}
