import type { LiveEntry, LiveMessage } from '#shared/contract/live.ts'
import { roleTitles } from '#shared/contract/role.ts'
import { waitSentences } from '#shared/run/live-text.ts'
import { stepText } from '#shared/run/step-text.ts'
import type { Io } from './io.ts'
import { clean, cleanLine, paint } from './terminal.ts'

type Delta = Extract<LiveEntry, { type: 'delta' }>
/** How far a part of an answer was written, and the beginning of a line that has not ended. */
type Written = { to: number; rest: string }

/**
 * Writes a trial as it runs: answers line by line as they grow, steps as they end, words of the solver and of the stream beside them. What was
 * written is not written again when the stream begins anew.
 */
export function createLiveLines(io: Pick<Io, 'out' | 'err' | 'progress' | 'colour'>) {
  let attempt = 0
  let heading = ''
  let steps = 0
  let words = ''
  const parts = new Map<string, Written>()

  const under = (title: string): void => {
    if (heading === title) return
    heading = title
    for (const [name, part] of parts) parts.set(name, { ...part, rest: lineOf(name, part.rest) })
    io.out(paint(`── ${title}`, 'bold', io.colour))
  }
  const writeLine = (part: string | undefined, line: string): void => io.out(part === 'reasoning' ? paint(line, 'dim', io.colour) : line)
  /** Writes what was begun of a line; nothing of it is left. */
  const lineOf = (name: string, rest: string): '' => {
    if (rest !== '') writeLine(name.split(' ')[1], rest)
    return ''
  }
  const delta = ({ call, role, part, from, text }: Delta): void => {
    const name = `${call} ${part}`
    const before = parts.get(name)?.to ?? 0
    const again = from === 0 && text.length < before
    const to = again ? 0 : before
    const fresh = from <= to ? text.slice(to - from) : text
    if (fresh === '' && !again) return
    under(`${roleTitles[role]}, call ${call}${part === 'reasoning' ? ', reasoning' : ''}${again ? ', asked again' : ''}`)
    const begun = parts.get(name)?.rest ?? ''
    if (from > to) writeLine(part, `[${from - to} characters left out]`)
    const lines = clean(begun + fresh).split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) writeLine(part, line)
    parts.set(name, { to: from + text.length, rest })
    io.progress(cleanLine(rest))
  }
  /** What was begun of lines is written before something else comes. */
  const endLines = (call: number | null): void => {
    for (const [name, { rest }] of parts) {
      if (call !== null && name.split(' ')[0] !== String(call)) continue
      lineOf(name, rest)
      parts.delete(name)
    }
  }
  const take = (entry: LiveEntry): void => {
    if (entry.type === 'delta') return delta(entry)
    if (entry.type === 'progress') {
      if (entry.text !== words) io.err(cleanLine(entry.text))
      words = entry.text
      return
    }
    if (entry.type === 'screen') return // what stands on it comes as steps as well
    if (entry.number < steps) return
    steps = entry.number + 1
    endLines(entry.call)
    const { line, bad } = stepText(entry.step)
    heading = ''
    io.out(paint(`── ${cleanLine(line)}`, bad ? 'red' : 'green', io.colour))
  }
  return {
    take(message: LiveMessage): void {
      if (message.type === 'waiting') return io.err(waitSentences[message.why])
      if (message.type === 'done') return endLines(null)
      if (message.type === 'reset' && message.attempt !== attempt) {
        if (attempt > 0) io.err(`It is begun anew: attempt ${message.attempt}.`)
        endLines(null)
        attempt = message.attempt
        steps = 0
        heading = ''
      }
      for (const entry of message.entries) take(entry)
    },
  }
}
