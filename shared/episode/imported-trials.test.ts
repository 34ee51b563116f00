import { expect, test } from 'vitest'
import { episode, job } from '../harbor/testing/job.ts'
import { importJob } from './import-job.ts'
import { chooseArtifacts } from './imported-artifacts.ts'
import { importedTrials } from './imported-trials.ts'

const importing = { sha256: 'a'.repeat(64), now: new Date('2026-11-24T18:00:00Z'), newId: () => '0b7c2d4e-1f3a-4b5c-8d6e-7f8091a2b3c4' }
const at = (seconds: number) => `2026-11-24T10:00:${String(seconds).padStart(2, '0')}.000Z`

test('[HARB29] trials of an imported run come in the order they ended in, each told no earlier than the one before; the last of a whole run ends with the job', () => {
  const ended = (name: string, task: string, finished_at: string | null) =>
    episode(name, { times: { started_at: at(0), finished_at }, task: { ...episode('1').task, name: task } })
  const episodes = [ended('1', 'a', at(20)), ended('2', 'b', at(5)), ended('3', 'c', null)]
  const [run] = importJob({ ...job, width: 1, episodes }, importing)
  const trials = importedTrials(run!)
  expect(trials.map(({ episode: { name }, finished_at, at_ms }) => [name, finished_at, new Date(at_ms).toISOString()])).toEqual([
    ['task__2', at(5), at(5)],
    ['task__1', at(20), at(20)],
    ['task__3', '2026-11-24T10:01:00.000Z', '2026-11-24T10:01:00.000Z'],
  ])
  const ragged = importJob({ ...job, episodes: [...episodes.slice(0, 2), ended('4', 'a', at(1))] }, importing)[0]!
  expect(importedTrials(ragged).map(({ episode: { name }, at_ms }) => [name, new Date(at_ms).toISOString()])).toEqual([
    ['task__4', at(1)],
    ['task__2', at(5)],
    ['task__1', at(20)],
  ])
})

test('[HARB29] of what lies with an episode files are taken over that a trial may leave, by name, size and number; results are its record', () => {
  const some = [
    { name: 'result.json', bytes: 10 },
    { name: 'verifier/test-stdout.txt', bytes: 10 },
    { name: 'agent/recording.cast', bytes: 95 * 2 ** 20 + 1 },
    { name: 'agent/a*b', bytes: 1 },
    { name: 'agent/result.json', bytes: 1 },
  ]
  expect(chooseArtifacts(some)).toEqual({
    taken: [
      { name: 'agent/result.json', bytes: 1, kind: 'file', media_type: 'application/json' },
      { name: 'verifier/test-stdout.txt', bytes: 10, kind: 'log', media_type: 'text/plain; charset=utf-8' },
    ],
    left: ['agent/a*b', 'agent/recording.cast'],
  })
  const many = Array.from({ length: 101 }, (_, index) => ({ name: `f${String(index).padStart(3, '0')}`, bytes: 6 * 2 ** 20 }))
  expect(chooseArtifacts(many)).toMatchObject({ taken: { length: 85 }, left: { length: 16 } })
  expect(chooseArtifacts(many.map((one) => ({ ...one, bytes: 1 }))).left).toEqual(['f100'])
})
