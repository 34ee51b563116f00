import type { Clock } from '#shared/run/clock.ts'
import type { AgentSandboxes } from './open-sandboxes.ts'

/** The sandboxes of an agent while it lives. */
export type LivingSandboxes = {
  /** Those that hold by now, once they have been tried for the first time. */
  latest(): Promise<AgentSandboxes>
  /** Hears of them when they were tried for the first time, and each time that one more of them holds. */
  onFound(hear: (sandboxes: AgentSandboxes) => void): void
  close(): Promise<void>
}

/** The first wait before what did not hold is tried again, and the longest: a machine that was full is soon not, one without a kernel's feature stays so. */
export const firstWait_ms = 60_000
export const longestWait_ms = 1_800_000

/** Keeps trying what did not hold, with growing waits: a machine that was full or not yet set up when its agent began has its sandboxes later. */
export function keepTrying(first: Promise<AgentSandboxes>, clock: Clock, tell: (line: string) => void = () => undefined): LivingSandboxes {
  let latest = first
  let closed = false
  let cancel: () => void = () => undefined
  const heard: ((sandboxes: AgentSandboxes) => void)[] = []
  const holding = ({ resources }: AgentSandboxes): string => resources.proofs.flatMap(({ kind, ok }) => (ok ? [kind] : [])).join(', ')
  const wait = (sandboxes: AgentSandboxes, ms: number): void => {
    const { again } = sandboxes
    if (again === null || closed) return
    cancel = clock.after(ms, () => {
      const trying = again()
      latest = trying.then((found) => {
        if (holding(found) !== holding(sandboxes)) {
          tell(`sandboxes that hold now: ${holding(found)}`)
          for (const hear of heard) hear(found)
        }
        wait(found, Math.min(longestWait_ms, ms * 2))
        return found
      })
    })
  }
  void first.then((sandboxes) => {
    for (const hear of heard) hear(sandboxes)
    wait(sandboxes, firstWait_ms)
  })
  return {
    latest: () => latest,
    onFound: (hear) => void heard.push(hear),
    close: async () => {
      closed = true
      cancel()
      await (await latest).close()
    },
  }
}
