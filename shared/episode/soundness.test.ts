import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { type Checker, judgeSoundness } from './soundness.ts'

type Trial = Parameters<typeof judgeSoundness>[1][number]

/** The verdicts where every trial that was planned has a record. */
const judged = (trials: readonly Trial[], checker: Checker) => judgeSoundness(trials, trials, checker)
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
  const verdicts = judged([trial('0', 1), trial('1', 0.5, {}, steps), trial('2', null, { failure }), trial('1', 1, { epoch: 1 })], 'oracle')
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

test('[CLI501] a solution that did not complete is told with its cause', () => {
  const agent = { end: 'failed' as const, turns: 0, detail: 'the machine’s disk held more than its storage' }
  const [verdict] = judged([trial('0', 0, {}, [step({ rewards: { reward: 0 }, agent })])], 'oracle')
  expect(verdict!.reason).toBe('the solution has reward 0, not 1; the machine’s disk held more than its storage')
})

test('[CLI501] a task that rewards doing nothing is unsound; a failed trial beside it changes nothing, and beside a sound one leaves it unchecked', () => {
  const trials = [
    trial('0', 0),
    trial('1', 1),
    trial('1', null, { failure, epoch: 1 }),
    trial('2', 0),
    trial('2', null, { failure, epoch: 1 }),
  ]
  expect(judged(trials, 'nop').map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['sound', null],
    ['unsound', 'doing nothing has reward 1'],
    ['unchecked', 'the engine is away'],
  ])
  const untold = trial('0', 0, {}, [step({ rewards: null, problem: 'missing' })])
  expect(judged([untold], 'nop')[0]).toMatchObject({
    verdict: 'unchecked',
    reward: null,
    reason: 'the verifier left no reward file',
  })
  expect(judged([trial('0', null)], 'oracle')[0]).toMatchObject({ verdict: 'unchecked', reason: '1 of 1 trials did not end' })
})

test('[CLI501] a planned task without a record is unchecked, by the number of its item; one whose trials have not all ended is unchecked too', () => {
  const planned = ['0', '0', '1', '2'].map((item_id) => ({ item_id }))
  expect(judgeSoundness(planned, [trial('0', 1), trial('2', 1)], 'oracle')).toEqual([
    { task: 'task-0', verdict: 'unchecked', reward: 1, reason: '1 of 2 trials did not end' },
    { task: 'item 1', verdict: 'unchecked', reward: null, reason: '1 of 1 trials did not end' },
    { task: 'task-2', verdict: 'sound', reward: 1, reason: null },
  ])
})

test.each(['build-failed', 'image-missing', 'unhealthy', 'task-refused'])(
  '[CLI501] a task whose machine is never ready (%s) is unsound, unless another try may do better',
  (reason) => {
    const failed = (retryable: boolean) => trial('0', null, { failure: { ...failure, reason, retryable, detail: 'line 3 failed' } })
    const unsound = { task: 'task-0', verdict: 'unsound', reward: null, reason: 'line 3 failed' }
    expect(judged([failed(false)], 'oracle')).toEqual([unsound])
    expect(judged([failed(false)], 'nop')).toEqual([unsound])
    expect(judged([failed(true)], 'nop')).toEqual([{ ...unsound, verdict: 'unchecked' }])
  },
)

test('[CLI501] a reward is told once: the words of the only step do not repeat it', () => {
  const steps = [step({ rewards: { reward: 0 }, verifier: { exit_code: 1, output: '' } })]
  expect(judged([trial('0', 0, {}, steps)], 'oracle')[0]!.reason).toBe('the solution has reward 0, not 1; the tests ended with 1')
})
