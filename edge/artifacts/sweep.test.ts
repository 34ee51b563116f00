import { expect, test } from 'vitest'
import { keyOfArchive } from '../tasks/task-archive.ts'
import { exampleEnded, exampleSpec, exampleTrial } from '../testing/example-records.ts'
import { exampleTask } from '../testing/example-task.ts'
import { memoryDeps } from '../testing/memory-deps.ts'
import { keyOf } from './bucket.ts'
import { sweepArtifacts } from './sweep.ts'

const startMs = Date.parse('2026-01-02T00:00:00Z')
const hourMs = 3_600_000
const ended = '11111111-1111-4111-8111-111111111111'
const open = '22222222-2222-4222-8222-222222222222'
const unknown = '33333333-3333-4333-8333-333333333333'
const hashOf = (text: string) => text.repeat(64)

/** An ended run that names the bytes `a`, an open one that names none, and the clock of the service. */
function stage() {
  const memory = memoryDeps()
  const { deps, record, bucket } = memory
  const clock = { ms: startMs }
  deps.now = () => new Date(clock.ms)
  const artifact = { name: 'x', kind: 'log', media_type: 'text/plain', bytes: 1, sha256: hashOf('a') } as const
  record.runs.set(ended, exampleEnded(exampleSpec({ run_id: ended })))
  record.trials.set(ended, [exampleTrial({ ordinal: 0, artifacts: [artifact] })])
  const running = exampleEnded(exampleSpec({ run_id: open }))
  record.runs.set(open, { ...running, head: { ...running.head, status: 'running' } })
  const put = (key: string) => bucket.objects.set(key, { bytes: new Uint8Array(1), uploaded_at: deps.now() })
  const kept = new Map<string, string>()
  const notes = {
    note: async (name: string) => kept.get(name) ?? null,
    keep: async (name: string, text: string) => void kept.set(name, text),
  }
  const sweep = () => sweepArtifacts(deps, notes)
  return { ...memory, clock, put, sweep, left: () => [...bucket.objects.keys()] }
}

test('[API165] what an ended run does not name, and what an unknown run left, goes when it is a day old; all else stays', async () => {
  const { put, sweep, left, clock } = stage()
  const stay = [keyOf(ended, hashOf('a')), keyOf(open, hashOf('a')), 'notes/readme.txt', `${ended}/x`, `${ended}/${hashOf('b')}/c`]
  const go = [keyOf(ended, hashOf('b')), keyOf(unknown, hashOf('a'))]
  for (const key of [...stay, ...go]) put(key)
  clock.ms = startMs + 24 * hourMs - 1
  expect([await sweep(), left().length]).toEqual([0, 7])
  const young = keyOf(ended, hashOf('c'))
  clock.ms += hourMs
  put(young)
  clock.ms += 23 * hourMs
  expect([await sweep(), left()]).toEqual([2, [...stay, young]])
  clock.ms += 24 * hourMs
  expect([await sweep(), left()]).toEqual([1, stay])
})

test('[API165] a bucket that was gone through rests for a day: neither it nor the record is asked', async () => {
  const { put, sweep, clock, bucket, record } = stage()
  expect(await sweep()).toBe(0)
  put(keyOf(unknown, hashOf('a')))
  clock.ms += 24 * hourMs - 1
  bucket.away = true
  record.away = true
  expect(await sweep()).toBe(0)
  clock.ms += 1
  await expect(sweep()).rejects.toThrow('away')
  bucket.away = false
  clock.ms += hourMs
  await expect(sweep()).rejects.toThrow('away') // the record, which would name them: nothing goes
  expect(bucket.objects.size).toBe(1)
  record.away = false
  expect(await sweep()).toBe(1)
})

test('[API165] a large bucket is gone through in stretches, each where the one before ended', async () => {
  const { put, sweep, clock, left } = stage()
  for (let at = 0; at < 12_000; at++) put(keyOf(unknown, at.toString(16).padStart(64, '0')))
  clock.ms += 24 * hourMs
  expect([await sweep(), left().length]).toEqual([10_000, 2000])
  put(keyOf(unknown, hashOf('0'))) // lies before the place that was reached, and is young
  expect([await sweep(), left().length]).toEqual([2000, 1])
  expect(await sweep()).toBe(0)
})

test('[API165] a service that keeps no artifacts sweeps nothing', async () => {
  const { deps, record } = stage()
  record.away = true
  expect(await sweepArtifacts({ ...deps, artifacts: null }, { note: async () => null, keep: expect.unreachable })).toBe(0)
})

test('[TASK8] archives that no task names go when they are a day old, and parts of an upload that died with them', async () => {
  const { put, sweep, left, clock, record } = stage()
  record.tasks.set('t', exampleTask({ id: 't', sha256: hashOf('a') }))
  const stay = [keyOfArchive(hashOf('a')), 'tasks/readme.txt']
  for (const key of [...stay, keyOfArchive(hashOf('b')), keyOf(unknown, hashOf('c'))]) put(key)
  clock.ms = startMs + 24 * hourMs - 1
  expect([await sweep(), left().length]).toEqual([0, 4])
  clock.ms += 24 * hourMs
  expect([await sweep(), left()]).toEqual([2, stay])
})
