import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerCutFlag } from '../contract/evidence/evidence.ts'
import { transcriptLostFlag } from '../contract/transcript.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { withoutText } from '../export/export-item.ts'
import { noTables, TableMissing } from '../scorers/tables.ts'
import { redactedFlag } from '../secrets/redactor.ts'
import { BadSubmission, openRescoring, openSubmitted } from './rescore.ts'
import { lastLetter, planned, recordOf } from './testing/rescore-example.ts'

const answers = fc.array(fc.record({ text: fc.string(), expected: fc.constantFrom('A', 'B', 'é') }), { maxLength: 40 })
const failure = { at: 'provider', reason: 'overloaded', retryable: true, detail: 'HTTP 503', status: 503 } as const
const lost: Partial<TrialRecord> = {
  ...{ outcome: 'failed', score: null, answer: null, explanation: null, flags: [], detail: {}, evidence: null, failure },
}

function rescore(records: readonly TrialRecord[], task: Pick<typeof lastLetter, 'score'> = lastLetter) {
  const rescoring = openRescoring(planned, { ...lastLetter, ...task }, noTables)
  for (const record of records) rescoring.add(record)
  return rescoring.close()
}

test('[EXP60] the scorer that gave the scores changes none of them, whatever the answers', () => {
  fc.assert(
    fc.property(answers, (list) => {
      const records = list.map(({ text, expected }, at) => recordOf(at, text, expected))
      const { summary, differences } = rescore(records)
      expect(differences).toEqual([])
      expect(summary.counts).toEqual({ trials: list.length, failed: 0, unchanged: list.length, changed: 0, not_recomputed: {} })
      expect(summary.after).toEqual(summary.before)
    }),
  )
})

test('[EXP61] a changed scorer is found trial by trial, and both scores are there with what they rest on', () => {
  fc.assert(
    fc.property(answers, (list) => {
      const records = list.map(({ text, expected }, at) => recordOf(at, text, expected))
      const { summary, differences } = rescore(records, {
        score: (item, evidence, profile, tables) => {
          const score = lastLetter.score(item, evidence, profile, tables)
          return item.target === 'A' ? { ...score, value: 1, outcome: 'right', answer: 'A' } : score
        },
      })
      const touched = records.filter(({ expected, answer }) => expected === 'A' && answer !== 'A')
      expect(differences.map(({ ordinal }) => ordinal)).toEqual(touched.map(({ ordinal }) => ordinal))
      for (const { before, after, ordinal } of differences) {
        expect(before).toMatchObject({ outcome: 'wrong', score: 0, answer: records[ordinal]!.answer })
        expect(after).toMatchObject({ outcome: 'right', score: 1, answer: 'A' })
      }
      const right = records.filter(({ outcome }) => outcome === 'right').length
      if (list.length === 0) return
      expect(summary.before.accuracy).toMatchObject({ value: expect.closeTo(right / list.length), n: list.length })
      expect(summary.after.accuracy).toMatchObject({ value: expect.closeTo((right + touched.length) / list.length), n: list.length })
    }),
  )
})

test('[EXP61] flags that the agent adds to what the scorer found are neither lost nor counted as a change', () => {
  const added = ['reasoning_cut', answerCutFlag, transcriptLostFlag, redactedFlag]
  const record = recordOf(0, 'is B', 'A', { flags: ['old', ...added] })
  const rescoring = openRescoring(planned, lastLetter, noTables)
  for (const one of [record, recordOf(1, 'is A', 'A', { flags: added })]) rescoring.add(one, one.evidence)
  const { differences } = rescoring.close()
  expect(differences.map(({ ordinal, after }) => [ordinal, after.flags])).toEqual([[0, added]])
})

test('[EXP65] evidence that lies apart is scored where it was read, and is counted with its reason where it was not', () => {
  const beginning = recordOf(0, 'is A', 'A', { evidence: recordOf(0, 'is', 'A').evidence, flags: [answerCutFlag] })
  const rescoring = openRescoring(planned, lastLetter, noTables)
  rescoring.add(beginning, recordOf(0, 'is A', 'A').evidence)
  rescoring.add({ ...beginning, ordinal: 1 }, 'apart')
  rescoring.add({ ...beginning, ordinal: 2 })
  rescoring.add({ ...beginning, ordinal: 3 }, null)
  const { summary, not_recomputed, differences } = rescoring.close()
  expect(differences).toEqual([])
  expect(summary.counts).toMatchObject({ unchanged: 1, not_recomputed: { 'evidence-apart': 2, 'no-evidence': 1 } })
  expect(not_recomputed.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3])
})

