import { expect, test } from 'vitest'
import { failureReasons } from '../contract/failure.ts'
import { adviceOn } from './failure-advice.ts'

test('[FAIL16] every class of failures says who must act, of helpers whose; one of a later version says nothing', () => {
  const all = Object.entries(failureReasons).flatMap(([place, reasons]) => reasons.map((reason) => `${place}/${reason}`))
  for (const failure of all) expect([failure, adviceOn(failure)]).toEqual([failure, expect.stringMatching(/^[A-Z].{20,}\.$/)])
  expect(adviceOn('provider/connection')).toContain('provider of the model')
  for (const reason of ['task-refused', 'build-failed', 'unhealthy'])
    expect(adviceOn(`sandbox/${reason}`)).toMatch(/^Whoever wrote the task: /)
  expect(adviceOn('judge/connection')).toContain('provider of the judge')
  for (const strange of ['', 'provider', 'provider/phase', 'moon/phase', 'toString/name', 'provider/toString'])
    expect(adviceOn(strange)).toBe('')
})

test('[FAIL370] the sentence that all failures of a class share comes in place of the advice of the class', () => {
  const own = 'The image of the task has no tmux. Add tmux to the image of the task.'
  expect(adviceOn('sandbox/unhealthy', own)).toBe(own)
  for (const none of [null, undefined, '']) expect(adviceOn('sandbox/unhealthy', none)).toContain('Whoever wrote the task')
})
