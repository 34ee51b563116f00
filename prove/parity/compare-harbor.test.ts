import { expect, test } from 'vitest'
import type { EpisodeReport } from '#shared/harbor/episode-report.ts'
import { episode } from '#shared/harbor/testing/job.ts'
import { type ComparedEpisode, cameOf, refusedEpisode, tallyEpisodes, verdictOf } from './compare-harbor.ts'
import { harborParityTasks } from './tasks-harbor.ts'

const solved = cameOf(episode('1'))
const error = { type: 'AgentTimeoutError', message: '', traceback: '', occurred_at: '2026-11-24T10:00:05Z' }
const compared = (theirs: ComparedEpisode['theirs'], differs?: string): ComparedEpisode => ({
  ...{ task: 'task', worker: 'oracle', ours: solved, theirs, differs },
})

test('[HARB27] rewards, the class of error and those of every step have to be the same', () => {
  expect(verdictOf(compared(solved))).toBe('same')
  const changes: Partial<EpisodeReport>[] = [
    { rewards: { reward: 0.5 } },
    { rewards: { reward: 1, style: 1 } },
    { rewards: null },
    { error },
    { steps: [{ name: 'one', rewards: null, error: null, spent: null, agent_execution: null, verifier: null }] },
  ]
  for (const change of changes) expect(verdictOf(compared(cameOf(episode('1', change))))).toBe('differs')
  expect(verdictOf(compared(refusedEpisode))).toBe('differs')
  expect(verdictOf(compared(cameOf(episode('1', { rewards: { reward: 1 + 1e-15 } }))))).toBe('same')
})

test('[HARB27] an explained difference is none, and one that is no more counts', () => {
  expect(tallyEpisodes([compared(solved), compared(refusedEpisode, 'why')]).disagreements).toBe(0)
  const { lines, disagreements } = tallyEpisodes([compared(solved, 'why'), compared(refusedEpisode)])
  expect([disagreements, lines[0], lines[1]]).toEqual([
    2,
    expect.stringContaining('no longer differs'),
    expect.stringContaining('Harbor: – | refused'),
  ])
})

test('[HARB27] there are tasks of every kind, each with a name of its own', () => {
  const names = harborParityTasks.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(
    expect.arrayContaining([
      ...['single', 'steps-mean', 'half', 'named', 'both-files', 'broken-text', 'failing-build', 'agent-timeout', 'verifier-timeout'],
      ...['never-healthy', 'no-tests', 'separate'],
      ...['healthy', 'tested', 'variables', 'network', 'no-image', 'end-early'].map((kind) => `services-${kind}`),
    ]),
  )
})
