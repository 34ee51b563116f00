import type { LiveEntry } from '#shared/contract/live.ts'
import type { Reading } from '../model/answer-reading.ts'
import { drawnScreen } from './drawn-screen.ts'
import type { LiveTrial, OpenCall } from './live-trial.ts'
import { leftOut, shortStep } from './short-step.ts'

/** Most of one frame, in UTF-16 units of the JSON of its entries; steps leave room for what is being answered. */
const mostFrame = 32_000
const mostSteps = 20_000
/** Most of one part of an answer in one frame: of more than that the end is told. */
const mostPart = 8000
const mostWords = 500

type Told = { tries: number; reading: Reading; text: number; reasoning: number }

/** What one watcher has been told of a trial. `next` gives what is new, within the bounds of a frame; the first time all that there is. */
export function openLiveCursor(trial: LiveTrial, clean: (text: string) => string) {
  let steps = 0
  let words = 0
  let seen = 0
  let drawn = ''
  const told = new Map<number, Told>()

  const newSteps = (): LiveEntry[] => {
    const entries: LiveEntry[] = []
    let left = mostSteps
    for (let number = trial.steps.length - 1; number >= steps; number--) {
      const call = trial.callOf(number)
      const begun = call !== null && told.delete(call)
      const whole = left > 0 ? shortStep(trial.steps[number]!, clean) : null
      left -= whole ? JSON.stringify(whole).length : 0
      // Of steps that come too fast the newest are told, and the end of every answer whose beginning was.
      const step = left >= 0 && whole ? whole : begun ? leftOut(trial.steps[number]!) : null
      if (step) entries.unshift({ type: 'step', number, call, step })
    }
    steps = trial.steps.length
    return entries
  }
  const deltasOf = ({ call, role, tries, read }: OpenCall): LiveEntry[] => {
    if (!read) return []
    const before = told.get(call)
    const now = before?.tries === tries ? before : { tries, reading: read(), text: 0, reasoning: 0 }
    told.set(call, now)
    const fresh = now.reading()
    return (['reasoning', 'text'] as const).flatMap((part): LiveEntry[] => {
      // What was told of a try that failed is void, also where the next says nothing yet.
      if (fresh[part] === '' && (now === before || !before?.[part])) return []
      const over = Math.max(0, fresh[part].length - mostPart)
      const from = now[part] + over
      now[part] += fresh[part].length
      return [{ type: 'delta', call, role, part, from, text: fresh[part].slice(over) }]
    })
  }
  const newWords = (): LiveEntry[] => {
    const { texts, count } = trial.said(words)
    words = count
    return texts.map((text) => ({ type: 'progress', text: clean(text).slice(0, mostWords) }))
  }

  /** The terminal, where it looks otherwise than it was told and there is room; else it is told the next time. */
  const newScreen = (left: number): LiveEntry[] => {
    const { count, screen } = trial.screen()
    if (!screen || count === seen) return []
    const entry: LiveEntry = { type: 'screen', ...drawnScreen(screen, clean) }
    const written = JSON.stringify(entry)
    if (written.length > left && seen > 0) return []
    seen = count
    if (written === drawn) return []
    drawn = written
    return [entry]
  }

  return {
    next(): LiveEntry[] {
      const entries = newSteps()
      let left = mostFrame - JSON.stringify(entries).length
      for (const call of trial.calls()) {
        if (left <= 0) break // what is not read now is read the next time
        const deltas = deltasOf(call)
        left -= JSON.stringify(deltas).length
        entries.push(...deltas)
      }
      return [...entries, ...newScreen(left), ...newWords()]
    },
  }
}
