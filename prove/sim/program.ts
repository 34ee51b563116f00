import { type Agent, startAgent } from '../../fleet/agent.ts'
import { silent } from '../../shared/telemetry/telemetry.ts'
import type { VirtualClock } from './clock.ts'
import { equipWith } from './equipment.ts'
import type { Network } from './network.ts'
import { createLives } from './process.ts'
import type { Random } from './random.ts'

type Equipped = Omit<Parameters<typeof equipWith>[0], 'agent' | 'clock'>
export type ProgramOptions = Equipped & {
  name: string
  skewMs: number
  world: VirtualClock
  network: Network
  /** The process is no more, or left without having been heard: what it knew and nobody else is lost. */
  onUnheard(life: string): void
  /** The process is no more. */
  onKilled(life: string): void
}

/** A worker that leaves waits so long at most to be heard; a connection that is half open is found out after 35 s. */
const troubleMs = 70_000

/** A host on which the real agent is started, killed, frozen, drained and started again. */
export function createProgram(options: ProgramOptions) {
  const { name, skewMs, world, network, random, onUnheard, onKilled } = options
  let lives = createLives(world)
  let agent: Agent | undefined
  let count = 0
  let life = ''

  const start = (): void => {
    lives = createLives(world)
    life = `${name}-${++count}`
    const clock = lives.clock(skewMs)
    const session = `session-${life}`
    const own = life
    agent = startAgent({
      edgeUrl: 'http://edge.test',
      token: 'agt_12345678',
      agentId: name,
      secret: `the secret of ${name}`,
      host: name,
      version: '1',
      capabilities: ['llm', 'provider:demo'],
      slots: options.slots,
      equip: (gateOf) => equipWith({ ...options, agent: life, clock }, gateOf),
      telemetry: {
        ...silent,
        log(_level, line) {
          if (line.startsWith('run ') && !line.includes('joined') && lives.isTroubled(troubleMs)) onUnheard(own)
        },
      },
      link: { clock, random: random.next, newId: () => session, dial: (url, _token, events) => network.dial(lives, url, events) },
    })
    const mine = agent
    void agent.finished.then(() => {
      if (agent === mine) agent = undefined
    })
  }
  return {
    name,
    start,
    isRunning: () => agent !== undefined,
    kill(silently: boolean): void {
      if (!agent) return
      agent = undefined
      lives.end()
      network.leave(lives, silently)
      onUnheard(life)
      onKilled(life)
    },
    freeze: () => lives.freeze(),
    thaw: () => lives.thaw(),
    /** SIGTERM: it hands back what it holds and ends; one that stands still hears of it when it goes on. */
    drain: () => lives.binder()(() => void agent?.drain())(),
    cutOne: () => network.cutOne(lives),
  }
}
export type Program = ReturnType<typeof createProgram>
export type { Random }
