import type { CommandAgent } from '../contract/command-agent.ts'
import { officialTerminus2 } from '../terminus/official-texts.ts'
import { ownTerminus2 } from '../terminus/own-texts.ts'
import { officialTerminus1 } from '../terminus/terminus1-texts.ts'
import { commandWorker } from './command-worker.ts'
import { terminus1, terminus2 } from './terminus-worker.ts'
import { nop, oracle, type Worker } from './worker.ts'

/** The worker of a profile; an unknown one is the model in our own words. `agent`: the command that the run was planned with. */
export function workerOf(profile: string, texts: Record<string, string>, agent: CommandAgent | null = null): Worker {
  if (agent) return commandWorker(agent)
  const unknown = { context_tokens: null, output_tokens: null }
  switch (profile) {
    case 'oracle':
      return oracle
    case 'nop':
      return nop
    case 'terminus-2':
      return terminus2({ texts: officialTerminus2('harbor', 'json', texts), ...unknown })
    case 'terminus-2-xml':
      return terminus2({ texts: officialTerminus2('harbor', 'xml', texts), ...unknown })
    case 'terminus-1':
      return terminus1(officialTerminus1(texts))
    default:
      return terminus2({ texts: ownTerminus2('json'), ...unknown })
  }
}
