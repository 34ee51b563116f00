import type { SandboxProvider } from '#fleet/trial/resources.ts'
import type { OpenedTask, Task } from '#shared/benchmarks/task.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { scriptedKit } from '#shared/solvers/testing/scripted-kit.ts'
import { type CheatCase, isKnownToPass } from './cheat-book.ts'

/** What came of an answer: its value, why and with which flags, or why it could not be found here. */
export type Played = { one: CheatCase; value: number; why: string; flags: readonly string[] } | { one: CheatCase; missing: string }

/** Whether an answer came to what it had to: a cheat that officially passes does so here too, with its flag, or it is no exception any more. */
export function held(played: Played): boolean {
  if ('missing' in played) return false
  const { value, flags } = played
  const { want } = played.one
  if (typeof want === 'number') return value === want
  return isKnownToPass(want) ? value === 1 && (want.flag === null || flags.includes(want.flag)) : value <= want.most
}

/** Puts one answer through the benchmark's own solver and scorer, in a sandbox of this machine. */
export async function playCheat(
  task: Task,
  profile: string,
  opened: OpenedTask,
  one: CheatCase,
  sandboxes: Pick<SandboxProvider, 'open'>,
): Promise<Played> {
  const item = await opened.item(one.index, 0)
  await using boxes = new AsyncDisposableStack()
  const kit = {
    ...scriptedKit({ model: one.answers }),
    now: () => performance.now(),
    hidden: async () => ({ ok: true as const, value: (await opened.hidden?.(one.index)) ?? null }),
    async sandbox(spec: Parameters<SandboxProvider['open']>[0]) {
      const box = await sandboxes.open(spec, new AbortController().signal)
      if (box.ok) boxes.use(box.value)
      return box
    },
  }
  const solved = await task.solver(profile, {})(item, kit)
  if (!solved.ok) return { one, missing: solved.failure.detail }
  const { value, explanation, flags } = task.score(item, solved.value, profile, noTables)
  return { one, value, why: explanation, flags }
}
