import { expect, test } from 'vitest'
import { failureReasons, mayStillSucceed } from '../contract/failure.ts'
import { refusal } from './decide.ts'
import { leftText, retryCount } from './retry-count.ts'
import { brief, results, startHistory } from './testing/history.ts'

const session = 'session-1'
const failed = (ordinal: number, failure: string) => ({ ...brief(ordinal, 1, 'failed'), failure, retryable: false })

/** An ended run of ten trials whose first ones failed so. */
function endedWith(failures: readonly string[]) {
  const history = startHistory()
  history.run({ type: 'hello', agent_id: 'a', session, holding: [] }, 1000)
  history.run({ type: 'claim', session, count: 10 }, 1000)
  const told = Array.from({ length: 10 }, (_, n) => (failures[n] ? failed(n, failures[n]) : brief(n, 1)))
  history.run({ type: 'report', session, results: results(...told) }, 2000)
  return history
}

test('[RUN90] a retry asks again only what may succeed, as many as it says beforehand', () => {
  const history = endedWith(['provider/context-length', 'provider/overloaded', 'judge/context-length', 'provider/unauthorized'])
  const count = retryCount(history.head())
  expect(count).toEqual({ again: 2, left: 2, reasons: expect.arrayContaining([['provider/context-length', 1]]) })
  expect(leftText(count)).toMatch(/^2 trials would fail again and stay failed: .*judge\/context-length \(1\)/)
  const events = history.run({ type: 'retry_failed' }, 3000)
  const retried = events.flatMap((event) => (event.event_type === 'run_requeued' ? event.data.retried.map(({ ordinal }) => ordinal) : []))
  expect(retried).toEqual([1, 3])
  expect(history.head()).toMatchObject({ done: 8, failures: { 'provider/context-length': 1, 'judge/context-length': 1 } })
})

test('[RUN90] where nothing may succeed a retry is refused with the reason', () => {
  const history = endedWith(['provider/context-length', 'provider/content-filter'])
  expect(refusal(history.head(), { type: 'retry_failed' })).toMatch(/2 trials would fail again .*provider\/content-filter \(1\)/)
  expect(history.run({ type: 'retry_failed' }, 3000)).toEqual([])
  expect(leftText(retryCount(endedWith(['provider/overloaded']).head()))).toBeNull()
  expect(leftText(retryCount(endedWith(['provider/too-large']).head()))).toMatch(/^1 trial would fail again and stays/)
})

test('[RUN90] what somebody can mend may succeed: keys, credit, data, agents, a judge that was not understood', () => {
  const final = Object.entries(failureReasons).flatMap(([at, reasons]) =>
    reasons.map((reason) => `${at}/${reason}`).filter((name) => !mayStillSucceed(name)),
  )
  const ofRequest = ['too-large', 'context-length', 'content-filter']
  expect(final.toSorted()).toEqual(
    [
      ...['provider', 'judge', 'user'].flatMap((at) => ofRequest.map((reason) => `${at}/${reason}`)),
      'store/too-large',
      'dataset/bad-record',
      'replay/no-answer',
    ].toSorted(),
  )
  expect(mayStillSucceed('provider/of-tomorrow')).toBe(true)
})

test('[ITEMS9] only the trials that are named are asked again, where they may still succeed', () => {
  const history = endedWith(['provider/context-length', 'provider/overloaded', 'provider/overloaded'])
  const retry = (...ordinals: number[]) =>
    history
      .run({ type: 'retry_failed', ordinals }, 3000)
      .flatMap((event) => (event.event_type === 'run_requeued' ? event.data.retried.map(({ ordinal }) => ordinal) : []))
  expect(retry(0, 5)).toEqual([])
  expect(retry(2)).toEqual([2])
  expect(history.head()).toMatchObject({ done: 9, failures: { 'provider/context-length': 1, 'provider/overloaded': 1 } })
})
