import { expect, test } from 'vitest'
import { tree } from '../harbor/testing/task-files.ts'
import type { TreeFile } from '../solvers/machine.ts'
import { type Form, loadTask1 } from './load-task.ts'
import { plainCompose, plainTask1 } from './testing/plain-task1.ts'

const load = (files: Record<string, string | undefined>, form: Form = 'terminal-bench') => {
  const there = Object.fromEntries(
    Object.entries({ ...plainTask1, ...files }).filter((one): one is [string, string] => one[1] !== undefined),
  )
  const loaded = loadTask1('count', tree(there), form)
  if (!loaded.ok) throw new Error(loaded.problems.map(({ entry, text, reason }) => `${reason} ${entry}: ${text}`).join('\n'))
  return loaded.task
}
const paths = (files: readonly TreeFile[]) => files.map(({ path }) => path).sort()
const textAt = (files: readonly TreeFile[], path: string) => new TextDecoder().decode(files.find((file) => file.path === path)?.bytes)

test('[SCORE292] a task has the settings of its task.yaml, else those of Terminal-Bench 0.2.18', () => {
  const task = load({})
  const [step] = task.steps
  expect(task).toMatchObject({ name: 'count', about: { metadata: { difficulty: 'hard', category: 'software_engineering' } } })
  expect(task.why_not_runnable).toEqual([])
  expect(task.environment).toMatchObject({ image: null, cpus: null, env: { TEST_DIR: '/tests' }, network: { mode: 'public' } })
  expect(step).toMatchObject({
    instruction: 'Count the lines.',
    agent: { timeout_ms: 360_000, user: null },
    solution: { script: 'solution.sh' },
    verifier: { timeout_ms: 60_000, user: 'root', script: 'run-tests.sh' },
  })
  expect(step.verifier.verdict).toEqual({ type: 'pane', parser: 'pytest', same_shell: false })
  expect(paths(step.verifier.tests)).toEqual(['run-tests.sh', 'test_outputs.py'])
  const more = 'parser_name: swebench\nmax_agent_timeout_sec: 1.5\nmax_test_timeout_sec: "90"\nrun_tests_in_same_shell: true\nother: 1\n'
  expect(load({ 'task.yaml': `${plainTask1['task.yaml']}${more}` }).steps[0]).toMatchObject({
    agent: { timeout_ms: 1500 },
    verifier: { timeout_ms: 90_000, verdict: { parser: 'swebench', same_shell: true } },
  })
})

test('[SCORE292] task.yaml is read as PyYAML reads it: the later of two keys, words for truth, a block that the file’s end cuts off', () => {
  const yaml = 'difficulty: easy\ndifficulty: hard\nrun_tests_in_same_shell: yes\ninstruction: |\n  Do it.\n  Then stop.'
  expect(load({ 'task.yaml': yaml }).steps[0]).toMatchObject({
    instruction: 'Do it.\nThen stop.',
    verifier: { verdict: { same_shell: true } },
  })
})

test('[SCORE292] a test of the script’s own name stands in its place, as where it is copied over it', () => {
  const [step] = load({ 'tests/run-tests.sh': 'echo other\n' }).steps
  expect(paths(step.verifier.tests)).toEqual(['run-tests.sh', 'test_outputs.py'])
  expect(textAt(step.verifier.tests, 'run-tests.sh')).toBe('echo other\n')
})

test('[SCORE292] all that is wrong with the files of a task is told at once', () => {
  const files = { 'task.yaml': 'instruction: 1\nmax_agent_timeout_sec: soon\n', 'docker-compose.yaml': plainCompose() }
  const loaded = loadTask1('bad', tree(files), 'terminal-bench')
  expect(loaded.ok ? [] : loaded.problems.map(({ reason, entry }) => `${reason} ${entry}`)).toEqual([
    'bad-value task.yaml',
    'bad-value task.yaml',
    'bad-value task.yaml',
    'missing-test-script run-tests.sh',
    'missing-environment Dockerfile',
  ])
  const nothing = loadTask1('bad', [], 'harbor')
  expect(nothing.ok ? [] : nothing.problems.map(({ reason, entry }) => `${reason} ${entry}`)).toEqual([
    ...['missing-file task.yaml', 'missing-file docker-compose.yaml', 'missing-test-script run-tests.sh'],
  ])
})

test('[SCORE293] a task whose compose file is more than one machine is shown and not run', () => {
  const task = load({ 'docker-compose.yaml': plainCompose('    privileged: true\n') })
  expect(task.why_not_runnable).toMatchObject([{ reason: 'compose', concerns: 'all', text: expect.stringContaining('privileged') }])
})

test('[SCORE294] an image is built without tests, solution and settings, but with those that its Dockerfile names', () => {
  expect(paths(load({}).environment.context)).toEqual(['Dockerfile', 'in.txt'])
  const named = 'FROM scratch\nCOPY ./tests/data.csv \\\n  run-tests.sh /app/\nADD ["solution.sh", "/app/"]\n'
  const context = load({ Dockerfile: named, 'tests/data.csv': '1\n', 'solution.yaml': '[]' }).environment.context
  expect(paths(context)).toEqual(['Dockerfile', 'in.txt', 'run-tests.sh', 'solution.sh', 'tests/data.csv', 'tests/test_outputs.py'])
  expect(paths(load({ Dockerfile: 'FROM scratch\nCOPY . /app\n' }).environment.context)).toEqual(['Dockerfile', 'in.txt'])
})

test('[SCORE294] an image of a folder or of another recipe is built from these', () => {
  const compose = plainCompose().replace('      dockerfile: Dockerfile', '      context: image\n      dockerfile: Other')
  const { context } = load({
    'docker-compose.yaml': compose,
    'image/Other': 'FROM other\n',
    'image/tests/a': '',
    'image/Dockerfile': 'no',
  }).environment
  expect([paths(context), textAt(context, 'Dockerfile')]).toEqual([['Dockerfile', 'Other', 'tests/a'], 'FROM other\n'])
})

test('[SCORE299] mapped to Harbor’s form the exit status of the tests is the reward, and nothing else of the task changes', () => {
  const task = load({ 'tests/test.sh': 'echo other\n' }, 'harbor')
  const [step] = task.steps
  expect(step).toMatchObject({
    instruction: 'Count the lines.\n',
    agent: { timeout_ms: 360_000 },
    solution: { script: 'solve.sh' },
    verifier: { script: 'test.sh', user: null, timeout_ms: 60_000, verdict: { type: 'reward' } },
  })
  expect(paths(step.verifier.tests)).toEqual(['test.sh', 'test_outputs.py'])
  const script = textAt(step.verifier.tests, 'test.sh')
  expect(script.startsWith('pytest -rA /tests/test_outputs.py\n')).toBe(true)
  expect(script).toContain('/logs/verifier/reward.txt')
  expect(textAt(step.solution.files, 'solve.sh')).toBe(plainTask1['solution.sh'])
  expect(load({ 'solution.sh': undefined, 'solution.yaml': '[]' }, 'harbor').steps[0].solution.script).toBeNull()
})
