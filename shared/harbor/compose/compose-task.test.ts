import { expect, test } from 'vitest'
import { machineSpecOf } from '../../episode/machine-spec.ts'
import { taskFacts } from '../../episode/task-facts.ts'
import { loadTask } from '../load-task.ts'
import type { HarborTask } from '../task.ts'
import { plainTask, tree } from '../testing/task-files.ts'

function load(files: Readonly<Record<string, string>>): HarborTask {
  const loaded = loadTask('folder', tree(files))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.task
}

test('[HARB42] a task of several services can run, with the room of all; one with more than they may have says which and why', () => {
  const file = (side: string) => ({ 'environment/docker-compose.yaml': `services: { side: { image: "\${GIVEN}", cpus: 2, ${side} } }` })
  const env = { 'task.toml': `[environment]\ncpus = 1\nmemory_mb = 1024\n[environment.env]\nGIVEN = "\${GIVEN}"\n` }
  const task = load({ ...plainTask, ...env, ...file('') })
  expect(task.why_not_runnable.map(({ reason }) => reason)).toEqual(['host-variable'])
  expect(taskFacts(task, 1, 1)).toMatchObject({ compose: true, cpus: 3, memory_mb: 3072 })
  const { services, env: inside } = machineSpecOf(task.environment, new Map([['GIVEN', 'an/image:1']]))
  expect([services?.others[0]?.image, inside]).toMatchObject([{ name: 'an/image:1' }, { GIVEN: 'an/image:1' }])
  const keys = (toml: string, side: string) =>
    load({ ...plainTask, 'task.toml': toml, ...file(side) }).why_not_runnable.map(({ key }) => key)
  const at = 'environment/docker-compose.yaml: services.side'
  expect(keys('[environment.env]\nGIVEN = "x"\n', 'privileged: true, pid: host')).toEqual([`${at}.privileged`, `${at}.pid`])
  expect(keys('', '')).toEqual([`${at}.image`])
  const hook = '[[verifier.collect]]\ncommand = "x"\nservice = "nobody"\n[environment.env]\nGIVEN = "x"\n'
  expect(keys(`artifacts = [{ source = "/x", service = "other" }]\n${hook}`, '')).toEqual(['artifacts', 'verifier.collect'])
})
