import { expect, test } from 'vitest'
import { card as gpqa } from '../benchmarks/gpqa_diamond/card.ts'
import { card as mmlu } from '../benchmarks/mmlu_pro/card.ts'
import { CreateRun } from '../contract/create-run.ts'
import type { ItemList } from '../contract/item-list.ts'
import { RunSpec } from '../contract/run.ts'
import { drawOf, groupDrawOf } from '../metrics/draw.ts'
import { againRequest } from './again-request.ts'
import { buildSpec, listedDataOf, listsFor, type Planning } from './build-spec.ts'
import { choiceOf } from './chosen-items.ts'
import { pinnedData } from './data-choice.ts'
import { planTrials, sampleItems } from './plan.ts'
import { labelsOf } from './run-labels.ts'
import { RunRefused } from './run-refused.ts'

const cards = [mmlu, gpqa]
const group_of = Array.from({ length: mmlu.total_items }, (_, id) => id % 3)
const list: ItemList = { keys: group_of.map((_, id) => `q${id}`), groups: ['math', 'law', 'rest'], group_of }
const planning: Planning = {
  cards,
  dataFor: (name) => pinnedData(cards.find((one) => one.name === name)!),
  providerOf: () => undefined,
  helperFor: () => undefined,
  itemsOf: ({ name }) => (name === 'mmlu_pro' ? list : undefined),
}
const model = { id: 'm', slug: 'm', provider: 'p', price: null, context_length: null, input_modalities: [] }
const freezing = { invented: () => false, newId: () => '22222222-2222-4222-8222-222222222222', now: () => new Date(0) }
const ask = (body: object) => CreateRun.parse({ model_id: 'm', ...body })
const build = (body: object) => RunSpec.parse(buildSpec(ask(body), model, { id: 'o', own_credential: false }, { ...planning, ...freezing }))
const refusal = (body: object): RunRefused => {
  try {
    build(body)
  } catch (error) {
    if (error instanceof RunRefused) return error
    throw error
  }
  throw new Error('the run was not refused')
}

test('[ITEMS3] a run asks the chosen items and no other, is marked, and its scores stand for these items alone', () => {
  const spec = build({ items: { mmlu_pro: ['q7', 'id:3', 'id:3-4'] } })
  const [planned] = spec.benchmarks as [RunSpec['benchmarks'][0]]
  expect(planned).toMatchObject({
    name: 'mmlu_pro',
    items: [3, 4, 7],
    sampled_items: 3,
    total_items: mmlu.total_items,
    chosen: true,
    group_items: null,
  })
  expect([...planTrials(spec)].map(({ item_id }) => item_id)).toEqual(['3', '4', '7'])
  expect(labelsOf(spec, false)).toEqual(['chosen'])
  expect(drawOf(planned, 3, 3)).toMatchObject({ population: 3, complete: true })
  expect(drawOf({ ...planned, chosen: undefined }, 3, 3)).toMatchObject({ population: mmlu.total_items, complete: false })
  expect(groupDrawOf(planned, 'math', 1, 3, 0)).toMatchObject({ population: 1, complete: true })
})

test('[ITEMS4] a share draws among the chosen items, and smaller shares are part of larger ones', () => {
  const drawn = (share: object) => build({ items: { mmlu_pro: ['group:law'] }, ...share }).benchmarks[0]!.items!
  const [ten, twenty] = [drawn({ subset_count: 10 }), drawn({ subset_count: 20 })]
  expect([ten.length, twenty.length, drawn({ subset_pct: 1 }).length]).toEqual([10, 20, 40])
  expect(twenty.slice(0, 10)).toEqual(ten)
  expect(ten.every((id) => id % 3 === 1)).toBe(true)
  const order = sampleItems('mmlu_pro', mmlu.total_items, { pct: 100, count: null, seed: 'default', sampling: 'sha256' })
  expect(ten).toEqual(
    order
      .map(Number)
      .filter((id) => id % 3 === 1)
      .slice(0, 10),
  )
  expect(drawn({ subset_count: 10, subset_seed: 'x' })).not.toEqual(ten)
  expect(refusal({ items: { mmlu_pro: ['group:law'] }, subset_count: 10, sampling: 'legacy' }).pointer).toBe('/sampling')
})

test('[ITEMS3] whoever chooses everything chooses nothing: such a run is like any that asks every item', () => {
  const { created_at, ...all } = build({ items: { mmlu_pro: [`id:0-${mmlu.total_items - 1}`] } })
  const { created_at: _at, ...plain } = build({ selected_benchmarks: ['mmlu_pro'] })
  expect([created_at, all]).toEqual([_at, plain])
})

test('[ITEMS2] a choice that cannot be met is refused where it stands', () => {
  expect(refusal({ items: { mmlu_pro: ['nothing'] } })).toMatchObject({
    pointer: '/items/mmlu_pro',
    message: expect.stringMatching(/^mmlu_pro: There is no item "nothing"/),
  })
  expect(refusal({ selected_benchmarks: ['mmlu_pro'], items: { gpqa_diamond: ['id:0'] } }).pointer).toBe('/items/gpqa_diamond')
  expect(refusal({ items: { nope: ['id:0'] } })).toMatchObject({ code: 'unknown-benchmark' })
  expect(refusal({ items: { gpqa_diamond: ['a'] } }).message).toContain('not listed here')
})

test('[ITEMS2] the lists that are wanted are those of benchmarks whose items are named', () => {
  const names = (items: object) => listsFor(ask({ selected_benchmarks: ['mmlu_pro', 'gpqa_diamond'], items }), model, planning)
  expect(names({ mmlu_pro: ['id:1'], gpqa_diamond: ['group:x'] })).toEqual([
    listedDataOf('gpqa_diamond', { data: 'auto', profile: null }, 'p', planning),
  ])
  expect(choiceOf(ask({ items: { ' MMLU_Pro ': ['id:1'], mmlu_pro: ['id:2'] } }), 'mmlu_pro')).toEqual(['id:1', 'id:2'])
})

test('[ITEMS8] what asks items of a run once more asks them as that run did', () => {
  const given = { temperature: 0.3, max_tokens: 77, limits: { attempts: 2 }, epochs: 4, profile: 'builtin' }
  const before = build({ selected_benchmarks: ['mmlu_pro', 'gpqa_diamond'], subset_count: 5, ...given })
  const again = againRequest(before, { benchmark: 'mmlu_pro', items: ['id:9'], epochs: 1, name: 'again' }, null)
  const [planned] = build(again).benchmarks as [RunSpec['benchmarks'][0]]
  const { items, chosen, sampled_items, epochs, group_items, ...same } = planned
  expect({ items, chosen, sampled_items, epochs, group_items }).toEqual({
    items: [9],
    chosen: true,
    sampled_items: 1,
    epochs: 1,
    group_items: null,
  })
  expect(before.benchmarks[0]).toMatchObject(same)
})

test('[ITEMS8] what was not asked here is not asked again', () => {
  const before = build({ selected_benchmarks: ['mmlu_pro'] })
  const asked = { benchmark: 'mmlu_pro', items: ['id:1'], epochs: 1, name: null }
  const upload = { ...before.benchmarks[0]!, data: { ...before.benchmarks[0]!.data, source: 'upload' as const } }
  for (const spec of [
    { ...before, replay: { sha256: 'a'.repeat(64), answers: 1 } as never },
    { ...before, benchmarks: [upload] },
  ])
    expect(() => againRequest(spec, asked, null)).toThrow(RunRefused)
  expect(() => againRequest(before, { ...asked, benchmark: 'gpqa_diamond' }, null)).toThrow('does not ask')
})
