import { expect, test } from 'vitest'
import { answered, recordOf } from '../run/testing/rescore-example.ts'
import { withheldFlag, withoutText } from './export-item.ts'

test('[EXP20] a withheld record keeps no text of its item or answer, not in what its scorer saw either', () => {
  const record = recordOf(3, '', 'secret', {
    ...{ answer: 'secret', explanation: 'read secret', detail: { judge: ['secret'] }, item_metadata: { question: 'secret' } },
    ...{ evidence: answered('secret'), messages: [{ role: 'user', content: 'secret?' }] },
    failure: { at: 'scorer', reason: 'error', retryable: false, status: null, detail: 'secret' },
  })
  const shown = withoutText(record)
  expect(JSON.stringify(shown)).not.toContain('secret')
  expect(shown).toMatchObject({ ordinal: 3, outcome: record.outcome, score: record.score, flags: [...record.flags, withheldFlag] })
})
