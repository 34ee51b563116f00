import type { RunHead } from '#shared/contract/run.ts'
import { whoActs } from '#shared/run/who-acts.ts'
import type { Io } from './io.ts'
import { cleanLine, indented, paint } from './terminal.ts'

/** Lines with the reason of a parked run and the person who must act, or the time at which the run resumes. Empty for other runs. */
export function parkedLines({ parked }: Pick<RunHead, 'parked'>, { colour, columns }: Pick<Io, 'colour' | 'columns'>): string[] {
  if (!parked) return []
  const next = parked.until ? `It goes on by itself at ${parked.until.slice(0, 19).replace('T', ' ')} UTC.` : whoActs(parked.reason)
  return [paint(`parked (${cleanLine(parked.reason)}): ${cleanLine(parked.detail, 300)}`, 'yellow', colour), ...indented(next, 8, columns)]
}
