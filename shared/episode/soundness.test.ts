import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { judgeSoundness } from './soundness.ts'

type Trial = Parameters<typeof judgeSoundness>[0][number]
const step = (change: object) => ({
  ...{ name: '', agent: { end: 'completed', turns: 0, detail: '' }, rewards: { reward: 1 }, problem: null, ignored: [], tampering: [] },
  ...{ verifier: { exit_code: 0, output: '' }, ...change },
})
const trial = (item_id: string, score: number | null, changes: object = {}, steps: object[] = [step({})]): Trial => ({
  ...{ item_id, source_id: `task-${item_id}`, epoch: 0, score, failure: null, flags: [] },
  evidence: { kind: 'reward', steps } as unknown as TrialRecord['evidence'], // no other field is looked at
  ...changes,
})
const failure = { at: 'sandbox', reason: 'unavailable', retryable: false, status: null, detail: 'the engine is away' }

test('[CLI501] a task is sound when its own solution has reward 1; another reward names the step and the reason', () => {
  const steps = [
    step({}),
    step({
      name: 'two',
      rewards: null,
      problem: 'missing',
      verifier: { exit_code: 3, output: '' },
      agent: { end: 'timeout', turns: 0, detail: '' },
    }),
  ]
  const verdicts = judgeSoundness(
    [trial('0', 1), trial('1', 0.5, {}, steps), trial('2', null, { failure }), trial('1', 1, { epoch: 1 })],
    'oracle',
  )
  expect(verdicts).toEqual([
    { task: 'task-0', verdict: 'sound', reward: 1, reason: null },
    {
      ...{ task: 'task-1', verdict: 'unsound', reward: 0.5 },
      reason:
        'the solution has reward 0.5, not 1; two: the verifier left no reward file; the solution ended by timeout; the tests ended with 3',
    },
    { task: 'task-2', verdict: 'unchecked', reward: null, reason: 'the engine is away' },
  ])
})

test('[CLI501] a task that rewards doing nothing is unsound; a failed trial beside it changes nothing, and beside a sound one leaves it unchecked', () => {
  const trials = [
    trial('0', 0),
    trial('1', 1),
    trial('1', null, { failure, epoch: 1 }),
    trial('2', 0),
    trial('2', null, { failure, epoch: 1 }),
  ]
  expect(judgeSoundness(trials, 'nop').map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['sound', null],
    ['unsound', 'doing nothing has reward 1'],
    ['unchecked', 'the engine is away'],
  ])
  const untold = trial('0', 0, {}, [step({ rewards: null, problem: 'missing' })])
  expect(judgeSoundness([untold], 'nop')[0]).toMatchObject({
    verdict: 'unchecked',
    reward: null,
    reason: 'the verifier left no reward file',
  })
  expect(judgeSoundness([trial('0', null)], 'oracle')[0]).toMatchObject({ verdict: 'unchecked', reason: 'no trial ended' })
})
