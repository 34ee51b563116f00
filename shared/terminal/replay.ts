import type { CastEvent, CastHeader } from './asciicast.ts'
import { copyScreen, openScreen, resizeScreen, type Screen } from './screen.ts'
import { writeOutput } from './write-output.ts'

/** Longest that nothing happens in a replay, in milliseconds; what waited longer is shown as if it had waited so long. */
export const mostIdleMs = 2000

/** A place to go to: `at_ms` in the replay's time, `event` the number of events before it. */
export type Mark = { at_ms: number; event: number; label: string }
/** When each event is shown, in the replay's time, and the marks among them. */
export type Timeline = { times: readonly number[]; marks: readonly Mark[]; length_ms: number }

/** Times of a replay without its idle stretches. */
export function timelineOf(events: readonly CastEvent[]): Timeline {
  const times: number[] = []
  const marks: Mark[] = []
  let shown = 0
  let before = 0
  for (const [event, { at_ms, kind, text }] of events.entries()) {
    shown += Math.min(mostIdleMs, Math.max(0, at_ms - before))
    before = at_ms
    times.push(shown)
    if (kind === 'mark') marks.push({ at_ms: shown, event, label: text })
  }
  return { times, marks, length_ms: shown }
}

/** How many events have been shown by a time. */
export function eventsUntil(times: readonly number[], at_ms: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= at_ms) low = middle + 1
    else high = middle
  }
  return low
}

/** UTF-16 units of output between two screens that are kept to begin from, and how many are kept. */
const keptEvery = 200_000
const mostKept = 60

/** Shows a recording at any place: from the screen before it, or from one that was kept on the way. The screen is the replay's own until it is asked again. */
export function openReplay({ columns, rows }: Pick<CastHeader, 'columns' | 'rows'>, events: readonly CastEvent[]) {
  const first = openScreen({ columns, rows })
  const kept: { event: number; screen: Screen }[] = [{ event: 0, screen: first }]
  let every = keptEvery
  let screen = copyScreen(first)
  let event = 0
  let since = 0

  const keep = (): void => {
    if (event <= kept.at(-1)!.event) return
    kept.push({ event, screen: copyScreen(screen) })
    since = 0
    if (kept.length <= mostKept) return
    kept.splice(0, kept.length, ...kept.filter((_, at) => at % 2 === 0))
    every *= 2
  }
  const show = ({ kind, text }: CastEvent): void => {
    if (kind === 'output') {
      writeOutput(screen, text)
      since += text.length
    } else if (kind === 'resize') {
      const size = /^(\d+)x(\d+)$/.exec(text)
      if (size) screen = resizeScreen(screen, { columns: Number(size[1]), rows: Number(size[2]) })
    }
  }
  return {
    /** The screen after so many events. */
    at(wanted: number): Screen {
      const target = Math.min(wanted, events.length)
      const from = kept.findLast((one) => one.event <= target)!
      if (target < event || from.event > event) {
        screen = copyScreen(from.screen)
        event = from.event
        since = 0
      }
      while (event < target) {
        show(events[event++]!)
        if (since >= every) keep()
      }
      return screen
    },
  }
}
