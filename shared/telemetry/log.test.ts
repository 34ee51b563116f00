import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineRedactor } from '../secrets/redactor.ts'
import { draws } from '../testing/draws.ts'
import { createLog, type LogFields, type LogForm } from './log.ts'

const secret = 'agt_0123"4567\\89abcdef'
function logOf(form: LogForm) {
  const lines: string[] = []
  const at = new Date('2026-01-02T03:04:05.678Z')
  const log = createLog({ form, now: () => at, redact: createLineRedactor([secret]), write: (line) => lines.push(line) })
  return { log, lines }
}

test('[OBS3] a line for programs is one JSON object with time, level, message and what it is about', () => {
  const { log, lines } = logOf('json')
  log('warn', 'the trial\nfailed', { run_id: 'r1', trial: '7:2', request_id: undefined, slots: 3, level: 'forged', late: true })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: '2026-01-02T03:04:05.678Z', level: 'warn', message: 'the trial\nfailed', run_id: 'r1', trial: '7:2', slots: 3, late: true },
  ])
  expect(lines[0]).not.toContain('\n')
})

test('[OBS3] people read the time and a sentence, with what went wrong', () => {
  const { log, lines } = logOf('plain')
  log('info', 'run r1 joined with 3 slots', { run_id: 'r1' })
  log('error', 'disk\u001b[2J is\r\nfull', { error: 'ENOSPC' })
  expect(lines).toEqual(['2026-01-02T03:04:05.678Z run r1 joined with 3 slots', '2026-01-02T03:04:05.678Z disk [2J is full: ENOSPC'])
})

test('[OBS3] whatever is logged, it is one line, of one object, without a key, and nothing is thrown', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom(secret, `"${secret}"`, 'Bearer sk-abcdefgh12345678"', `{"a":"Bearer ${secret}"}`))
  const thing = fc.oneof(
    word,
    fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true }),
    word.map((text) => new Error(text)),
  )
  fc.assert(
    fc.property(word, fc.dictionary(fc.string(), thing), fc.constantFrom<LogForm>('json', 'plain'), (message, fields, form) => {
      const { log, lines } = logOf(form)
      log('error', message, fields as LogFields)
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toMatch(/[\r\n]/)
      expect(lines[0]).not.toContain('agt_0123')
      expect(lines[0]).not.toContain('sk-abcdefgh12345678')
      if (form === 'json') expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'error', time: '2026-01-02T03:04:05.678Z' })
    }),
    draws(500),
  )
})
