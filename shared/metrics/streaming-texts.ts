import { RunStreaming } from '../contract/streaming.ts'
import { type StreamFigure, streamFigureNames } from '../stream/stream-row.ts'
import type { MetricText } from './metric-texts.ts'
import { count, milliseconds } from './number-text.ts'

const titles: Record<StreamFigure, [title: string, what: string]> = {
  queue_ms: ['In line at the agent', 'waited for the agent’s limits'],
  connect_ms: ['Making a connection', 'made a connection; others used an open one'],
  first_byte_ms: ['To the first byte', 'had the head of the response'],
  first_token_ms: ['To the first token, cut answers too', 'had their first token'],
  max_gap_ms: ['Longest silence, keep-alives heard', 'had lines of any kind; the wait for the first counts'],
  max_data_gap_ms: ['Longest silence without keep-alives', 'had data; the wait for the first counts'],
  max_token_gap_ms: ['Longest silence after the first token', 'had two tokens'],
  chunk_rate: ['Chunks a second', 'had content over a time'],
  token_rate: ['Tokens a second', 'had their tokens counted by the provider'],
  continuity: ['Continuity, 1 is even', 'came whole, in three pieces or more'],
}

/** How answers came in, as people read it: every figure with its unit and n, then how many were cut or stalled; nothing where it is not that. */
export function streamingTexts(streaming: unknown): MetricText[] {
  const read = RunStreaming.safeParse(streaming)
  if (!read.success) return []
  const { n, ends, figures } = read.data
  const lines = streamFigureNames.flatMap((name): MetricText[] => {
    const figure = figures[name]
    if (!figure) return []
    const [title, what] = titles[name]
    const text = (['p50', 'p90', 'p99'] as const).map((key) => `${key} ${figureText(figure[key], figure.unit)}`).join(' · ')
    const extremes = `from ${figureText(figure.least ?? 0, figure.unit)} to ${figureText(figure.most ?? 0, figure.unit)}`
    const meaning = `Half, 90 % and 99 % of the ${count(figure.n)} answers that ${what} had no more, within 2 %; ${extremes}.`
    return [{ name: `stream_${name}`, title, text, n: answers(figure.n), meaning }]
  })
  const broken = `${part(ends.cut, n, 'cut')} · ${part(ends.stalled, n, 'stalled')}`
  const meaning = `Of ${count(n)} answers: ${count(ends.done)} ended as announced, ${count(ends.closed)} were closed without it though finished, ${count(ends.cut)} broke off, ${count(ends.stalled)} fell silent until they were given up.`
  return [...lines, { name: 'stream_broken', title: 'Broken streams', text: broken, n: answers(n), meaning }]
}

const answers = (n: number): string => `n = ${n.toLocaleString('en-US')} streams`
const part = (some: number, all: number, what: string): string => `${count(some)} ${what} (${((some / all) * 100).toFixed(1)} %)`

/** `840 ms`, `12.3 tokens/s`, `0.87`. */
function figureText(value: number, unit: string): string {
  if (unit === 'ms') return milliseconds(value)
  return unit === 'share' ? value.toFixed(2) : `${value < 100 ? value.toFixed(1) : count(Math.round(value))} ${unit}`
}
