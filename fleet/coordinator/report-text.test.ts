import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import { createOutbox } from './outbox.ts'
import { beginReport, giveBack, type SpareBytes } from './report-text.ts'

const said = (report: Buffer) => JSON.parse(report.toString())

test('[AGENT4] a report of any length and script says what its records say', () => {
  const records = ['a', 'é', '漢', '🙂', ''].flatMap((sign) => [1, 7, 5000].map((times) => ({ text: sign.repeat(times), sign })))
  const many = Array.from({ length: 12 }, () => records).flat() // more than is set aside for one
  for (const some of [records.slice(0, 1), records, many]) {
    const report = beginReport(3, [])
    for (const record of some) report.add(JSON.stringify(record))
    const bytes = report.end({ hash: 'an opening' })
    expect(said(bytes)).toEqual({ type: 'report', id: 3, results: some, openings: { hash: 'an opening' } })
  }
  const tight = beginReport(1, [])
  const room = 320 * 1024 - tight.bytes()
  tight.add(JSON.stringify('x'.repeat(room - 2)))
  expect(tight.bytes()).toBe(320 * 1024) // as much as is set aside at first
  tight.add('1')
  expect(said(tight.end({})).results.at(-1)).toBe(1)
})

test('[AGENT64] bytes that were given back serve the next report, larger ones and more than a few are let go', () => {
  const spare: SpareBytes = []
  const first = beginReport(1, spare).end({})
  const large = beginReport(2, spare)
  large.add(JSON.stringify('x'.repeat(400 * 1024)))
  giveBack(spare, large.end({}))
  expect(spare).toHaveLength(0)
  giveBack(spare, first)
  const next = beginReport(3, spare).end({})
  expect([next.buffer === first.buffer, spare.length, said(next).id]).toEqual([true, 0, 3])
  for (const report of Array.from({ length: 20 }, (_, id) => beginReport(id + 1, []).end({}))) giveBack(spare, report)
  expect(spare).toHaveLength(8)
})

test('[AGENT64] what is sent again is what was sent, however many reports came and went meanwhile', () => {
  const sent: { text: string; bytes: Buffer }[] = []
  const outbox = createOutbox((bytes) => {
    sent.push({ text: bytes.toString(), bytes })
    return true
  })
  const report = (ordinal: number) => {
    outbox.add(exampleTrial(ordinal, { answer: `answer ${ordinal}` }).record)
    outbox.flush()
  }
  for (let ordinal = 0; ordinal < 4; ordinal++) report(ordinal)
  outbox.acknowledge(1)
  for (let ordinal = 4; ordinal < 8; ordinal++) report(ordinal)
  expect(sent[4]!.bytes.buffer).toBe(sent[0]!.bytes.buffer)
  const before = sent.splice(0).slice(1)
  outbox.resend()
  expect(sent.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
  outbox.acknowledge(2) // twice on its way: the first may still be read
  for (let ordinal = 8; ordinal < 10; ordinal++) report(ordinal)
  expect(sent[0]!.bytes.toString()).toBe(before[0]!.text)
  outbox.stop()
})
