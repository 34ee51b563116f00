import { expect, test } from 'vitest'
import { loadTask } from './load-task.ts'
import { plainTask, tree } from './testing/task-files.ts'

function needsOf(files: Record<string, string>) {
  const loaded = loadTask('a', tree(files))
  if (!loaded.ok) throw new Error(loaded.problems[0].text)
  return loaded.task.why_not_runnable
}

test('[HARB390] what a Dockerfile asks for that no build has here is named by its file and line, once, also of services and verifiers', () => {
  const files = {
    ...plainTask,
    'environment/Dockerfile': 'FROM debian\nADD http://169.254.169.254/x /x\nRUN --network=host id\n',
    'environment/docker-compose.yaml': 'services: { main: { build: . }, side: { build: ./web } }',
    'environment/web/Dockerfile': 'FROM debian\nADD git@example.com:x/y /y\n',
  }
  expect(needsOf(files).map(({ reason, key, concerns }) => [reason, key, concerns])).toEqual([
    ['dockerfile', 'environment/Dockerfile: line 2', 'all'],
    ['dockerfile', 'environment/Dockerfile: line 3', 'all'],
    ['dockerfile', 'environment/web/Dockerfile: line 2', 'all'],
  ])
  const heredocs = 'FROM debian\nRUN <<A\nid\nA\nCOPY --chmod=755 <<B /b\nB\nRUN --mount=type=cache,target=/c id\n'
  expect(needsOf({ ...plainTask, 'environment/Dockerfile': heredocs })).toEqual([])
})
