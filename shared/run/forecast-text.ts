import type { Forecast, ForecastUnknown } from '../contract/forecast.ts'
import { duration } from '../metrics/number-text.ts'

/** `2 of 5`: the place of a run that waits; null for a run that has an agent. */
export const placeText = ({ position, waiting }: Forecast): string | null => (position === null ? null : `${position} of ${waiting}`)

/** Time from now to an expected moment, without a false precision: `about 12 min`, `any moment`; null where it is not known. */
export function aheadText(moment: string | null, nowMs: number): string | null {
  if (moment === null) return null
  const ms = Date.parse(moment) - nowMs
  if (ms < 1000) return 'any moment'
  return `about ${duration(ms < 60_000 ? ms : Math.round(ms / 60_000) * 60_000).replace(' 00 s', '')}`
}

/** Says when a run starts and ends, without a full stop: `place 2 of 5 in the queue, starts in about 3 min, ends in about 20 min`. */
export function forecastText(forecast: Forecast, nowMs: number): string {
  const place = placeText(forecast)
  const starts = aheadText(forecast.starts_at, nowMs)
  const ends = aheadText(forecast.ends_at, nowMs)
  const parts = [
    place && `place ${place} in the queue`,
    starts && (starts === 'any moment' ? 'starts any moment' : `starts in ${starts}`),
    ends && (ends === 'any moment' ? 'ends any moment' : `ends in ${ends}`),
    forecast.unknown && `${place && !starts ? 'start and end are' : 'the end is'} not known: ${unknownText(forecast.unknown)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The same for a column: `#2, starts about 3 min`, `ends about 20 min`, `end not known`. */
export function shortForecast(forecast: Forecast, nowMs: number): string {
  const starts = aheadText(forecast.starts_at, nowMs)
  const ends = aheadText(forecast.ends_at, nowMs)
  if (forecast.position !== null) return `#${forecast.position}, ${starts ? `starts ${starts}` : 'start not known'}`
  return ends ? `ends ${ends}` : 'end not known'
}

/** Why a moment is not known, without a full stop. */
export function unknownText(unknown: ForecastUnknown): string {
  switch (unknown.kind) {
    case 'not-measured':
      return `no trial of ${namesText(unknown.benchmarks)} has ended with this model yet`
    case 'behind-unknown':
      return 'it waits for a run whose end is not known'
    case 'no-agent':
      return 'no connected agent can work on it'
    case 'too-far':
      return 'it lies further ahead than the forecast reaches'
  }
}

const namesText = (names: readonly string[]): string =>
  names.length <= 2 ? names.join(' and ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more benchmarks`
