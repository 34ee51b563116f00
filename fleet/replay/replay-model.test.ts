import { expect, test } from 'vitest'
import type { ReplayAnswers } from '#shared/contract/replay.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { createReplayModel } from './replay-model.ts'

const trial = { benchmark: 'code', item_id: '4', source_id: 'lru', epoch: 1 }
const request = { messages: [], params: {} as never, schema: null }
const never = new AbortController().signal
const open = (answers: ReplayAnswers) => createReplayModel(answers, (text) => text.replaceAll('agent-key', '***'))

test('[RUN115] a replayed trial gets its texts in turn, for no tokens and in no time, and every attempt begins with the first', async () => {
  const modelOf = open([{ item: 'lru', texts: ['first', 'then agent-key'] }, { texts: ['any'] }])
  const calls: unknown[] = []
  for (const _attempt of [1, 2]) {
    const model = modelOf(trial)
    const ask = () => model.generate(request, never, (used) => calls.push(used))
    expect(await ask()).toMatchObject({
      ok: true,
      value: { text: 'first', usage: noUsage, usage_known: true, latency_ms: 0, finish_reason: 'stop' },
    })
    expect(await ask()).toMatchObject({ ok: true, value: { text: 'then ***', redacted: true } })
    expect(model.resetAt()).toBeNull()
  }
  expect(calls).toEqual([])
  expect(await modelOf({ ...trial, source_id: null }).generate(request, never, () => undefined)).toMatchObject({ value: { text: 'any' } })
})

test('[RUN115] a question without a text is a failure that names the trial, and a trial that was given up gets none', async () => {
  const modelOf = open([{ item: 'lru', epoch: 1, texts: ['only'] }])
  const model = modelOf(trial)
  const ask = () => model.generate(request, never, () => undefined)
  await ask()
  const failure = { at: 'replay', reason: 'no-answer', retryable: false, status: null }
  expect(await ask()).toEqual({
    ok: false,
    failure: {
      ...failure,
      detail: 'Question 2 of item 4 (lru) of code, epoch 1: its replay has one text. Whoever gave it must start again with more.',
    },
  })
  expect(await modelOf({ ...trial, epoch: 0 }).generate(request, never, () => undefined)).toEqual({
    ok: false,
    failure: {
      ...failure,
      detail: 'No answer was given for item 4 (lru) of code, epoch 0. Whoever gave the replay must start again with one.',
    },
  })
  await expect(modelOf(trial).generate(request, AbortSignal.abort(new Error('given up')), () => undefined)).rejects.toThrow('given up')
})
