import { expect, test } from 'vitest'
import { failureClass, failureReasons, haltingReasons } from '../contract/failure.ts'
import { whoActs } from './who-acts.ts'

test('[UI23] every reason that halts a run names who must act, an unknown one the owner', () => {
  const halting = [
    ...haltingReasons.map((reason) => failureClass({ at: 'provider', reason })),
    ...haltingReasons.map((reason) => failureClass({ at: 'judge', reason })),
    ...failureReasons.dataset.filter((reason) => reason !== 'bad-record').map((reason) => failureClass({ at: 'dataset', reason })),
  ]
  for (const reason of [...halting, 'budget']) expect([reason, whoActs(reason)]).not.toEqual([reason, whoActs('moon/phase')])
  expect(whoActs('moon/phase')).toContain('owner')
})