test('[EXP61] explanation, flags and detail count as a change too; the order of keys and flags does not', () => {
  const record = recordOf(0, 'is A', 'A', { flags: ['reasoning_cut'] })
  const changed = (change: object) =>
    rescore([record], { score: (...args) => ({ ...lastLetter.score(...args), ...change }) }).differences[0]?.after
  expect(changed({})).toBeUndefined()
  expect(changed({ explanation: 'otherwise' })?.explanation).toBe('otherwise')
  expect(changed({ flags: ['level_1'] })?.flags).toEqual(['level_1', 'reasoning_cut'])
  expect(changed({ detail: { length: 4, more: [1] } })?.detail).toEqual({ length: 4, more: [1] })
  const stored = recordOf(0, 'is A', 'A', { detail: { b: [{ d: 1, c: 2 }], a: null }, flags: ['x', 'y'] })
  const same = (...args: Parameters<typeof lastLetter.score>) => ({
    ...lastLetter.score(...args),
    detail: { a: null, b: [{ c: 2, d: 1 }] },
    flags: ['y', 'x'],
  })
  expect(rescore([stored], { score: same }).differences).toEqual([])
})

test('[EXP62] what cannot be computed again is never wrong: it is counted with its reason and has no score afterwards', () => {
  const records = [
    recordOf(0, 'A', 'A'),
    withoutText(recordOf(1, 'A', 'A')),
    recordOf(2, 'A', 'A', { evidence: null }),
    recordOf(3, 'no table', 'A'),
    recordOf(4, 'broken', 'A'),
    recordOf(5, 'kind', 'A', { evidence: { ...recordOf(5, 'A', 'A').evidence!, kind: 'another' as 'completion' } }),
    recordOf(6, 'A', 'A', lost),
  ]
  const { summary, differences, not_recomputed } = rescore(records, {
    score(item, evidence, profile, tables) {
      if (evidence.text === 'no table') throw new TableMissing('punkt_english')
      if (evidence.text === 'broken') throw new RangeError('a bug')
      return lastLetter.score(item, evidence, profile, tables)
    },
  })
  const reasons = { withheld: 1, 'no-evidence': 1, 'table-missing': 1, 'scorer-error': 1, 'other-evidence': 1 }
  expect(summary.counts).toEqual({ trials: 7, failed: 1, unchanged: 1, changed: 0, not_recomputed: reasons })
  expect([differences, summary.missing_tables]).toEqual([[], ['punkt_english']])
  expect(not_recomputed.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3, 4, 5])
  expect(summary.before.accuracy).toMatchObject({ n: 6 })
  expect(summary.after.accuracy).toMatchObject({ value: 1, n: 1 })
})

test('[EXP62] a trial that failed in the scorer itself is scored again; one without an answer stays failed', () => {
  const scorer = { ...failure, at: 'scorer', reason: 'resource-missing' } as const
  const { evidence } = recordOf(0, 'A', 'A')
  const { summary, differences } = rescore([recordOf(0, 'A', 'A', { ...lost, evidence, failure: scorer }), recordOf(1, '', 'A', lost)])
  expect(differences).toMatchObject([{ ordinal: 0, before: { outcome: 'failed', score: null }, after: { outcome: 'right', score: 1 } }])
  expect(summary.counts).toMatchObject({ changed: 1, failed: 1 })
})

test('[EXP63] scores computed elsewhere give the same rescoring as those computed here', () => {
  const records = ['A', 'B', 'A', 'C'].map((text, at) => recordOf(at, text, 'A', at === 3 ? { evidence: null } : {}))
  const flipped: typeof lastLetter.score = (item, evidence, ...rest) => lastLetter.score({ ...item, target: 'B' }, evidence, ...rest)
  const here = rescore(records, { score: flipped })
  const changed = here.differences.map(({ ordinal, after }) => ({
    ordinal,
    after: { ...after, outcome: after.outcome as 'right' | 'wrong', score: after.score! }, // a scorer's result is never a failure
  }))
  const submission = {
    ...{ benchmark: 'mmlu_pro', to: here.summary.to, code_version: '1' },
    ...{ changed, not_recomputed: here.not_recomputed },
  }
  const submitted = openSubmitted(planned, submission, lastLetter.card.metrics)
  for (const record of records) submitted.add(record)
  expect(submitted.close()).toEqual(here)
})

test('[EXP63] a submission about trials that are not there, that have no answer, or twice about one, is refused', () => {
  const after = { outcome: 'right', score: 1, answer: 'A', explanation: null, flags: [] } as const
  const send = (...ordinals: number[]) => {
    const changed = ordinals.map((ordinal) => ({ ordinal, after: { ...after, flags: [] } }))
    const to = { version: 1, fingerprint: null }
    const opened = openSubmitted(planned, { benchmark: 'mmlu_pro', to, code_version: '1', changed, not_recomputed: [] }, ['accuracy'])
    for (const record of [recordOf(0, 'B', 'A'), recordOf(1, '', 'A', lost)]) opened.add(record)
    return opened.close().summary.counts.changed
  }
  expect(send(0)).toBe(1)
  expect(() => send(7)).toThrow(BadSubmission)
  expect(() => send(1)).toThrow('nothing to score')
  expect(() => send(0, 0)).toThrow('named twice')
})
