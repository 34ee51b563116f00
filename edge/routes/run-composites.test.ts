import { expect, test } from 'vitest'
import { cards } from '#shared/benchmarks/cards.ts'
import { RunComposites } from '#shared/contract/composite.ts'
import { RunComposite } from '#shared/contract/janus.ts'
import { exchanged, turnWith } from '#shared/janus/testing/exchanged.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrial } from '../testing/example-records.ts'

const suite = ['janus_research', 'janus_tool_use', 'janus_multimodal', 'janus_streaming', 'janus_cost'] as const
type Name = (typeof suite)[number] | 'mmlu_pro' | 'janus_public'
const failure = { at: 'provider', reason: 'rate-limited', retryable: true, detail: 'busy', status: 429 } as const

/** A run of these benchmarks with two trials each, the first of which names what is looked for. */
function runOf(names: readonly Name[], profile = 'janus-v2', visibility: 'public' | 'private' = 'public') {
  const app = openApp({ cards })
  const benchmarks = names.map((name) => examplePlanned({ name, profile, total_items: 40, sampled_items: 2 }))
  const spec = exampleSpec({ owner_id: 'anna', visibility, benchmarks })
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  const trials = names.flatMap((benchmark, index) =>
    ['Beta', 'nothing'].map((said, second) => {
      const item_metadata = { benchmark, subtype: 'synthesis', expected_facts: ['Beta'], evaluation: { type: 'x', baseline_tokens: 30 } }
      const one = { ordinal: 2 * index + second, benchmark, item_id: String(second), item_metadata }
      if (benchmark === 'janus_cost' && second === 1)
        return exampleTrial({ ...one, outcome: 'failed', score: null, evidence: null, failure })
      return exampleTrial({ ...one, evidence: exchanged([turnWith(`${said} it is.`)]) })
    }),
  )
  app.record.trials.set(spec.run_id, trials)
  const read = async () => RunComposites.parse(await (await app.call('GET', `/api/runs/${spec.run_id}/composites`)).json())
  return { ...app, spec, read }
}

test('[JANUS61] a composite has its parts with weights, counts and intervals, by the run’s formulas first, the same as the suite’s own address gives', async () => {
  const { call, spec, read } = runOf(suite)
  const { composites } = await read()
  expect(composites.map(({ name, title }) => [name, title])).toEqual([['janus', 'Janus composite']])
  const [mended, official] = composites[0]!.readings
  expect([mended!.id, official!.id]).toEqual(['v2', 'v1'])
  expect(mended!.parts.map(({ name, weight, n, failed, absent }) => [name, weight, n, failed, absent])).toEqual([
    ['quality', 40, 4, 0, []],
    ['speed', 20, 2, 0, []],
    ['cost', 15, 2, 1, []],
    ['streaming', 15, 2, 0, []],
    ['multimodal', 10, 2, 0, []],
  ])
  const own = RunComposite.parse(await (await call('GET', `/api/janus/composite-score/${spec.run_id}`)).json())
  for (const [reading, score] of [[mended!, own.mended] as const, [official!, own.official] as const]) {
    expect(reading.value! * 100).toBeCloseTo(score.composite!, 9)
    for (const { name, value } of reading.parts) expect(value! * 100).toBeCloseTo(score.parts[name as 'quality']!, 9)
  }
  const quality = mended!.parts[0]!
  expect(quality.value).toBe(0.25)
  expect(quality.low!).toBeLessThan(0.25)
  expect(quality.high!).toBeGreaterThan(0.25)
  expect([mended!.n, mended!.failed, mended!.low === null]).toEqual([10, 1, false])
  const byV1 = (await runOf(suite, 'janus-v1').read()).composites[0]!.readings
  expect(byV1.map(({ id }) => id)).toEqual(['v1', 'v2'])
})

test('[JANUS61] what was not run is named at its part, and the mended composite is then null; officially it counts 0', async () => {
  const [mended, official] = (await runOf(['janus_research', 'janus_cost', 'janus_public', 'mmlu_pro']).read()).composites[0]!.readings
  expect(mended).toMatchObject({ value: null, low: null, n: 4 })
  expect(mended!.parts.map(({ name, value, absent }) => [name, value === null, absent])).toEqual([
    ['quality', false, ['janus_tool_use']],
    ['speed', true, ['janus_streaming']],
    ['cost', false, []],
    ['streaming', true, ['janus_streaming']],
    ['multimodal', true, ['janus_multimodal']],
  ])
  expect(official!.value).not.toBeNull()
  expect(official!.low).toBeNull()
})

test('[JANUS61] a run says which composites its benchmarks count in; one without any has none, and nothing is told to who may not read it', async () => {
  const { call, spec } = runOf(['janus_cost', 'janus_research'])
  expect(await (await call('GET', `/api/runs/${spec.run_id}`)).json()).toMatchObject({ composites: ['janus'] })
  const other = runOf(['mmlu_pro', 'janus_public'])
  expect(await (await other.call('GET', `/api/runs/${other.spec.run_id}`)).json()).toMatchObject({ composites: [] })
  expect((await other.read()).composites).toEqual([])
  const hidden = runOf(suite, 'janus-v2', 'private')
  const path = `/api/runs/${hidden.spec.run_id}/composites`
  const statusFor = async (who: string) => (await hidden.call('GET', path, { headers: bearer(await giveKey(hidden, who)) })).status
  expect([await statusFor('anna'), await statusFor('bob')]).toEqual([200, 404])
})

test('[JANUS61] a run of which nothing is recorded has a composite without values', async () => {
  const { record, spec, read } = runOf(suite)
  record.trials.set(spec.run_id, [])
  for (const reading of (await read()).composites[0]!.readings)
    expect([reading.value, ...reading.parts.map(({ value }) => value)]).toEqual([null, null, null, null, null, null])
})
