import { expect, test } from 'vitest'
import { cards } from '#shared/benchmarks/cards.ts'
import { PlanPreview } from '#shared/contract/api.ts'
import { asAdmin, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'

test('[JANUS59] a plan tells what is at work at once where that is fewer than the run asks for, and its time goes by that', async () => {
  const { call, deps, model_id } = openPlanning()
  const plan = async (concurrency: number) => {
    const body = { model_id, selected_benchmarks: ['janus_research', 'janus_streaming', 'mmlu_pro'], subset_count: 40, concurrency }
    const answer = await call('POST', '/api/runs/plan', { body, headers: asAdmin })
    return PlanPreview.parse(await answer.json())
  }
  deps.store.listBenchmarkLatency = async () => ({ janus_research: 60_000, janus_streaming: 30_000, mmlu_pro: 6000 })
  const [wide, narrow] = [await plan(64), await plan(2)]
  const told = 'At work at once at an endpoint, at most, whatever the concurrency of 64: janus_research 3, janus_streaming 1.'
  expect(wide.notes).toContain(told)
  expect(narrow.notes.join()).toContain('the concurrency of 2: janus_streaming 1.')
  // Streams one by one: 40 of half a minute; with two at once all trials together take longer than they do.
  expect([wide.minutes, narrow.minutes]).toEqual([20, (40 * (60 + 30 + 6)) / 2 / 60])
})

function openPlanning() {
  const app = openApp({ cards })
  const model = exampleModel()
  app.record.models.set(model.id, model)
  return { ...app, model_id: model.id }
}
