import { expect, test } from 'vitest'
import type { Failure } from '#shared/contract/failure.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { settled, startWorker } from './testing/start-worker.ts'

test('[RUN100] whatever ends a worker, trials that it began are given up with what they took, and it waits until that is heard', async () => {
  for (const end of ['canceled', 'stopped'] as const) {
    const clock = handClock()
    const { worker, coordinator, asked, givenUp, reported, ended, backlog } = startWorker(6, 3, undefined, clock)
    const heard = Promise.withResolvers<void>()
    await worker.start({ ...coordinator, drained: () => heard.promise })
    await settled()
    asked[0]!.used({ ...noUsage, output_tokens: 7 })
    backlog.size = 1
    if (end === 'canceled') worker.events.onState({ status: 'canceled', concurrency: 3, open: 0 })
    else void worker.stop(0)
    await clock.to(0)
    asked[2]!.answer() // too late: its signal has gone
    await settled()
    await settled()
    const took = givenUp.map(({ ordinal, usage }) => [ordinal, usage.output_tokens])
    expect([took, reported, ended]).toEqual([
      [
        [0, 7],
        [1, 0],
        [2, 0],
      ],
      [],
      [],
    ])
    const stopped = worker.stop(0).then(() => ended.length)
    await settled()
    expect(ended).toEqual([]) // an agent that stops waits for the words of all its workers
    heard.resolve()
    expect(await stopped).toBe(1)
  }
})

test('[RUN103] what trials took before one of their calls halted the run is told, and they are open again', async () => {
  const { worker, coordinator, asked, reported, released, givenUp, halted } = startWorker(6, 3)
  await worker.start(coordinator)
  await settled()
  const spent: Failure = { at: 'provider', reason: 'payment-required', retryable: false, status: 402, detail: 'Quota used up.' }
  asked[0]!.used({ ...noUsage, input_tokens: 40, output_tokens: 7 })
  for (const each of asked.slice(0, 2)) each.fail(spent)
  await settled()
  expect(givenUp.map(({ ordinal, usage, calls }) => [ordinal, usage.input_tokens, usage.output_tokens, calls])).toEqual([[0, 40, 7, 1]])
  expect([halted.length, reported, [...released].sort()]).toEqual([1, [], [1, 3, 4, 5]])
  await worker.stop(0)
})
