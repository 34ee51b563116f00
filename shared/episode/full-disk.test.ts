import { expect, test } from 'vitest'
import { loadTask } from '../harbor/load-task.ts'
import { plainTask, tree } from '../harbor/testing/task-files.ts'
import type { Kit } from '../solvers/kit.ts'
import { scriptedKit } from '../solvers/testing/scripted-kit.ts'
import { imagesOf, machineSpecOf } from './machine-spec.ts'
import { runEpisode } from './run-episode.ts'
import { type Answer, type Files, fileMachine, write } from './testing/file-machine.ts'
import { nop } from './worker.ts'

const taskOf = (files: Record<string, string>) => {
  const loaded = loadTask('a', tree({ ...plainTask, ...files }))
  if (!loaded.ok) throw new Error(loaded.problems[0].text)
  return loaded.task
}

test('[EPI390] a machine whose disk held too much ends at once: nothing is graded, no further step begins, and no reward is had', async () => {
  let tested = 0
  const fake = fileMachine((argv: readonly string[], files: Files): Answer | undefined => {
    if (argv.at(-1) !== '/tests/test.sh') return undefined
    tested++
    write(files, '/logs/verifier/reward.txt', '1')
    return [0, '']
  })
  let stopped = 0
  const of = (isFull: boolean): Kit => ({
    ...scriptedKit({}),
    machine: async () => ({ ok: true, value: { ...fake.machine, isFull: async () => isFull, stop: async () => void stopped++ } }),
    keep: async ({ name, kind, media_type }) => ({
      ok: true,
      value: { name, kind, media_type, sha256: '0'.repeat(64), bytes: 1 } as never,
    }),
  })
  const step = (name: string) => ({ [`steps/${name}/instruction.md`]: 'do', [`steps/${name}/tests/test.sh`]: 'x' })
  const task = taskOf({ ...step('one'), ...step('two'), 'task.toml': '[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n' })
  const full = await runEpisode(task, nop, of(true), { multiplier: 1, given: new Map() })
  if (!full.ok) throw new Error(full.failure.detail)
  expect(full.value.steps.map(({ rewards, problem, agent }) => [rewards, problem, agent.end, agent.detail])).toEqual([
    [null, 'missing', 'failed', 'the machine’s disk held more than its storage'],
    [null, 'missing', 'skipped', 'the machine’s disk held more than its storage'],
  ])
  expect([tested, stopped]).toEqual([0, 1])
  const fine = await runEpisode(task, nop, of(false), { multiplier: 1, given: new Map() })
  expect([fine.ok && fine.value.steps.map(({ rewards }) => rewards), tested]).toEqual([[{ reward: 1 }, { reward: 1 }], 2])
})

test('[MACH397] what is built for a task has its network and its disk, also services beside it', () => {
  const compose = 'services: { main: { build: . }, side: { build: ./web }, other: { image: x } }'
  const files = { 'environment/docker-compose.yaml': compose, 'environment/web/Dockerfile': 'FROM b\n' }
  const task = taskOf({ ...files, 'task.toml': '[environment]\nnetwork_mode = "no-network"\nstorage_mb = 700\n' })
  const built = imagesOf(task, new Map()).filter(({ type }) => type === 'built')
  expect(built).toMatchObject([
    { network: 'none', storage_mb: 700 },
    { network: 'none', storage_mb: 700 },
  ])
  expect(machineSpecOf(taskOf({}).environment, new Map()).image).toMatchObject({ type: 'built', network: 'public', storage_mb: null })
})
