import type { Tool } from '../../contract/message.ts'
import { type Domain, type Party, type World, type WorldAnswer, WorldBroken } from '../world.ts'

const tool = (name: string): Tool => ({ name, description: name, parameters: { type: 'object', properties: {} } })

/**
 * A small world for tests of dialogues: a lamp that the user may switch when the agent's line has power. `flicker` makes the switch answer otherwise in
 * every world after the first, `dark` makes syncing raise so many times.
 */
export function lampDomain({ flicker = false, dark = 0 } = {}): Domain {
  let opened = 0
  let raise = dark
  const changing: Record<Party, readonly string[]> = { assistant: ['power'], user: ['switch'] }
  return {
    tools: { assistant: [tool('power'), tool('look'), tool('transfer')], user: [tool('switch')] },
    open(): World {
      const number = opened++
      const state = { assistant: { line: { power: false } }, user: { lamp: 'off' } }
      const acts: Record<Party, Record<string, (args: string) => string>> = {
        assistant: {
          power(args) {
            state.assistant.line.power = JSON.parse(args).on !== false
            return String(state.assistant.line.power)
          },
          look: () => JSON.stringify(state.user),
          transfer: () => 'Transfer successful',
        },
        user: {
          switch() {
            if (!state.assistant.line.power) throw new Error('no power')
            state.user.lamp = state.user.lamp === 'on' ? 'off' : 'on'
            return flicker ? `the lamp is ${state.user.lamp}, world ${number}` : `the lamp is ${state.user.lamp}`
          },
        },
      }
      return {
        respond({ party, name, arguments: written }): WorldAnswer {
          const act = acts[party][name]
          if (!act) return { content: `Error: Tool '${name}' not found.`, error: true }
          try {
            return { content: act(written), error: false }
          } catch (error) {
            return { content: `Error: ${(error as Error).message}`, error: true }
          }
        },
        sync() {
          if (raise-- > 0) throw new WorldBroken('the line was not found')
        },
        prepare: (actions) => actions.forEach(({ party, name, args }) => void acts[party][name]!(args)),
        holds: ({ args, value }) => (state.user.lamp === JSON.parse(args).lamp) === value,
        changes: (party, name) => changing[party].includes(name),
        state: () => JSON.parse(JSON.stringify(state)),
      }
    },
  }
}
