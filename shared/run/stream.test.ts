import { expect, test } from 'vitest'
import { isPublic } from '../contract/event.ts'
import { apply, initialHead } from './apply.ts'
import { applyStreamed, coalesce, describe, fromStreamed, toStreamed } from './stream.ts'
import { brief, results, startHistory } from './testing/history.ts'

const at = Date.parse('2026-01-01T00:00:00Z')

function played() {
  const history = startHistory()
  history.run({ type: 'hello', agent_id: 'agent', session: 'session-1', holding: [] }, at)
  history.run({ type: 'claim', session: 'session-1', count: 10 }, at)
  for (let n = 0; n < 9; n++)
    history.run(
      { type: 'report', session: 'session-1', results: results(brief(n, 1, n === 3 ? 'failed' : n % 2 ? 'right' : 'wrong')) },
      at + n,
    )
  history.run({ type: 'pause' }, at + 50)
  history.run({ type: 'resume' }, at + 51)
  history.run({ type: 'report', session: 'session-1', results: results(brief(9, 1)) }, at + 60)
  let head = initialHead(history.spec)
  const streamed = history.events.flatMap((event) => {
    head = apply(head, event)
    return isPublic(event) ? [toStreamed(head.seq, event)] : []
  })
  return { history, streamed }
}

test('[EVT2] a viewer who folds the stream, coalesced or not, sees the state of the object', () => {
  const { history, streamed } = played()
  const { leased: _a, agents: _b, lost: _c, ...expected } = history.head()
  for (const stream of [streamed, coalesce(streamed)]) {
    const { leased, agents, lost, ...seen } = stream.reduce(applyStreamed, initialHead(history.spec))
    expect(seen).toEqual(expected)
  }
  expect(coalesce(streamed).length).toBeLessThan(streamed.length - 6)
})

test('[EVT3] an event that comes twice changes nothing, and an unknown kind is skipped', () => {
  const { history, streamed } = played()
  const once = streamed.reduce(applyStreamed, initialHead(history.spec))
  expect(streamed.reduce(applyStreamed, once)).toBe(once)
  const odd = applyStreamed(once, { ...streamed[0]!, id: 999, event_type: 'from_the_future' })
  expect(odd).toEqual({ ...once, seq: 999 })
})

test('[EVT4] every public event reads back as it was and has a sentence for people', () => {
  const { history, streamed } = played()
  const events = history.events.filter(isPublic)
  expect(streamed.map(fromStreamed)).toEqual(events)
  for (const event of events) expect(describe(event).length).toBeGreaterThan(5)
  const sentences = events.filter(({ event_type }) => event_type === 'benchmark_progress').map(describe)
  expect([sentences[0], sentences[1]]).toEqual(['alpha: 1 of 10, 0.0 % right', 'alpha: 2 of 10, 50.0 % right'])
  expect(
    describe({
      event_type: 'run_completed',
      benchmark_name: null,
      at: '',
      data: { status: 'succeeded', overall_score: 0.1234, completed_benchmarks: 1 },
    }),
  ).toBe('Run succeeded: 12.3 % right')
})
