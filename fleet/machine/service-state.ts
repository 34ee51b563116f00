import { setTimeout as sleep } from 'node:timers/promises'
import type { Container } from 'dockerode'
import * as z from 'zod'
import type { ServiceCondition } from '#shared/solvers/machine-services.ts'

const Inspected = z.object({
  State: z.object({
    Status: z.string(),
    ExitCode: z.number().default(0),
    Health: z.object({ Status: z.string(), Log: z.array(z.object({ Output: z.string().default('') })).nullish() }).nullish(),
  }),
})

/** `standing`: healthy where it has a check, else running: what Compose waits for at the end. */
export type Awaited = ServiceCondition | 'standing'
/** How often it is looked, in milliseconds. */
const pause_ms = 200

/** Waits until a container is as it is wanted. Gives null, or why it never will be. Throws the signal's reason. */
export async function awaitService(container: Container, wanted: Awaited, signal: AbortSignal): Promise<string | null> {
  for (;;) {
    const { State } = Inspected.parse(await container.inspect())
    const answer = judge(State, wanted)
    if (answer !== 'later') return answer
    await sleep(pause_ms, undefined, { signal })
  }
}

type State = z.infer<typeof Inspected>['State']

/** Null: it is so; a text: why it cannot be any more. */
function judge({ Status, ExitCode, Health }: State, wanted: Awaited): string | null | 'later' {
  const has = Health && Health.Status !== 'none' ? Health : null
  if (wanted === 'started') return null
  if (Status === 'created' || Status === 'restarting') return 'later'
  const ended = Status !== 'running'
  if (wanted === 'completed') return ended ? (ExitCode === 0 ? null : `it ended with exit code ${ExitCode}`) : 'later'
  if (ended) return `it ended with exit code ${ExitCode}`
  if (has === null) return wanted === 'healthy' ? 'it has no health check' : null
  if (has.Status === 'healthy') return null
  if (has.Status === 'unhealthy') return `its health check never held: ${has.Log?.at(-1)?.Output.trim() || 'it said nothing'}`
  return 'later'
}
