import stringWidth from 'string-width'
import type { RunPulse } from '#shared/contract/pulse.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { spentUsd } from '#shared/run/budget.ts'
import { type PulseLine, pulseLines } from '#shared/run/pulse-text.ts'
import type { Io } from './io.ts'
import { cost, count, duration } from './numbers.ts'
import { cleanLine } from './terminal.ts'

const plainEveryMs = 10_000
const longestBar = 24

/** Shows where a run stands and what holds it up, which is `waiting` where no agent works on it: one line that stays on a terminal, a plain line every ten seconds elsewhere. The rate counts from the first one seen. `ends_at`: when the service expects the run to end. */
export function progressOf(
  io: Io,
  quiet: boolean,
): (head: RunHead, doing?: RunPulse | null, waiting?: string | null, ends_at?: string | null) => void {
  let first: { done: number; atMs: number } | undefined
  let lastPlainMs = Number.NEGATIVE_INFINITY
  return (head, doing = null, waiting = null, ends_at = null) => {
    const nowMs = io.now()
    first ??= { done: head.done, atMs: nowMs }
    const parts = progressParts(head, (head.done - first.done) / Math.max(1, nowMs - first.atMs), ends_at && Date.parse(ends_at) - nowMs)
    const trouble = doing && pulseLines(doing, null).find((line) => line.grave)
    const held = trouble ? troubleText(trouble) : waiting
    if (held) parts.splice(1, 0, held)
    const width = (io.columns ?? 80) - 1
    if (io.interactive && held) return io.progress(cleanLine(parts.slice(0, 2).join('  ·  '), width))
    if (io.interactive) return io.progress(withBar(head, parts, width))
    if (quiet || nowMs - lastPlainMs < plainEveryMs) return
    lastPlainMs = nowMs
    io.err([head.status, ...parts].join('  ·  '))
  }
}

/** What holds a run up, with the words of the provider where they may be shown. */
const troubleText = ({ text, words }: PulseLine): string => cleanLine(words ? `${text} "${words}"` : text, 200)

/** What there is to say, the more important first: how far, score so far, failures, what it waits for, cost, time left, rate. */
function progressParts(head: RunHead, perMs: number, leftMs: number | '' | null): string[] {
  const { done, total, parked } = head
  const parts = [`${count(done)}/${count(total)}`, `score so far ${scoreSoFar(head)}`]
  const failed = Object.values(head.benchmarks).reduce((sum, tally) => sum + tally.failed, 0)
  if (failed > 0) parts.push(`${count(failed)} failed`)
  if (parked) parts.push(`parked: ${cleanLine(parked.detail, 80)}`)
  const spent = spentUsd({ ...head, cost_usd: head.cost_usd ?? 0 }) ?? 0
  if (spent > 0) parts.push(cost(spent))
  if (done === total) return parts
  // The service's forecast knows the queue; the rate seen here stands in until it has one.
  const left = leftMs || (perMs > 0 ? (total - done) / perMs : null)
  if (left !== null) parts.push(`${duration(Math.max(1000, left))} left`)
  if (perMs > 0) parts.push(`${(perMs * 1000).toFixed(1)}/s`)
  return parts
}

/** The mean of the benchmarks' scores over what has been scored until now, without an interval: the run's end gives that. */
function scoreSoFar({ benchmarks }: RunHead): string {
  const scores = Object.values(benchmarks).flatMap(({ right, wrong, score_sum }) =>
    right + wrong > 0 ? [score_sum / (right + wrong)] : [],
  )
  return scores.length === 0 ? '–' : `${((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 100).toFixed(1)} %`
}

/** A bar as long as there is room, then as many parts as fit, so that the line never breaks. */
function withBar({ status, done, total }: RunHead, parts: readonly string[], width: number): string {
  const share = total > 0 ? done / total : 0
  const start = `${status}  ${String(Math.floor(share * 100)).padStart(3)} %`
  let line = ''
  for (const part of parts) {
    const longer = `${line}${line && '  ·  '}${part}`
    if (stringWidth(start) + stringWidth(longer) + 2 > width) break
    line = longer
  }
  const room = Math.min(longestBar, width - stringWidth(start) - stringWidth(line) - 4)
  const full = Math.round(share * room)
  const bar = room >= 5 ? `${'█'.repeat(full)}${'░'.repeat(room - full)}  ` : ''
  return `${bar}${start}  ${line}`
}
