import { expect, test } from 'vitest'
import type { EventOf, RunEvent } from '../contract/event.ts'
import { TrialBrief } from '../contract/trial.ts'
import { noUsage } from '../contract/usage.ts'
import { readEvent, writeEvent } from './packed-event.ts'
import { toStreamed } from './stream.ts'
import { brief } from './testing/history.ts'

const progress = (...results: TrialBrief[]): EventOf<'benchmark_progress'> => ({
  ...{ event_type: 'benchmark_progress', benchmark_name: 'mmlu_pro', at: '2026-11-01T10:00:00.123Z' },
  data: { completed: 2, total: 3, current_accuracy: 0.5, unleased: 0, recovered: 0, results },
})
const written = (event: RunEvent) => ({ text: writeEvent(toStreamed(7, event)) })

/** Every field with a value that no other has, so that two that change places are seen. */
const told: TrialBrief = {
  ...{
    ordinal: 11,
    attempt: 2,
    item_id: 'item',
    epoch: 3,
    group: 'group',
    outcome: 'failed',
    score: 0.25,
    answer: 'said',
    expected: 'wanted',
  },
  ...{ failure: 'provider/overloaded', retryable: true, flags: ['level_1', 'late'], latency_ms: 41.5, ttft_ms: 12.25 },
  usage: { input_tokens: 101, output_tokens: 102, cached_tokens: 103, reasoning_tokens: 104 },
  cost_usd: 0.125,
  roles: { judge: { usage: { ...noUsage, input_tokens: 9 }, cost_usd: 0.5 } },
  cause: 'its image has no tmux',
}

test('[RUN19] an event reads as it was streamed, and is kept without the names of what it says of trials', () => {
  expect(Object.keys(told).toSorted()).toEqual(Object.keys(TrialBrief.shape).toSorted())
  const event = progress(told, brief(0, 1), brief(1, 1, 'failed'))
  const kept = written(event)
  expect(readEvent(kept)).toEqual(toStreamed(7, event))
  expect(kept.text).not.toMatch(/item_id|retryable|latency_ms/)
  expect(written(progress(told, { ...told, roles: undefined })).text).toContain('null,"its image has no tmux"]')
})

test('[RUN19] an event of another type is kept as it was streamed', () => {
  const joined: RunEvent = {
    ...{ event_type: 'agent_joined', benchmark_name: null, at: '2026-11-01T10:00:00.123Z' },
    data: { agent_id: 'a', session: 'session-0001', until_ms: 1 },
  }
  expect(readEvent(written(joined))).toEqual(toStreamed(7, joined))
})
