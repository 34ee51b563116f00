import { expect, test } from 'vitest'
import { PackedRecord } from '#shared/contract/packed.ts'
import { brief } from '#shared/run/testing/history.ts'
import { noReport, recordOf, toReport } from './run-records.ts'

test('[LEASE6] a trial that was given up without a report has a whole record: nothing was asked, nothing spent, and it may be tried again', () => {
  const given = recordOf(noReport, brief(3, 2, 'failed'), 'alpha')
  expect(PackedRecord.parse(given)).toEqual(given)
  expect(given).toMatchObject({ ordinal: 3, attempt: 2, benchmark: 'alpha', item_id: '3', outcome: 'failed', score: null })
  expect(given).toMatchObject({ calls: 0, cost_usd: null, messages: [], failure: { at: 'agent', reason: 'poison', retryable: true } })
})

test('[LEASE8] of two attempts of one trial in a report, each result has its own record', () => {
  const [old, present] = [1, 2].map((attempt) => ({ ...recordOf(noReport, brief(0, attempt), 'alpha'), answer: `answer ${attempt}` }))
  const report = toReport([old!, present!], {})
  expect([1, 2].map((attempt) => recordOf(report, brief(0, attempt), 'alpha').answer)).toEqual(['answer 1', 'answer 2'])
})
