import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#db/embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '#db/example-run.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import { clear, createVirtualStore, type RunStore } from './virtual-store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const event = (id: number, message = 'one'): StreamedEvent => ({
  ...{ id, message, event_type: 'run_started', benchmark_name: null, data: {}, created_at: '2026-11-01T10:00:00.123Z' },
})

/** Everything that the simulator rests on, asked of a store: batches that come again, late, in parts, or for a run nobody knows. */
async function answersOf(store: RunStore): Promise<unknown[]> {
  const spec = exampleSpec()
  const head = exampleHead(spec)
  const { run_id } = spec
  await store.createRun(spec, head, null)
  const drain = (batch: Partial<Parameters<RunStore['drain']>[0]>) =>
    store.drain({ run_id, openings: [], trials: [], events: [], head, ...batch })
  const many = [exampleTrial(0), exampleTrial(1, { attempt: 2 }), exampleTrial(1)]
  const answers: unknown[] = [
    await drain({ trials: many, events: [event(1), event(2)], head: { ...head, seq: 2 } }),
    await drain({ trials: many, events: [event(1, 'two')], head: { ...head, seq: 2 } }),
    await drain({ trials: [exampleTrial(1, { answer: 'Z' }), exampleTrial(0, { attempt: 3 })] }),
    await drain({ trials: [exampleTrial(0, { attempt: 3, answer: 'Y' }), exampleTrial(2)] }),
    (await store.findRun(run_id))?.head.seq,
  ]
  const end = { status: 'succeeded' as const, completed_at: '2026-11-01T11:00:00.000Z' }
  for (const late of [{ seq: 3 }, { seq: 3, ...end }, { seq: 3 }, { seq: 2 }]) {
    await drain({ head: { ...head, ...late } })
    answers.push((await store.findRun(run_id))?.head.completed_at)
  }
  const unknown = '00000000-0000-4000-8000-00000000ffff'
  answers.push(await store.drain({ run_id: unknown, openings: [], trials: many, events: [], head }).catch((error: Error) => error.message))
  answers.push(await store.findRun(unknown))
  return answers
}

test('[SIM10] the virtual database answers as PostgreSQL does', async () => {
  const real = await answersOf(database.store)
  expect(await answersOf(createVirtualStore(clear).store)).toEqual(real)
  expect(real[2]).toMatchObject({ written: 1 })
})
