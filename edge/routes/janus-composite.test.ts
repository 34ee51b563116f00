import { expect, test } from 'vitest'
import { cards } from '#shared/benchmarks/cards.ts'
import { RunComposite } from '#shared/contract/janus.ts'
import { exchanged, turnWith } from '#shared/janus/testing/exchanged.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrial } from '../testing/example-records.ts'

const names = ['janus_research', 'janus_tool_use', 'janus_multimodal', 'janus_streaming', 'janus_cost'] as const
const failure = { at: 'provider', reason: 'rate-limited', retryable: true, detail: 'busy', status: 429 } as const

/** A run of the five benchmarks with one trial each; those of `failing` failed. */
function janusRun(failing: readonly string[], visibility: 'public' | 'private' = 'public') {
  const app = openApp({ cards })
  const spec = exampleSpec({
    owner_id: 'anna',
    visibility,
    benchmarks: [
      ...names.map((name) => examplePlanned({ name, profile: 'janus-v2', total_items: 40, sampled_items: 1 })),
      examplePlanned({ name: 'mmlu_pro' }),
    ],
  })
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  const trials = names.map((benchmark, ordinal) => {
    const item_metadata = { benchmark, subtype: 'synthesis', expected_facts: ['Beta'], evaluation: { type: 'x', baseline_tokens: 30 } }
    const one = { ordinal, benchmark, item_id: '0', item_metadata }
    if (failing.includes(benchmark)) return exampleTrial({ ...one, outcome: 'failed', score: null, evidence: null, failure })
    return exampleTrial({ ...one, evidence: exchanged([turnWith('Beta it is.')]) })
  })
  app.record.trials.set(spec.run_id, [...trials, exampleTrial({ ordinal: names.length })])
  return { ...app, spec, path: `/api/janus/composite-score/${spec.run_id}` }
}

test('[JANUS23] the composite of a run is computed from its records by both readings, with its parts', async () => {
  const { call, path } = janusRun(['janus_tool_use'])
  const body = RunComposite.parse(await (await call('GET', path)).json())
  expect(body.profiles).toEqual(Object.fromEntries(names.map((name) => [name, 'janus-v2'])))
  expect(body.mended).toMatchObject({
    version: 'v2',
    absent: [],
    parts: { quality: 50, streaming: 100 },
    benchmarks: { janus_tool_use: { failed: 1, results: 1, score: 0 } },
  })
  expect(Object.keys(body.mended.benchmarks)).toEqual(names)
  expect(body.official).toMatchObject({ version: 'v1', parts: { quality: 50 } })
  const all = RunComposite.parse(await (await janusRun(names).call('GET', path)).json())
  expect([all.mended.composite, all.official.parts.streaming, all.official.parts.cost]).toEqual([0, 100, 50])
})

test('[JANUS23] a run without a benchmark of the suite is 404, and a private run is nobody else’s', async () => {
  const app = openApp({ cards })
  const spec = exampleSpec({ owner_id: 'anna' })
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  expect((await app.call('GET', `/api/janus/composite-score/${spec.run_id}`)).status).toBe(404)
  const hidden = janusRun([], 'private')
  const [anna, bob] = [bearer(await giveKey(hidden, 'anna')), bearer(await giveKey(hidden, 'bob'))]
  expect([
    (await hidden.call('GET', hidden.path, { headers: anna })).status,
    (await hidden.call('GET', hidden.path, { headers: bob })).status,
  ]).toEqual([200, 404])
})
