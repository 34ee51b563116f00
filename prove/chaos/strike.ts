import type { Api, RunState } from './api.ts'
import { persist } from './api.ts'
import { descendants, findPart, type PartName } from './processes.ts'

/** One blow: which processes were killed with SIGKILL or stopped for a while, when, and how long it took to go on. */
export type Strike = {
  how: 'kill' | 'freeze'
  parts: readonly PartName[]
  /** Wall clock in milliseconds, as the ledger has it. */
  at_ms: number
  done: number
  /** Until every part was there again and answered, from the blow. */
  serving_ms: number
  /** Until the run had another result, from the blow; null when it had ended before. */
  going_on_ms: number | null
}

const freezeMs = 5_000
const clock = (): number => performance.timeOrigin + performance.now()
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

export type Striker = {
  /** Strikes and waits until everything serves again and the run goes on. Throws when a part stays away. */
  kill(parts: readonly PartName[]): Promise<Strike>
  freezeAgent(): Promise<Strike>
  /** Whether nothing is struck or coming back at the moment. */
  calm(): boolean
  /** Every process that was ever part of the system. */
  seen: ReadonlySet<number>
}

/** Strikes at the processes below `root`, and at no others. `watch` says where the run under way stands. */
export function createStriker(root: number, api: Api, watch: () => RunState): Striker {
  const seen = new Set<number>()
  let striking = 0
  const lookAround = (): void => {
    for (const { pid } of descendants(root)) seen.add(pid)
  }
  const present = async (part: PartName): Promise<number> => persist(`process ${part}`, async () => findPart(root, part))
  const goingOn = async (from: RunState, at: number): Promise<number | null> => {
    await persist('the run to go on', async () => isOver(watch()) || watch().id !== from.id || watch().done > from.done || undefined)
    return isOver(watch()) && watch().done === from.done ? null : clock() - at
  }
  const finish = async (blow: Pick<Strike, 'how' | 'parts' | 'at_ms' | 'done'>): Promise<Strike> => {
    const serving_ms = clock() - blow.at_ms
    striking -= 1
    const going_on_ms = await goingOn({ ...watch() }, blow.at_ms)
    lookAround()
    return { ...blow, serving_ms, going_on_ms }
  }

  return {
    seen,
    calm: () => striking === 0,
    async kill(parts) {
      const pids = new Map<PartName, number>()
      for (const part of parts) pids.set(part, await present(part))
      const before = await persist('the list of agents', api.trySessions)
      lookAround()
      const { done } = watch()
      striking += 1
      for (const pid of pids.values()) process.kill(pid, 'SIGKILL')
      const at_ms = clock()
      await persist(`${parts.join(' and ')} to serve again`, async () => {
        for (const [part, pid] of pids) if ([undefined, pid].includes(findPart(root, part))) return undefined
        if (!(await api.healthy())) return undefined
        if (!parts.includes('agent')) return true
        return (await api.trySessions())?.some((session) => !before.includes(session)) || undefined
      })
      return finish({ how: 'kill', parts, at_ms, done })
    },
    async freezeAgent() {
      const pid = await present('agent')
      const { done } = watch()
      striking += 1
      process.kill(pid, 'SIGSTOP')
      const at_ms = clock()
      try {
        await pause(freezeMs)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      return finish({ how: 'freeze', parts: ['agent'], at_ms, done })
    },
  }
}

export function isOver({ status }: RunState): boolean {
  return ['succeeded', 'failed', 'canceled', 'incomplete'].includes(status)
}
