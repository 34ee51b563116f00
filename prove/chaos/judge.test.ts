import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { exampleHead, exampleSpec, exampleTrial } from '#db/example-run.ts'
import type { LedgerEntry } from '../provider/ledger.ts'
import { judge, type Testimony } from './judge.ts'

const items = [0, 1, 2]
const promptOf = (item: number): string => hash('sha256', `Answer with a letter.\n\nQuestion ${item}?`)

function entry(id: number, item: number, started_ms: number): LedgerEntry {
  const times = { started_ms, ended_ms: started_ms + 30 }
  return { id, prompt_sha256: promptOf(item), keyed: false, status: 200, fault: null, input_tokens: 100, output_tokens: 20, ...times }
}

/** A run of three right answers in which all four accounts agree. */
function honest() {
  const spec = exampleSpec({}, ['mmlu_pro'])
  const head = exampleHead(spec, {
    status: 'succeeded',
    seq: 2,
    total: 3,
    done: 3,
    benchmarks: {
      mmlu_pro: {
        ...{ total: 3, right: 3, wrong: 0, failed: 0, score_sum: 3, flags: {} },
        ...{ status: 'succeeded', started_at: null, completed_at: null },
      },
    },
    usage: { input_tokens: 300, output_tokens: 60, cached_tokens: 30, reasoning_tokens: 15 },
  })
  const event = (id: number, event_type: string, data: Record<string, never> | { results: { ordinal: number }[] }) => {
    return { id, event_type, benchmark_name: null, message: '', data, created_at: spec.created_at }
  }
  const testimony = {
    expected: new Map(
      items.map((item) => [String(item), { prompt_sha256: promptOf(item), outcome: 'right', answer: 'A', target: 'A' } as const]),
    ),
    run: { id: spec.run_id, head, overall_score: 1 },
    trials: items.map((item) => exampleTrial(item).record),
    events: [event(1, 'run_created', {}), event(2, 'benchmark_progress', { results: items.map((ordinal) => ({ ordinal })) })],
    ledger: items.map((item) => entry(item + 1, item, 1_000 + item)),
    width: 2,
    agentKills: [],
  } satisfies Testimony
  return testimony
}

test('[SIM5] a run whose accounts agree passes, also when a killed agent took an answer along', () => {
  expect(judge(honest()).breaches).toEqual([])
  const killed = { ...honest(), ledger: [...honest().ledger, entry(4, 1, 2_000)], agentKills: [{ at_ms: 1_010, with_edge: false }] }
  const verdict = judge(killed)
  expect(verdict).toMatchObject({ breaches: [], extra: 1, in_flight: [3], lost: { input_tokens: 100, output_tokens: 20 } })
})

const lies: [string, (told: ReturnType<typeof honest>) => Testimony, RegExp][] = [
  ['a missing trial', (told) => ({ ...told, trials: told.trials.slice(1) }), /item 0 is missing/],
  ['a doubled trial', (told) => ({ ...told, trials: [...told.trials, told.trials[0]!] }), /item 0 stands twice/],
  ['an unplanned trial', (told) => ({ ...told, trials: [...told.trials, exampleTrial(7).record] }), /item 7, epoch 0 was not planned/],
  [
    'another answer',
    (told) => ({ ...told, trials: [exampleTrial(0, { answer: 'B' }).record, ...told.trials.slice(1)] }),
    /item 0 is right with B/,
  ],
  [
    'another question',
    (told) => ({ ...told, trials: [exampleTrial(0, { messages: [] }).record, ...told.trials.slice(1)] }),
    /another question/,
  ],
  ['another tally', (told) => ({ ...told, run: { ...told.run, head: { ...told.run.head, done: 2 } } }), /done = 2, it is 3/],
  ['another score', (told) => ({ ...told, run: { ...told.run, overall_score: 0.5 } }), /score is 0.5/],
  ['a gap in the events', (told) => ({ ...told, events: told.events.slice(1) }), /event 2 stands at place 1/],
  ['a question nobody planned', (told) => ({ ...told, ledger: [...told.ledger, entry(9, 9, 1_500)] }), /what nobody planned/],
  ['a question that was never asked', (told) => ({ ...told, ledger: told.ledger.slice(1) }), /never asked item 0/],
  ['asking again for no reason', (told) => ({ ...told, ledger: [...told.ledger, entry(9, 2, 1_500)] }), /1 requests too many/],
  [
    'usage that was not paid',
    (told) => ({ ...told, run: { ...told.run, head: { ...told.run.head, usage: { ...told.run.head.usage, input_tokens: 1 } } } }),
    /the run counts 1\+60 tokens/,
  ],
]
test.each(lies)('[SIM5] the judge names %s', (_, lie, sentence) => {
  expect(judge(lie(honest())).breaches.join('\n')).toMatch(sentence)
})
