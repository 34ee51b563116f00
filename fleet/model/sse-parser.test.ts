import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSseParser, type SseRest } from './sse-parser.ts'

type Parsed = { events: string[]; rest: SseRest; comments: number; lines: number }

function parse(chunks: readonly Uint8Array[]): Parsed {
  const events: string[] = []
  const parser = createSseParser((data) => events.push(data))
  let lines = 0
  for (const chunk of chunks) lines += parser.push(chunk)
  const rest = parser.end()
  return { events, rest, comments: parser.comments(), lines }
}

const bytes = (text: string): Buffer => Buffer.from(text)
const none = { data: null, event: null, bare: null }

test('[MODEL1] a stream reads the same at every split position, inside characters and line ends too', () => {
  const stream = bytes(': warming\r\n\r\ndata: {"t":"é – 漢字 🦜"}\n\ndata:two\rdata: lines\r\r\nevent: x\ndata: [DONE]\n\n')
  const expected = parse([stream])
  expect(expected.events).toEqual(['{"t":"é – 漢字 🦜"}', 'two\nlines', '[DONE]'])
  for (let at = 0; at <= stream.length; at += 1) {
    const split = parse([stream.subarray(0, at), stream.subarray(at)])
    expect(split).toEqual(expected)
  }
  expect(parse(Array.from(stream, (_, index) => stream.subarray(index, index + 1)))).toEqual(expected)
})

test('[MODEL1] any text in any chunks of any line ends gives back its events', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text))
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(400)), (datas, end, cuts) => {
      const stream = bytes(datas.map((data) => `data: ${data}${end}${end}`).join(''))
      const at = [0, ...cuts.filter((cut) => cut < stream.length).sort((a, b) => a - b), stream.length]
      const { events, rest } = parse(at.slice(1).map((to, index) => stream.subarray(at[index], to)))
      expect(events).toEqual(datas)
      expect(rest).toEqual(none)
    }),
  )
})

test('[MODEL2] comments are counted, names, ids and retry ignored, data lines joined, a byte order mark skipped', () => {
  const parsed = parse([bytes('\ufeff: ping\n:\nevent: message\nid: 7\nretry: 10\ndata: a\ndata:  b\ndata:\n\ndata: [DONE]\n\n')])
  expect(parsed).toEqual({ events: ['a\n b\n', '[DONE]'], rest: none, comments: 2, lines: 11 })
})

test('[MODEL3] what stands behind the last terminator is handed over at the end', () => {
  expect(parse([bytes('data: a\n\ndata: b')])).toMatchObject({ events: ['a'], rest: { data: 'b', bare: null } })
  expect(parse([bytes('data: a\n\ndata: b\n')])).toMatchObject({ events: ['a'], rest: { data: 'b', bare: null } })
  expect(parse([bytes('data: a\n\n{"error"'), bytes(':"x"}')])).toMatchObject({
    events: ['a'],
    rest: { data: null, bare: '{"error":"x"}' },
  })
  expect(parse([bytes('{\n  "a": 1\n}\n')]).rest.bare).toBe('{\n  "a": 1\n}')
  expect(parse([]).rest).toEqual(none)
})
