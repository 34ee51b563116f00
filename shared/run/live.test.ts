import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LiveEntry } from '../contract/live.ts'
import { entriesOf, foldLive, type LivePart, type LiveTrial, nothingYet } from './live.ts'
import { delta, note } from './testing/live-entries.ts'

const most = 120
const fold = (entries: readonly LiveEntry[], from: LiveTrial = nothingYet): LiveTrial =>
  entries.reduce((trial, entry) => foldLive(trial, entry, most), from)

test('[LIVE1] an answer grows by its parts, begins anew with a part from its start, and ends with its step', () => {
  const growing = fold([delta(1, 0, 'let me', 'reasoning'), delta(1, 6, ' see', 'reasoning'), delta(1, 0, 'It is'), delta(2, 0, 'other')])
  expect(growing.calls).toMatchObject([{ call: 1, text: { text: 'It is' }, reasoning: { text: 'let me see' } }, { call: 2 }])
  const again = fold([delta(1, 0, 'No: '), delta(1, 4, 'B'), delta(1, 0, '', 'reasoning')], growing)
  expect(again.calls[0]).toMatchObject({ text: { from: 0, text: 'No: B' }, reasoning: { text: '' } })
  const left = fold([delta(1, 1000, 'the end')], again)
  expect(left.calls[0]!.text).toEqual({ from: 1000, text: 'the end' })
  const ended = fold([note(0, 'said', 1)], left)
  expect([ended.calls.map(({ call }) => call), ended.steps.length]).toEqual([[2], 1])
})

const textOf = (trial: LiveTrial, call: number): string => trial.calls.find((one) => one.call === call)!.text.text
const endOf = (part: LivePart | undefined): number => (part ? part.from + part.text.length : 0)
const newest = (before: string, { from, text }: Extract<LiveEntry, { type: 'delta' }>, end: number): string =>
  from === end ? before + text : text

test('[LIVE2] a trial that is followed stays small, the newest of it is kept, and whoever comes later is told the same', () => {
  const text = fc.string({ maxLength: 300, size: 'max' })
  const entry = fc.oneof(
    fc.record({ call: fc.integer({ min: 1, max: 3 }), at: fc.constantFrom('on', 'start', 'further'), text }),
    fc.record({ words: text }),
    fc.record({ step: text, call: fc.option(fc.integer({ min: 1, max: 3 })) }),
  )
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), (made) => {
      let trial = nothingYet
      for (const [number, one] of made.entries()) {
        const calls = new Map(trial.calls.map((call) => [call.call, call.text]))
        const end = 'at' in one ? endOf(calls.get(one.call)) : 0
        const next =
          'at' in one
            ? delta(one.call, one.at === 'on' ? end : one.at === 'start' ? 0 : end + 7, one.text)
            : 'words' in one
              ? ({ type: 'progress', text: one.words } as const)
              : note(number, one.step, one.call)
        trial = foldLive(trial, next, most)
        if (next.type === 'delta')
          expect(textOf(trial, next.call).slice(-20)).toBe(newest(calls.get(next.call)?.text ?? '', next, end).slice(-20))
        if (next.type === 'step') expect(trial.steps.at(-1)!.number).toBe(number)
        const chars = trial.calls.reduce((sum, call) => sum + call.text.text.length, 0)
        expect(chars).toBeLessThanOrEqual(most)
        expect(trial.steps.slice(1).reduce((sum, { step }) => sum + JSON.stringify(step).length, 0)).toBeLessThanOrEqual(most)
        expect(trial.progress.length).toBeLessThanOrEqual(20)
        expect(fold(entriesOf(trial))).toEqual(trial)
      }
    }),
  )
})

test('[LIVE13] of a terminal the last screen is kept, and whoever comes later is told it', () => {
  const at = (text: string) => ({ type: 'screen', columns: 80, rows: 24, text }) as const
  const trial = fold([at('a'), { type: 'progress', text: 'Verifier' }, at('b'.repeat(3000))])
  expect(trial.screen).toEqual({ columns: 80, rows: 24, text: 'b'.repeat(most) })
  expect(fold(entriesOf(trial))).toEqual(trial)
})
