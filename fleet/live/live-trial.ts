import type { Role } from '#shared/contract/role.ts'
import type { Step } from '#shared/contract/transcript.ts'
import type { Lease } from '#shared/contract/trial.ts'
import type { WatchedTerminal } from '#shared/solvers/kit.ts'
import type { Screen } from '#shared/terminal/screen.ts'
import type { ReadAnswer } from '../model/answer-reading.ts'

/** A call that has not ended. `read` is null until its answer begins to come; a request that is sent again counts another try. */
export type OpenCall = { call: number; role: Role; tries: number; read: ReadAnswer | null }

/** A trial under way as it can be looked at; what it has told lies here anyway, so that nothing is done for one that nobody watches. */
export type LiveTrial = ReturnType<typeof openLiveTrial>

/** Last words of a solver that are kept. */
const mostSaid = 20
const none: readonly never[] = []

/** Follows one trial; `steps` is its transcript, which grows. */
export function openLiveTrial({ ordinal, attempt }: Pick<Lease, 'ordinal' | 'attempt'>, steps: readonly Step[]) {
  let calls: readonly OpenCall[] = none
  const callOf: number[] = []
  let said: string[] | undefined
  let asked = 0
  let words = 0
  let terminal: WatchedTerminal | undefined
  let shown: { count: number; screen: Screen | null } = { count: 0, screen: null }
  let looking = false
  let nextLook = 0
  return {
    ordinal,
    attempt,
    steps,
    /** The calls under way, in the order of their asking. */
    calls: (): readonly OpenCall[] => calls,
    /** Which call a step was the end of; null for a step of another kind. */
    callOf: (step: number): number | null => callOf[step] ?? null,
    /** What its solver said since so many words of it, and how many there are. */
    said: (since: number): { texts: readonly string[]; count: number } => ({
      texts: said?.slice(Math.max(0, said.length - (words - since))) ?? none,
      count: words,
    }),
    say(text: string): void {
      words++
      said ??= []
      said.push(text)
      if (said.length > mostSaid) said.shift()
    },
    /** A terminal is worked at from now on. */
    show(next: WatchedTerminal): void {
      terminal = next
      nextLook = 0
    },
    /** Has the terminal looked at, where it is time to; what it shows stands in `screen` when the look has come back. */
    look(now_ms: number, clean: (text: string) => string): void {
      const at = terminal
      if (!at || looking || now_ms < nextLook) return
      looking = true
      nextLook = now_ms + at.every_ms
      const seen = (screen: Screen | null): void => {
        looking = false
        if (screen && at === terminal) shown = { count: shown.count + 1, screen }
      }
      at.look(clean).then(seen, () => seen(null)) // a machine that is gone shows nothing
    },
    /** The terminal as it was seen last, and how often it was. */
    screen: () => shown,
    /** A call to a model begins. `end` takes the number of the step that tells it, null where none does. */
    ask(role: Role): { answering(read: ReadAnswer): void; end(step: number | null): void } {
      const open: OpenCall = { call: ++asked, role, tries: 0, read: null }
      calls = [...calls, open]
      return {
        answering(read) {
          open.tries++
          open.read = read
        },
        end(step) {
          calls = calls.filter((one) => one !== open)
          if (step !== null) callOf[step] = open.call
        },
      }
    },
  }
}
