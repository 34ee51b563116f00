import { expect, test } from 'vitest'
import { castEventLine, castHeaderLine } from '#shared/terminal/asciicast.ts'
import { recordingText } from './recording-text.ts'

test('[CLI183] the end of a recording is printed as its screen stood, and nothing in it steers the terminal', () => {
  const cast =
    castHeaderLine({ columns: 40, rows: 5, started_at_ms: null }) +
    [
      { at_ms: 0, kind: 'mark', text: 'Turn 1' } as const,
      { at_ms: 100, kind: 'output', text: '$ make\r\n\u001b[31mfai' } as const,
      { at_ms: 90_000, kind: 'output', text: 'led\u001b[m\u001b]0;title\u0007\u001b[?1049h\u001b[?1049l\u009b2J' } as const,
    ]
      .map(castEventLine)
      .join('')
  expect(recordingText('recording.cast', cast, false)).toEqual([
    '── recording.cast, 40×5, 2 s without idle stretches, 1 marks',
    '$ make',
    'failed2J',
  ])
  expect(recordingText('recording.cast', cast, true).slice(1)).toEqual(['\u001b[m$ make\u001b[m', '\u001b[0;31mfailed\u001b[m2J\u001b[m'])
  expect(recordingText('r', 'no recording', false)).toEqual(['r: This is no asciicast of version 2 or 3.'])
})
