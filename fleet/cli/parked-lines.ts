import type { RunHead } from '#shared/contract/run.ts'
import { whoActs } from '#shared/run/who-acts.ts'
import type { Io } from './io.ts'
import { cleanLine, indented, paint } from './terminal.ts'

/** Why a run is parked, and below it who must act or when it goes on by itself. None for a run that is not parked. */
export function parkedLines({ parked }: Pick<RunHead, 'parked'>, { colour, columns }: Pick<Io, 'colour' | 'columns'>): string[] {
  if (!parked) return []
  const next = parked.until ? `It goes on by itself at ${parked.until.slice(0, 19).replace('T', ' ')} UTC.` : whoActs(parked.reason)
  return [paint(`parked (${cleanLine(parked.reason)}): ${cleanLine(parked.detail, 300)}`, 'yellow', colour), ...indented(next, 8, columns)]
}
