import { reset, runInDurableObject, env as testEnv } from 'cloudflare:test'
import { afterEach, expect, inject, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import { exampleTrial } from '#db/example-run.ts'
import { RunId } from '#shared/contract/ids.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import { briefOf } from '#shared/contract/trial.ts'
import { initialHead } from '#shared/run/apply.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { openLiveRun } from '../run/live-run.ts'
import { noReport, toReport } from '../run/run-records.ts'
import type { Env } from './env.ts'
import { RunObject } from './run-object.ts'
import type {} from './testing/database.ts'

const env = testEnv as unknown as Env // bindings of testing/wrangler.toml
afterEach(() => reset())

const specOf = (run_id: string) => ({ ...testSpec({ benchmarks: [{ name: 'alpha', items: 2, epochs: 1 }] }), run_id: RunId.parse(run_id) })

/** A run all of whose trials failed for a while, in its object's storage; nothing of it has left. */
function failedRun(storage: DurableObjectStorage, spec: ReturnType<typeof specOf>): void {
  const live = openLiveRun(storage)
  live.plan(spec)
  const session = 'session-1'
  live.run({ type: 'hello', agent_id: 'agent', session, holding: [] }, noReport, Date.now())
  live.run({ type: 'claim', session, count: 2 }, noReport, Date.now())
  const failure = { at: 'provider', reason: 'server-error', retryable: true, status: 500, detail: '' } as const
  const failed = { ...(exampleTrial(0).record as PackedRecord), outcome: 'failed' as const, score: null, evidence: null, failure }
  const records = live.rows.leases([0, 1].map((ordinal) => [ordinal, 1])).map((lease) => ({ ...failed, ...lease }))
  live.run({ type: 'report', session, results: records.map(briefOf) }, toReport(records, {}), Date.now())
}

test('[RUN81] the record says that a run which ended goes on before its caller is answered', async () => {
  const { url, endpointUrl } = inject('database')
  const store = createStore(connect(url, { fetchEndpoint: endpointUrl }))
  const spec = specOf(crypto.randomUUID()) // the database outlives this test
  await store.createRun(spec, initialHead(spec), null)
  const run = env.RUN.get(env.RUN.idFromName(spec.run_id))
  await runInDurableObject(run, (_, state) => failedRun(state.storage, spec))
  // Another instance over the same storage, because the database that the first is bound to is away.
  await runInDurableObject(run, async (_, state) => {
    const object = new RunObject(state, { ...env, DATABASE_URL: url, NEON_ENDPOINT: endpointUrl })
    await object.alarm()
    expect((await store.findRun(spec.run_id))?.head.status).toBe('failed')
    expect(await object.command({ type: 'retry_failed' })).toMatchObject({ head: { status: 'running', done: 0, retried: 2 } })
    expect((await store.findRun(spec.run_id))?.head).toMatchObject({ status: 'running', completed_at: null })
    await object.command({ type: 'cancel' })
    await object.alarm()
    expect((await store.findRun(spec.run_id))?.head.status).toBe('canceled')
  })
})

test('[LINE6] a canceled run whose storage was given back is requeued, and the record says so before its caller is answered', async () => {
  const { url, endpointUrl } = inject('database')
  const store = createStore(connect(url, { fetchEndpoint: endpointUrl }))
  const spec = specOf(crypto.randomUUID()) // the database outlives this test
  await store.createRun(spec, initialHead(spec), null)
  const run = env.RUN.get(env.RUN.idFromName(spec.run_id))
  await runInDurableObject(run, async (_, state) => {
    const object = new RunObject(state, { ...env, DATABASE_URL: url, NEON_ENDPOINT: endpointUrl })
    await object.create(spec)
    await object.command({ type: 'cancel' })
    await object.alarm()
    expect((await store.findRun(spec.run_id))?.head.status).toBe('canceled')
    expect(await object.command({ type: 'requeue' })).toMatchObject({ head: { status: 'queued', done: 0 } })
    expect((await store.findRun(spec.run_id))?.head).toMatchObject({ status: 'queued', completed_at: null })
  })
})

test('[RUN14] the alarm is armed before the work it wakes for, and what is due earlier wakes earlier', async () => {
  const spec = specOf('00000000-0000-4000-8000-0000000000b2')
  const run = env.RUN.get(env.RUN.idFromName(spec.run_id))
  await run.create(spec)
  await runInDurableObject(run, async (object, state) => {
    await state.storage.deleteAlarm()
    const before = Date.now()
    const work = object.alarm()
    expect(await state.storage.getAlarm()).toBeGreaterThan(before) // the database has not answered yet
    await work
    expect(await state.storage.getAlarm()).toBeGreaterThan(before)
  })
})

test('[RUN102] the file of an ended run shrinks to what a state takes', async () => {
  const { url, endpointUrl } = inject('database')
  const store = createStore(connect(url, { fetchEndpoint: endpointUrl }))
  const spec = specOf(crypto.randomUUID())
  await store.createRun(spec, initialHead(spec), null)
  const run = env.RUN.get(env.RUN.idFromName(spec.run_id))
  await runInDurableObject(run, async (_, state) => {
    failedRun(state.storage, spec)
    const { sql } = state.storage
    sql.exec('CREATE TABLE ballast (text TEXT)')
    for (let n = 0; n < 200; n++) sql.exec('INSERT INTO ballast VALUES (?)', 'x'.repeat(10_000))
    expect(sql.databaseSize).toBeGreaterThan(2_000_000)
    const object = new RunObject(state, { ...env, DATABASE_URL: url, NEON_ENDPOINT: endpointUrl })
    await object.alarm()
    expect((await store.findRun(spec.run_id))?.head.status).toBe('failed')
    expect(sql.databaseSize).toBeLessThan(100_000)
    expect(await state.storage.getAlarm()).toBeNull()
    expect(await object.command({ type: 'retry_failed' })).toMatchObject({ head: { status: 'running', done: 0, retried: 2 } })
    await object.command({ type: 'cancel' })
    await object.alarm()
  })
})
