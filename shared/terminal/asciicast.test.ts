import { expect, test } from 'vitest'
import { castEventLine, castHeaderLine, openCastReader, readAsciicast } from './asciicast.ts'

test('[HARB21] a recording is an asciicast of version 2 that is read back, also where its last line was cut', () => {
  const header = { columns: 160, rows: 40, started_at_ms: 1_764_000_000_000 }
  const events = [
    { at_ms: 0, kind: 'output', text: '$ \x1b[1m\u00e9' },
    { at_ms: 1234.5, kind: 'input', text: 'ls\r' },
    { at_ms: 2000, kind: 'resize', text: '80x24' },
    { at_ms: 2000, kind: 'mark', text: 'turn 2' },
  ] as const
  const text = [castHeaderLine(header), ...events.map(castEventLine)].join('')
  expect(text.split('\n')[0]).toBe(
    '{"version":2,"width":160,"height":40,"timestamp":1764000000,"env":{"TERM":"xterm-256color","SHELL":"/bin/bash"}}',
  )
  expect(text.split('\n')[2]).toBe('[1.2345,"i","ls\\r"]')
  expect(readAsciicast(text)).toEqual({ header, events, cut: false, problem: null })
  expect(readAsciicast(`${text}[3,"o","cu`)).toEqual({ header, events, cut: false, problem: null })
  const broken = readAsciicast(`${text}[3,"o","cu\n[4,"o","x"]\n`)
  expect(broken).toEqual({ header, events, cut: false, problem: { line: 6, text: 'This line is no event of a recording.' } })
  for (const none of ['', '{"version":1}', 'x']) expect(readAsciicast(none).problem?.text).toBe('This is no asciicast of version 2 or 3.')
})

test('[SCREEN7] version 3 is read too: times since the event before, a size of its terminal, comments, kinds that are not known', () => {
  const lines = [
    '{"version":3,"term":{"cols":100,"rows":30,"type":"xterm"},"timestamp":1764000000}',
    '# a comment',
    '[0.5,"o","a"]',
    '[0.25,"x","0"]',
    '[1,"m","Turn 2"]',
    '',
  ]
  expect(readAsciicast(lines.join('\r\n'))).toEqual({
    header: { columns: 100, rows: 30, started_at_ms: 1_764_000_000_000 },
    events: [
      { at_ms: 500, kind: 'output', text: 'a' },
      { at_ms: 1750, kind: 'mark', text: 'Turn 2' },
    ],
    cut: false,
    problem: null,
  })
})

test('[SCREEN7] a recording is read piece by piece within limits: of a longer one the beginning, of a line without end nothing', () => {
  const header = castHeaderLine({ columns: 80, rows: 24, started_at_ms: null })
  const lines = Array.from({ length: 5 }, (_, at) => castEventLine({ at_ms: at, kind: 'output', text: 'xx' })).join('')
  const read = (text: string, limits: { events: number; text: number; line: number }) => {
    const reader = openCastReader(limits)
    for (let at = 0; at < text.length; at += 7) reader.take(text.slice(at, at + 7))
    reader.end()
    const { events, cut, problem } = reader.read()
    return [events.length, cut, problem?.line ?? null]
  }
  expect(read(header + lines, { events: 9, text: 99, line: 999 })).toEqual([5, false, null])
  expect(read(header + lines, { events: 3, text: 99, line: 999 })).toEqual([3, true, null])
  expect(read(header + lines, { events: 9, text: 5, line: 999 })).toEqual([2, true, null])
  expect(read(`${header}${lines}[1,"o","${'y'.repeat(200)}`, { events: 9, text: 99, line: 150 })).toEqual([5, false, 7])
})
