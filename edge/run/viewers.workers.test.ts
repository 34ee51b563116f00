import { afterEach, expect, test, vi } from 'vitest'
import type { StreamedEvent } from '#shared/contract/event.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import { initialHead } from '#shared/run/apply.ts'
import { viewFor } from '#shared/run/audience.ts'
import { joinPulses, pulseMs } from '#shared/run/pulse.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { objectClock } from '../objects/object-clock.ts'
import { createViewers } from './viewers.ts'

const head = initialHead(testSpec())
afterEach(() => vi.useRealTimers())

/** Viewers of a run whose events are told one by one. */
function openRun() {
  const events: StreamedEvent[] = []
  const run = { ended: false, kept: 0, asked: 0, pulse: null as RunPulse | null }
  const viewers = createViewers(
    {
      events(after, limit) {
        run.asked++
        return events.filter(({ id }) => id > after && id > run.kept).slice(0, limit)
      },
      first: () => (run.kept < events.length ? run.kept + 1 : undefined),
      last: () => ({ seq: events.length, ended: run.ended }),
      see: (audience) => viewFor(testSpec(), audience),
      pulse: () => run.pulse,
    },
    objectClock,
  )
  return {
    run,
    viewers,
    tell(count = 1) {
      for (let n = 0; n < count; n++)
        events.push({ id: events.length + 1, event_type: 'run_started', benchmark_name: null, message: '', data: {}, created_at: '' })
      viewers.schedule()
    },
  }
}

/** The stream of a viewer, as the object answers with it. */
function answer(viewers: ReturnType<typeof createViewers>, cursor: string | null, state = head, pulses = false): Response {
  const { readable, writable } = new IdentityTransformStream()
  viewers.follow(writable.getWriter(), { cursor, audience: 'stranger', pulses }, state, head)
  return new Response(readable)
}

