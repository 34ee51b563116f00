import { dockerfileNeeds } from '../harbor/dockerfile-needs.ts'
import { finishSteps } from '../harbor/finish-steps.ts'
import type { LoadedTask } from '../harbor/load-task.ts'
import { below, readText } from '../harbor/python-text.ts'
import { lineEndWarnings } from '../harbor/script-line-ends.ts'
import type { HarborTask, TaskEnvironment, TaskStep } from '../harbor/task.ts'
import { hashTask } from '../harbor/task-checksum.ts'
import { milliseconds } from '../harbor/task-environment.ts'
import { openTaskFiles } from '../harbor/task-files.ts'
import type { NotRunnable, TaskProblem, TaskProblemReason } from '../harbor/task-problem.ts'
import type { TreeFile } from '../solvers/machine.ts'
import { type ComposeClient, readComposeClient } from './compose-client.ts'
import { imageContext } from './image-context.ts'
import { readPythonYaml } from './python-yaml.ts'
import { TaskYaml } from './task-yaml.ts'

/**
 * How a task of the first Terminal-Bench is run: by that harness (0.2.18), whose verdict is what a terminal shows of the tests; or as Harbor 0.9 maps it to its own
 * format, where it is the exit status of `run-tests.sh`.
 */
export type Form = 'terminal-bench' | 'harbor'

/** Longest build: the first Terminal-Bench waits for ever. */
const build_timeout_ms = 3_600_000
/** As long as Harbor lets a build take that says nothing of it. */
const harbor_build_timeout_ms = 600_000

/**
 * A task of the first Terminal-Bench from the files of its folder (`task.yaml`, `docker-compose.yaml`, `Dockerfile`, `run-tests.sh`, `tests/`, `solution.sh`), as
 * an episode takes it. `folder`: its name, which is the task's. Refuses with all that is wrong. Never throws.
 */
export function loadTask1(folder: string, files: readonly TreeFile[], form: Form): LoadedTask {
  const problems: TaskProblem[] = []
  const wrong = (reason: TaskProblemReason, entry: string, text: string): void => void problems.push({ reason, entry, key: null, text })
  const yaml = readSettings(files, wrong)
  const client = readClient(files, wrong)
  const script = files.find(({ path }) => path === 'run-tests.sh')
  if (!script) wrong('missing-test-script', 'run-tests.sh', 'it is missing: the script that runs the tests')
  const context = client && imageContext(files, client)
  if (client && !context)
    wrong(
      'missing-environment',
      [client.context, client.dockerfile].filter(Boolean).join('/'),
      'it is missing: the machine is built from it',
    )
  const [first, ...more] = problems
  if (first) return { ok: false, problems: [first, ...more] }
  if (!yaml || !client || !script || !context) throw new Error('a task without problems was not read')
  return { ok: true, task: taskOf(folder, { files, yaml, client, script, context }, form) }
}

type Wrong = (reason: TaskProblemReason, entry: string, text: string) => void
type Read = { files: readonly TreeFile[]; yaml: TaskYaml; client: ComposeClient; script: TreeFile; context: readonly TreeFile[] }

function readSettings(files: readonly TreeFile[], wrong: Wrong): TaskYaml | undefined {
  const text = textOf(files, 'task.yaml', wrong)
  if (text === undefined) return undefined
  const read = readPythonYaml(text)
  if (!read.ok) {
    wrong('bad-yaml', 'task.yaml', read.text)
    return undefined
  }
  const yaml = TaskYaml.safeParse(read.value)
  if (yaml.success) return yaml.data
  for (const { path, message } of yaml.error.issues) wrong('bad-value', 'task.yaml', `${path.join('.')}: ${message}`)
  return undefined
}

function readClient(files: readonly TreeFile[], wrong: Wrong): ComposeClient | undefined {
  const text = textOf(files, 'docker-compose.yaml', wrong)
  if (text === undefined) return undefined
  const read = readComposeClient(text)
  if (read.ok) return read.client
  wrong('bad-yaml', 'docker-compose.yaml', read.text)
  return undefined
}

function textOf(files: readonly TreeFile[], name: string, wrong: Wrong): string | undefined {
  const file = files.find(({ path }) => path === name)
  const text = file && readText(file.bytes)
  if (!file) wrong('missing-file', name, 'it is missing')
  else if (text === undefined) wrong('bad-text', name, 'it is no UTF-8: save it as UTF-8')
  return text
}

