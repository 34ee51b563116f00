import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { renderPrometheus } from './prometheus.ts'
import { createRegistry, type Family } from './registry.ts'

type Sample = { name: string; labels: Record<string, string>; value: number }

/** Reads the text format as its grammar is written down, apart from how we write it. */
function parse(text: string): { samples: Sample[]; types: Record<string, string>; helps: Record<string, string> } {
  const samples: Sample[] = []
  const types: Record<string, string> = {}
  const helps: Record<string, string> = {}
  expect(text === '' || text.endsWith('\n')).toBe(true)
  for (const line of text.split('\n').slice(0, -1)) {
    const told = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/s.exec(line)
    if (told) {
      const [, what, name, rest] = told as unknown as [string, string, string, string]
      if (what === 'HELP') helps[name] = rest.replace(/\\(\\|n)/g, (_, char) => (char === 'n' ? '\n' : '\\'))
      else types[name] = rest
      continue
    }
    const head = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0] ?? ''
    let at = head.length
    const labels: Record<string, string> = {}
    if (line[at] === '{') {
      at++
      while (line[at] !== '}') {
        const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="/.exec(line.slice(at))!
        at += label[0].length
        let value = ''
        for (; line[at] !== '"'; at++) {
          if (line[at] !== '\\') value += line[at]
          else value += { n: '\n', '\\': '\\', '"': '"' }[line[++at]!] ?? 'not an escape'
        }
        labels[label[1]!] = value
        at++
        if (line[at] === ',') at++
      }
      at++
    }
    expect(line[at]).toBe(' ')
    const number = line.slice(at + 1)
    const value = { '+Inf': Number.POSITIVE_INFINITY, '-Inf': Number.NEGATIVE_INFINITY, NaN: Number.NaN }[number] ?? Number(number)
    expect(number).not.toContain(' ')
    samples.push({ name: head, labels, value })
  }
  return { samples, types, helps }
}

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('\\', '"', '\n', '{', '}', ',', '=', ' ', '#'), fc.string({ maxLength: 1, unit: 'grapheme' })),
})

test('[OBS2] what a scraper reads from the text is what was told, whatever words and numbers it was', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ provider: text, model: text, value: fc.double() }), { maxLength: 15 }), text, (told, help) => {
      const series: Family['series'] = told.map(({ provider, model, value }) => ({
        labels: [
          ['provider', provider],
          ['model', model],
        ],
        value: { kind: 'number', number: value },
      }))
      const def = { kind: 'gauge', unit: 'calls', labels: {}, help } as const
      const read = parse(renderPrometheus([{ name: 'bench_agent_limiter_width', def, series }]))
      expect(read.types).toEqual({ bench_agent_limiter_width: 'gauge' })
      expect(read.helps).toEqual({ bench_agent_limiter_width: help })
      expect(read.samples.map(({ labels, value }) => ({ ...labels, value: value + 0 }))).toEqual(
        told.map((one) => ({ ...one, value: one.value + 0 })), // -0 is written as 0
      )
    }),
    draws(300),
  )
})

test('[OBS2] the buckets of a histogram are told as sums from below, up to all, with sum and count', () => {
  const registry = createRegistry(['bench_agent_event_loop_lag_seconds'])
  for (const value of [0.0005, 0.02, 0.02, 7]) registry.observe('bench_agent_event_loop_lag_seconds', {}, value)
  expect(
    renderPrometheus(registry.read()),
  ).toBe(`# HELP bench_agent_event_loop_lag_seconds How much later than asked a timer of the process fired, looked at twice a second.
# TYPE bench_agent_event_loop_lag_seconds histogram
bench_agent_event_loop_lag_seconds_bucket{le="0.001"} 1
bench_agent_event_loop_lag_seconds_bucket{le="0.005"} 1
bench_agent_event_loop_lag_seconds_bucket{le="0.01"} 1
bench_agent_event_loop_lag_seconds_bucket{le="0.025"} 3
bench_agent_event_loop_lag_seconds_bucket{le="0.05"} 3
bench_agent_event_loop_lag_seconds_bucket{le="0.1"} 3
bench_agent_event_loop_lag_seconds_bucket{le="0.25"} 3
bench_agent_event_loop_lag_seconds_bucket{le="0.5"} 3
bench_agent_event_loop_lag_seconds_bucket{le="1"} 3
bench_agent_event_loop_lag_seconds_bucket{le="5"} 3
bench_agent_event_loop_lag_seconds_bucket{le="+Inf"} 4
bench_agent_event_loop_lag_seconds_sum 7.0405
bench_agent_event_loop_lag_seconds_count 4
`)
  expect(renderPrometheus([])).toBe('')
})
