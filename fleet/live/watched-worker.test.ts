import { expect, test } from 'vitest'
import type { LiveTold } from '#shared/contract/live.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import { startWorker } from '../testing/start-worker.ts'

test('[LIVE5] of a trial that is watched the worker tells its answer as it comes, its steps and the words of its solver', async () => {
  const clock = handClock()
  const { worker, coordinator, asked } = startWorker(
    2,
    2,
    async (item, kit) => {
      kit.progress('I ask')
      kit.transcript.note('asked')
      return answeredEvidence(await kit.ask('model', { messages: item.messages }))
    },
    clock,
  )
  const told: LiveTold[] = []
  await worker.start({ ...coordinator, tellLive: (one) => void told.push(one) })
  await clock.to(0)
  asked[1]!.says('not watched')
  asked[0]!.says('The')
  worker.events.onWatch!([{ ordinal: 0, attempt: 1, watch: 5 }])
  asked[0]!.says('The answer')
  await clock.to(200)
  expect(told).toEqual([
    {
      watch: 5,
      from_start: true,
      entries: [
        { type: 'step', number: 0, call: null, step: { type: 'note', at_ms: expect.any(Number), text: 'asked' } },
        { type: 'delta', call: 1, role: 'model', part: 'text', from: 0, text: 'The' },
        { type: 'progress', text: 'I ask' },
      ],
    },
    { watch: 5, from_start: false, entries: [{ type: 'delta', call: 1, role: 'model', part: 'text', from: 3, text: ' answer' }] },
  ])
  for (const each of asked) each.answer()
  await clock.to(1000)
  expect(told.length).toBe(2)
  await worker.stop(0)
  worker.events.onWatch!([{ ordinal: 0, attempt: 1, watch: 6 }])
  expect(clock.timers()).toBe(0)
})
