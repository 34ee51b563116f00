import { expect, test } from 'vitest'
import { EventList, Run } from '#shared/contract/api.ts'
import { StreamedEvent } from '#shared/contract/event.ts'
import { briefOf } from '#shared/contract/trial.ts'
import { initialHead } from '#shared/run/apply.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleEvent, examplePlanned, exampleSpec, exampleTrials } from '../testing/example-records.ts'

const spec = exampleSpec({ owner_id: 'anna', benchmarks: [examplePlanned({ name: 'gpqa_diamond', gated: true })] })
const path = `/api/runs/${spec.run_id}/events`
const progress = (id: number) =>
  exampleEvent(id, {
    event_type: 'benchmark_progress',
    benchmark_name: 'gpqa_diamond',
    data: {
      completed: 1,
      total: 2,
      current_accuracy: 1,
      unleased: 0,
      recovered: 0,
      results: [briefOf({ ...exampleTrials()[0]!.record, answer: 'B', expected: 'B' })],
    },
  })

async function endedApp(count: number) {
  const app = openApp()
  const stored = exampleEnded(spec)
  app.record.runs.set(spec.run_id, { ...stored, head: { ...stored.head, seq: count } })
  app.record.events.set(
    spec.run_id,
    Array.from({ length: count }, (_, index) => (index % 2 ? progress(index + 1) : exampleEvent(index + 1))),
  )
  return { ...app, anna: bearer(await giveKey(app, 'anna')) }
}

/** Frames of a stream: id and parsed data of each, with the named ones marked. */
function framesOf(text: string) {
  return text
    .split('\n\n')
    .filter((frame) => frame.includes('data: '))
    .map((frame) => ({
      id: /^id: (\d+)$/m.exec(frame)?.[1],
      event: /^event: (\w+)$/m.exec(frame)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(frame)![1]!) as unknown,
    }))
}

test('[API27] the stream of an ended run replays all its events in order, then `done`', async () => {
  const { call, anna } = await endedApp(1205)
  const response = await call('GET', path, { headers: { ...anna, accept: 'text/event-stream' } })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const frames = framesOf(await response.text())
  expect(frames.at(-1)).toEqual({ id: undefined, event: 'done', data: {} })
  const events = frames.slice(0, -1)
  expect(events.map((frame) => Number(frame.id))).toEqual(Array.from({ length: 1205 }, (_, index) => index + 1))
  expect(events.every((frame) => frame.event === undefined && StreamedEvent.safeParse(frame.data).success)).toBe(true)
})

test('[API27] an exact page of events still ends with `done`, once', async () => {
  const { call } = await endedApp(1000)
  expect(framesOf(await (await call('GET', path)).text()).filter((frame) => frame.event === 'done')).toHaveLength(1)
})

test('[API28] a stream goes on after Last-Event-ID as header or query, or after `after`; ids of another form count as none', async () => {
  const { call } = await endedApp(10)
  const first = async (query: string, headers: Record<string, string> = {}) =>
    framesOf(await (await call('GET', `${path}${query}`, { headers })).text())[0]!.id
  expect(await first('', { 'last-event-id': '7' })).toBe('8')
  expect(await first('?after=4')).toBe('5')
  expect(await first('?Last-Event-ID=5')).toBe('6')
  expect(await first('?after=4', { 'last-event-id': '7' })).toBe('5')
  expect(await first('', { 'last-event-id': '3f2504e0-4f89-11d3-9a0c-0305e82c3301' })).toBe('1')
  expect(await first('?after=latest')).toBeUndefined()
})

test('[API28] the same cursor works as a JSON poll', async () => {
  const { call } = await endedApp(10)
  const poll = async (query: string) => EventList.parse(await (await call('GET', `${path}?format=json${query}`)).json())
  expect((await poll('&after=0&limit=4')).events.map((event) => event.id)).toEqual([1, 2, 3, 4])
  expect((await poll('&after=8')).last_id).toBe(10)
  expect(await poll('&after=10')).toEqual({ events: [], last_id: 10, next_after: null })
  for (const query of ['&after=-1', '&after=x', '&limit=0']) expect((await call('GET', `${path}?format=json${query}`)).status).toBe(422)
})

test('[API29] a living run is streamed by its object, which gets the very request', async () => {
  const { call, record, living, anna, deps } = await endedApp(3)
  record.runs.set(spec.run_id, { spec, head: initialHead(spec), metrics: {}, updated_at: spec.created_at })
  living.set(spec.run_id, { spec, head: initialHead(spec) })
  const response = await call('GET', `${path}?after=latest`, { headers: { ...anna, 'user-agent': 'tester' } })
  expect(framesOf(await response.text())[0]!.data).toMatchObject({ event_type: 'snapshot', cursor: 'latest', agent: 'tester' })
  deps.runs.stream = async () => new Response(null, { status: 404 })
  expect(await (await call('GET', path)).json()).toMatchObject({ code: 'unavailable' })
  expect((await call('HEAD', path)).headers.get('content-type')).toContain('text/event-stream')
})

test('[API29] the object is told for whom it streams', async () => {
  const { call, record, living, anna } = await endedApp(3)
  record.runs.set(spec.run_id, { spec, head: initialHead(spec), metrics: {}, updated_at: spec.created_at })
  living.set(spec.run_id, { spec, head: initialHead(spec) })
  const audience = async (headers: Record<string, string>) => framesOf(await (await call('GET', path, { headers })).text())[0]!.data
  expect(await audience(anna)).toMatchObject({ audience: 'owner' })
  expect(await audience(asAdmin)).toMatchObject({ audience: 'operator' })
  expect(await audience({})).toMatchObject({ audience: 'stranger' })
})

test('[API26] events of gated data carry no answers to those who do not own the run', async () => {
  const { call, anna } = await endedApp(4)
  for (const headers of [{}, asAdmin]) {
    const replayed = await (await call('GET', path, { headers })).text()
    expect(replayed).toContain('"answer":null,"expected":null')
    expect(replayed).not.toContain('"B"')
    expect(await (await call('GET', `${path}?format=json`, { headers })).text()).not.toContain('"B"')
  }
  expect(await (await call('GET', path, { headers: anna })).text()).toContain('"answer":"B"')
})

const pulse = {
  agents: { joined: 1, preparing: 0, leaving: 0, silent: 0, silent_ms: null, held: 0, freed_in_ms: null },
  models: [
    {
      provider: 'chutes',
      model: 'm',
      in_flight: 0,
      waiting: 8,
      hold: 'circuit' as const,
      next_try_ms: 2000,
      attempt: 2,
      attempts: 5,
      failed: 20,
      failure: { reason: 'forbidden' as const, status: 403, detail: 'refused: which gas is it' },
      slowest: null,
    },
  ],
}

test('[RUN74] the words of a failed call reach those who may read the items, all others get its status', async () => {
  const { call, record, living, pulses, anna } = await endedApp(3)
  record.runs.set(spec.run_id, { spec, head: initialHead(spec), metrics: {}, updated_at: spec.created_at })
  living.set(spec.run_id, { spec, head: initialHead(spec) })
  pulses.set(spec.run_id, pulse)
  const shown = async (headers = {}) => Run.parse(await (await call('GET', `/api/runs/${spec.run_id}`, { headers })).json()).pulse
  expect(await shown(anna)).toEqual(pulse)
  expect((await shown())!.models[0]!.failure).toEqual({ reason: 'forbidden', status: 403, detail: null })
  expect((await shown(asAdmin))!.models[0]!.failure!.detail).toBeNull()
})
