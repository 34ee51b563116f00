import { expect, test } from 'vitest'
import { LiveEntry, LiveTold } from '#shared/contract/live.ts'
import type { Step } from '#shared/contract/transcript.ts'
import { foldLive, nothingYet, type LiveTrial as Shown } from '#shared/run/live.ts'
import { openReading } from '../model/answer-reading.ts'
import { openLiveCursor } from './live-cursor.ts'
import { openLiveTrial } from './live-trial.ts'

const asIs = (text: string): string => text
const note = (text: string): Step => ({ type: 'note', at_ms: 1, text })

/** A trial in the test's hands, with an answer that grows. */
function trialOf() {
  const steps: Step[] = []
  const trial = openLiveTrial({ ordinal: 3, attempt: 1 }, steps)
  const begin = () => {
    const answer = { text: '', reasoning: null as string | null }
    const call = trial.ask('model')
    call.answering(() =>
      openReading(
        () => answer,
        () => asIs,
      ),
    )
    const again = () => {
      answer.text = ''
      answer.reasoning = null
      call.answering(() =>
        openReading(
          () => answer,
          () => asIs,
        ),
      )
    }
    return { answer, again, end: () => call.end(steps.push(note('said')) - 1) }
  }
  return { steps, trial, begin }
}
const shown = (entries: readonly LiveEntry[], from: Shown = nothingYet): Shown =>
  entries.reduce((all, one) => foldLive(all, one, 100_000), from)

test('[LIVE3] a watcher is told all there is at first, then only what is new: steps, more of each answer, what the solver says', () => {
  const { steps, trial, begin } = trialOf()
  steps.push(note('begun'))
  const first = begin()
  first.answer.reasoning = 'hm'
  trial.say('turn 1')
  const cursor = openLiveCursor(trial, (text) => text.replaceAll('secret', '-'))
  expect(cursor.next()).toEqual([
    { type: 'step', number: 0, call: null, step: note('begun') },
    { type: 'delta', call: 1, role: 'model', part: 'reasoning', from: 0, text: 'hm' },
    { type: 'progress', text: 'turn 1' },
  ])
  expect(cursor.next()).toEqual([])
  first.answer.text = 'It is'
  steps.push(note('a secret'))
  trial.say('turn 2, secret')
  expect(cursor.next()).toEqual([
    { type: 'step', number: 1, call: null, step: note('a -') },
    { type: 'delta', call: 1, role: 'model', part: 'text', from: 0, text: 'It is' },
    { type: 'progress', text: 'turn 2, -' },
  ])
  const late = shown(openLiveCursor(trial, asIs).next())
  expect(late).toMatchObject({
    steps: [{ number: 0 }, { number: 1 }],
    calls: [{ text: { text: 'It is' } }],
    progress: ['turn 1', 'turn 2, secret'],
  })
  first.end()
  expect(cursor.next()).toEqual([{ type: 'step', number: 2, call: 1, step: note('said') }])
})

test('[LIVE3] an answer that is asked for again begins anew, also where the new one says nothing yet', () => {
  const { trial, begin } = trialOf()
  const call = begin()
  const cursor = openLiveCursor(trial, asIs)
  call.answer.text = 'half of'
  call.answer.reasoning = 'hm'
  const before = shown(cursor.next())
  call.again()
  const after = shown(cursor.next(), before)
  expect(after.calls).toMatchObject([{ text: { text: '' }, reasoning: { text: '' } }])
  call.answer.text = 'all of it'
  expect(shown(cursor.next(), after).calls).toMatchObject([{ text: { from: 0, text: 'all of it' } }])
})

test('[LIVE3] a frame stays within its bounds: of much the newest is told, long texts are cut, and no answer is left hanging', () => {
  const { steps, trial, begin } = trialOf()
  const calls = Array.from({ length: 8 }, begin)
  const cursor = openLiveCursor(trial, asIs)
  for (const { answer } of calls) answer.text = `a${'b'.repeat(50_000)}the end`
  const first = cursor.next()
  expect(JSON.stringify(first).length).toBeLessThan(48_000)
  let all = shown(first)
  expect(all.calls[0]!.text).toMatchObject({ from: 50_008 - 8000, text: expect.stringMatching(/^b+the end$/) })
  for (let tick = 0; tick < 3; tick++) {
    const entries = cursor.next()
    expect(JSON.stringify(LiveTold.parse({ watch: 1, from_start: false, entries })).length).toBeLessThan(64_000)
    all = shown(entries, all)
  }
  expect(all.calls.map(({ text }) => text.text.endsWith('the end'))).toEqual(Array(8).fill(true))
  for (const { end } of calls) end()
  for (let at = 0; at < 40; at++) steps.push(note(`${at} ${'x'.repeat(3000)} end ${at}`))
  const many: Step = {
    type: 'tool_call',
    at_ms: 1,
    took_ms: 1,
    call_id: null,
    name: 'all',
    arguments: 'y'.repeat(9000),
    result: '',
    is_error: false,
  }
  steps.push(many)
  const entries = cursor.next()
  expect(JSON.stringify(entries).length).toBeLessThan(32_000)
  for (const entry of entries) LiveEntry.parse(entry)
  const ended = shown(entries, all)
  expect(ended.calls).toEqual([])
  expect(JSON.stringify(ended.steps.at(-2))).toMatch(/39 x+\\n\[1\d{3} characters left out\]\\nx+ end 39/)
  expect(ended.steps.at(-1)).toMatchObject({ number: 48, step: { name: 'all' } })
})
