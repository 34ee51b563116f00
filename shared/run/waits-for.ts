import type * as z from 'zod'
import type { Status } from '../contract/api.ts'

type Fleet = Pick<z.infer<typeof Status>, 'agents' | 'silent_agents' | 'free_slots'>
type Told = { calm: boolean; title: string; text: string }

/** What a run without agents waits for, as far as the fleet tells; undefined: it has not been asked yet. */
export function waitsFor(fleet: Fleet | undefined): Told {
  if (!fleet) return { calm: true, title: 'The run waits for an agent.', text: 'It begins by itself; nothing is lost meanwhile.' }
  const { agents, silent_agents, free_slots } = fleet
  const them = agents === 1 ? 'the one agent' : `all ${agents} agents`
  if (agents === 0 && silent_agents > 0)
    return {
      calm: false,
      title: `The run waits for an agent: ${silent_agents === 1 ? 'the only one has' : `all ${silent_agents} have`} not been heard for 15 s or longer.`,
      text: 'It goes on by itself when one is heard again or another joins.',
    }
  if (agents === 0)
    return {
      calm: false,
      title: 'The run waits for an agent: none is connected.',
      text: 'The operator of this service starts one; the run then begins by itself, and nothing is lost.',
    }
  if (free_slots === 0)
    return {
      calm: true,
      title: `The run waits for its turn: ${them} ${agents === 1 ? 'is' : 'are'} busy.`,
      text: 'It begins by itself when slots get free.',
    }
  return {
    calm: true,
    title: `The run waits to be taken: ${agents === 1 ? 'an agent is' : `${agents} agents are`} connected with ${free_slots} free slots.`,
    text: 'It begins within seconds, unless none of them reaches its provider with a key.',
  }
}