function taskOf(folder: string, read: Read, form: Form): HarborTask {
  const { files, yaml, client, context } = read
  const { author_name, author_email, difficulty, category, tags } = yaml
  const network = { mode: 'public', allowed_hosts: [] } as const
  const environment: TaskEnvironment = {
    image: null,
    compose: null,
    context,
    build_timeout_ms: form === 'harbor' ? harbor_build_timeout_ms : build_timeout_ms,
    ...{ cpus: client.cpus, memory_mb: client.memory_mb, storage_mb: null, network },
    env: { TEST_DIR: '/tests', ...client.env },
    workdir: client.workdir,
    healthcheck: null,
  }
  return {
    name: folder,
    schema_version: 'terminal-bench-1',
    about: {
      version: null,
      description: '',
      authors: [{ name: author_name, email: author_email === 'unknown' ? null : author_email }],
      keywords: tags,
      metadata: { difficulty, category, tags },
    },
    source: null,
    environment,
    steps: [stepOf(read, form)],
    reward_strategy: null,
    toml: {},
    unknown_keys: [],
    migrations: [],
    script_warnings: lineEndWarnings(files),
    host_variables: [],
    why_not_runnable: [...client.beyond.map(beyondOne), ...dockerfileNeeds([['', environment]])],
    ...finishSteps(hashTask(openTaskFiles(files, []), [])),
  }
}

const beyondOne = (what: string): NotRunnable => ({
  reason: 'compose',
  concerns: 'all',
  key: 'docker-compose.yaml',
  text: `it asks for ${what}, which one machine alone has not`,
})

function stepOf({ files, yaml, script }: Read, form: Form): TaskStep {
  const network = { mode: 'public', allowed_hosts: [] } as const
  const tests = below(files, 'tests')
  const own = form === 'harbor' ? { ...harborScript(script), path: 'test.sh' } : script
  const others = tests.filter(({ path }) => path !== own.path)
  const same_shell = yaml.run_tests_in_same_shell
  return {
    name: null,
    instruction: form === 'harbor' && !yaml.instruction.endsWith('\n') ? `${yaml.instruction}\n` : yaml.instruction,
    workdir: [],
    healthcheck: null,
    agent: { timeout_ms: milliseconds(yaml.max_agent_timeout_sec), user: null, network },
    solution: solutionOf(files, form),
    verifier: {
      place: { mode: 'shared' },
      timeout_ms: milliseconds(yaml.max_test_timeout_sec),
      user: form === 'harbor' ? null : 'root',
      network,
      env: {},
      // Terminal-Bench puts the script there first, so that one of the tests' own of its name would win; Harbor's mapping writes it last.
      tests: form === 'harbor' ? [...others, own] : [tests.find(({ path }) => path === own.path) ?? own, ...others],
      script: own.path,
      collect: [],
      verdict: form === 'harbor' ? { type: 'reward' } : { type: 'pane', parser: yaml.parser_name, same_shell },
    },
    artifacts: [],
    min_reward: null,
  }
}

function solutionOf(files: readonly TreeFile[], form: Form): TaskStep['solution'] {
  const found = ['solution.sh', ...(form === 'harbor' ? [] : ['solution.yaml'])].flatMap(
    (name) => files.find(({ path }) => path === name) ?? [],
  )
  const [file] = found
  if (!file) return { files: [], script: null, env: {} }
  const path = form === 'harbor' ? 'solve.sh' : file.path
  return { files: [{ ...file, path }], script: path, env: {} }
}

/** Behind the tests of a mapped task: the reward is their exit status. */
const rewardByStatus = `
status=$?
if [ "$status" -eq 0 ]; then reward=1; else reward=0; fi
echo "$reward" > /logs/verifier/reward.txt
exit "$status"
`

/** The script of the tests as Harbor's mapping has it. */
function harborScript(script: TreeFile): TreeFile {
  const text = readText(script.bytes) ?? ''
  const ended = text.endsWith('\n') ? text : `${text}\n`
  return { ...script, bytes: new TextEncoder().encode((ended + rewardByStatus).replaceAll('$TEST_DIR', '/tests')) }
}