/** Reads a stream message by message; `null` is its end. */
function reading(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async (): Promise<string | null> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const message = text.slice(0, end)
        text = text.slice(end + 2)
        return message
      }
      const { done, value } = await reader.read()
      if (done) return null
      text += value
    }
  }
}
const { setTimeout: realTimeout } = globalThis
/** Lets streams hand on what was written; some turns of the event loop, whatever clock a test has set. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((next) => realTimeout(next, 0))
}
const idOf = (message: string | null) => Number(/^id: (\d+)$/m.exec(message ?? '')?.[1])

test('[EVT21] a viewer gets a state to begin with, then every event once and in order; one that comes back goes on after its number', async () => {
  const { viewers, tell } = openRun()
  tell(2)
  const all = reading(answer(viewers, null))
  expect(await all()).toContain('"event_type":"snapshot"')
  viewers.schedule()
  expect([idOf(await all()), idOf(await all())]).toEqual([1, 2])
  tell()
  expect(idOf(await all())).toBe(3)
  const later = reading(answer(viewers, '2'))
  expect(await later()).toContain(': connected')
  viewers.schedule()
  expect(idOf(await later())).toBe(3)
  const latest = reading(answer(viewers, 'latest', { ...head, seq: 3 }))
  expect(idOf(await latest())).toBe(3)
  tell()
  expect([idOf(await all()), idOf(await later()), idOf(await latest())]).toEqual([4, 4, 4])
})

test('[EVT21] a viewer that does not read is left alone, however much happens; once it reads it misses nothing', async () => {
  const { run, viewers, tell } = openRun()
  const slow = answer(viewers, null) // its first message is not read: it waits in the stream
  for (let n = 0; n < 50; n++) {
    tell(10)
    viewers.flush()
  }
  expect(run.asked).toBe(0)
  const next = reading(slow)
  await next()
  for (let id = 1; id <= 500; id++) expect(idOf(await next())).toBe(id)
})

test('[EVT21] viewers that are level cost one reading of the rows, and the end of the run ends their streams with a word', async () => {
  const { run, viewers, tell } = openRun()
  const readers = Array.from({ length: 5 }, () => reading(answer(viewers, null)))
  for (const next of readers) await next()
  tell(3)
  viewers.flush()
  expect(run.asked).toBe(1)
  for (const next of readers) for (const id of [1, 2, 3]) expect(idOf(await next())).toBe(id)
  expect(viewers.count()).toBe(5)
  run.ended = true
  viewers.schedule()
  for (const next of readers) expect([await next(), await next()]).toEqual(['event: done\ndata: {}', null])
  expect(viewers.count()).toBe(0)
})

test('[EVT21] a viewer who wants what has left the object is sent to the record: its stream ends without a word', async () => {
  const { run, viewers, tell } = openRun()
  tell(3)
  run.kept = 3
  const next = reading(answer(viewers, '0'))
  await next()
  viewers.schedule()
  expect(await next()).toBeNull()
  expect(viewers.count()).toBe(0)
})

test('[EVT21] a viewer who was reading while events left the object is sent to the record for them, although newer ones are here', async () => {
  const { run, viewers, tell } = openRun()
  tell(3)
  const next = reading(answer(viewers, '3'))
  tell(2)
  viewers.flush() // its first message has not been read yet
  run.kept = 5
  tell()
  expect(await next()).toContain(': connected')
  viewers.schedule()
  expect(await next()).toBeNull()
  expect(viewers.count()).toBe(0)
})

test('[EVT21] what happens within a tenth of a second leaves together, and where nothing waits no clock runs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { run, viewers, tell } = openRun()
  viewers.schedule()
  expect(vi.getTimerCount()).toBe(0)
  const next = reading(answer(viewers, null))
  await next()
  await settled()
  expect(vi.getTimerCount()).toBe(1) // its signs of life
  for (let n = 0; n < 5; n++) tell()
  expect(vi.getTimerCount()).toBe(2)
  vi.advanceTimersByTime(99)
  expect(run.asked).toBe(0)
  vi.advanceTimersByTime(1)
  expect(run.asked).toBe(1)
  for (let id = 1; id <= 5; id++) expect(idOf(await next())).toBe(id)
  await settled()
  expect(vi.getTimerCount()).toBe(1)
})

test('[EVT21] a quiet stream is kept open by a sign of life every fifteen seconds, which a viewer that does not read is spared', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { viewers } = openRun()
  const next = reading(answer(viewers, '0'))
  answer(viewers, '0') // nobody reads this one
  expect(await next()).toContain(': connected')
  await settled()
  for (let n = 0; n < 2; n++) {
    vi.advanceTimersByTime(15_000)
    expect(await next()).toBe(': heartbeat')
    await settled()
  }
})

test('[UI525] a viewer with pulses gets heartbeats as events', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { viewers } = openRun()
  const next = reading(answer(viewers, '0', head, true))
  expect(await next()).toContain(': connected')
  await settled()
  vi.advanceTimersByTime(15_000)
  expect(await next()).toBe('event: heartbeat\ndata: {}')
})

test('[RUN71] pulses are told to who asks for them, when they change, also to one who comes after all had gone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { run, viewers } = openRun()
  const agents = (count: number) =>
    joinPulses(
      Array.from({ length: count }, () => ({ ...heard, heard_ms: Date.now() })),
      Date.now(),
    )
  const heard = { pulse: null, told_ms: 0, until_ms: Date.now() + 30_000, held: () => 0 }
  const beat = async () => {
    vi.advanceTimersByTime(pulseMs)
    await settled()
  }
  for (let visit = 0; visit < 2; visit++) {
    run.pulse = null
    const response = answer(viewers, '0', head, true)
    const next = reading(response)
    expect(await next()).toContain(': connected')
    await settled()
    await beat() // there is none
    run.pulse = agents(1)
    await beat()
    expect(await next()).toMatch(/^event: pulse\ndata: .*"joined":1/)
    await settled()
    await beat() // nothing has changed
    run.pulse = agents(2)
    await beat()
    expect(await next()).toMatch(/^event: pulse\ndata: .*"joined":2/)
    await settled()
    run.ended = true
    viewers.flush()
    expect([await next(), await next()]).toEqual(['event: done\ndata: {}', null])
    expect([viewers.count(), vi.getTimerCount()]).toEqual([0, 0])
    run.ended = false
  }
})

test('[LINE19] the first message of a stream has the fields of an event, so that a client which lists all messages can show it', async () => {
  const { viewers, tell } = openRun()
  tell(2)
  const opening = JSON.parse(/^data: (.*)$/m.exec((await reading(answer(viewers, null))()) ?? '')?.[1] ?? '{}')
  expect(opening).toMatchObject({ event_type: 'snapshot', id: 0, message: `The run is ${head.status}: 0 of ${head.total} trials are done` })
  expect(Date.parse(opening.created_at)).not.toBeNaN()
})

test('[EVT22] who asks a run that was opened again for events that have left is sent the state, then what follows', async () => {
  for (const cursor of [null, '1']) {
    const { run, viewers, tell } = openRun()
    tell(5)
    run.kept = 3
    const next = reading(answer(viewers, cursor, { ...head, seq: 5 }))
    const opening = await next()
    expect(opening).toContain('"event_type":"snapshot"')
    expect(idOf(opening)).toBe(5)
    tell()
    expect(idOf(await next())).toBe(6)
  }
  const { run, viewers, tell } = openRun()
  tell(5)
  run.kept = 3
  const next = reading(answer(viewers, '3', { ...head, seq: 5 }))
  expect(await next()).toContain(': connected')
  expect(idOf(await next())).toBe(4)
})
