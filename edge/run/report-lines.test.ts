import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import { RunUp } from '#shared/contract/frame.ts'
import { createOutbox } from '../../fleet/coordinator/outbox.ts'
import { readRunUp } from './agent-socket.ts'

const socket = () => {
  const closed: unknown[] = []
  return { closed, close: (...said: unknown[]) => void closed.push(said) }
}

/** A report as our agent writes it. */
function written(...answers: string[]): string {
  let text = ''
  const outbox = createOutbox((bytes) => {
    text = bytes.toString()
    return true
  })
  for (const [ordinal, answer] of answers.entries()) outbox.add(exampleTrial(ordinal, { answer }).record)
  outbox.flush()
  outbox.stop()
  return text
}
const whole = (text: string) => RunUp.parse(JSON.parse(text)) as Extract<RunUp, { type: 'report' }>
const read = (text: string) => readRunUp(socket(), text)

test('[FLEET113] what an agent reports is read as it is, with the text of each record', () => {
  const text = written('A', 'of two\nlines, "quoted" \\ é 漢 🙂', '')
  expect(text.split('\n')).toHaveLength(5)
  const frame = whole(text)
  expect(read(text)).toEqual({ ...frame, texts: frame.results.map((record) => JSON.stringify(record)) })
  expect(read(written('alone'))).toMatchObject({ results: [{ answer: 'alone' }], texts: [expect.any(String)] })
})

test('[FLEET113] a record whose escapes the record might not know is written anew', () => {
  const odd = written('a\0b\ud800', 'plain').replaceAll('\\ud800', '\\uD800')
  const frame = whole(odd)
  expect(odd).toContain('\\uD800')
  const [first, second] = (read(odd) as { texts: readonly string[] }).texts
  expect([first, second]).toEqual(frame.results.map((record) => JSON.stringify(record)))
  expect(first).toContain('a\\u0000b\\ud800')
})

test('[FLEET113] a report in any other layout says the same, and has no texts', () => {
  const text = written('A', 'B', 'C')
  const frame = whole(text)
  const [head, a, b, c, end] = text.split('\n') as [string, string, string, string, string]
  const layouts = [
    JSON.stringify(frame),
    JSON.stringify(frame, null, 1),
    [head, a + b, c, end].join('\n'),
    [head, a.slice(0, 12), a.slice(12), b, c, end].join('\n'), // a line break amid a record
    [head + a, b, c, end].join('\n'),
    [head, a, b, c + end].join('\n'),
    [head, a.slice(0, -1), `,${b}`, c, end].join('\n'),
    [head, a, '', b, c, end].join('\n'),
    [`${head}1],"results":[`, a, b, c, end].join('\n'), // named twice: the last counts
  ]
  const others = layouts.map((layout) => read(layout))
  for (const other of others.slice(0, -1)) expect(other).toEqual(frame)
  expect(others.at(-1)).toMatchObject(frame)
})

test('[FLEET113] lines that are no records close the connection, whatever stands in the others', () => {
  const [head, a, b, end] = written('A', 'B').split('\n') as [string, string, string, string]
  const { ordinal: _, ...lacking } = JSON.parse(b)
  for (const lines of [
    [head, a, '{"ordinal":1}', end],
    [head, a, '{', end],
    [head, a, JSON.stringify(lacking), end],
    [head, a, '[]', end],
    [head, `${a.slice(0, -1)};`, b, end],
    [`${head}${a.slice(0, -1)}`, b, end],
    [head, a, end],
    [head, a, b],
  ]) {
    const heard = socket()
    expect(readRunUp(heard, lines.join('\n'))).toBeUndefined()
    expect(heard.closed).toHaveLength(1)
  }
})
