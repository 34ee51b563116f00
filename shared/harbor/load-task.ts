import type { TreeFile } from '../solvers/machine.ts'
import { buildStep } from './build-step.ts'
import { dockerfileNeeds } from './dockerfile-needs.ts'
import { finishSteps } from './finish-steps.ts'
import { composeNeeds, taskVariables, whyNotRunnable } from './not-runnable.ts'
import { TooMuchWork } from './path-pattern.ts'
import { below, readText } from './python-text.ts'
import { readTaskToml, type TaskToml } from './read-task-toml.ts'
import { lineEndWarnings } from './script-line-ends.ts'
import { isStepName, stepNameKey } from './step-name.ts'
import type { HarborTask, TaskEnvironment } from './task.ts'
import { type HashFile, hashTask } from './task-checksum.ts'
import type { TaskConfig } from './task-config.ts'
import { environmentOf } from './task-environment.ts'
import { openTaskFiles, type TaskFiles } from './task-files.ts'
import type { TaskProblem } from './task-problem.ts'

export type LoadedTask = { ok: true; task: HarborTask } | { ok: false; problems: readonly [TaskProblem, ...TaskProblem[]] }

/**
 * A task in Harbor's format (task.toml 1.0 to 1.4) from the files of its folder, paths from that folder. `folder`: its name, which is the task's
 * where `task.toml` gives none. `hashOf`: where the bytes of files are not at hand (`surveyTaskZip`). Takes what Harbor 0.25.0 takes and refuses
 * the rest with all that is wrong. Never throws.
 */
export function loadTask(folder: string, files: readonly TreeFile[], hashOf?: HashFile): LoadedTask {
  return finishSteps(loadTaskInSteps(folder, files, hashOf))
}

/** `loadTask` in steps that each look at all files a few times: 20,000 files take 100 to 600 ms, too long for a thread that answers others too. */
export function* loadTaskInSteps(folder: string, files: readonly TreeFile[], hashOf?: HashFile): Generator<undefined, LoadedTask> {
  const problems: TaskProblem[] = []
  const opened = openTaskFiles(files, problems)
  const toml = readConfig(opened, problems)
  yield
  const task = toml && (yield* withinWork(buildTask(folder, opened, toml, problems, hashOf), problems))
  const [first, ...more] = problems
  if (first) return { ok: false, problems: [first, ...more] }
  if (!task) throw new Error('a task without problems was not built')
  return { ok: true, task }
}

/** Names the ignore files where matching their patterns takes more than an upload may. */
function* withinWork<T>(build: Generator<undefined, T>, problems: TaskProblem[]): Generator<undefined, T | undefined> {
  try {
    return yield* build
  } catch (cause) {
    if (!(cause instanceof TooMuchWork)) throw cause
    const text = 'with as many files, the patterns of this and of .harborignore files take too long to match: write fewer or simpler ones'
    problems.push({ reason: 'bad-ignore-file', entry: '.gitignore', key: null, text })
    return undefined
  }
}

function readConfig(files: TaskFiles, problems: TaskProblem[]): TaskToml | undefined {
  const file = files.find('task.toml')
  if (!file) {
    problems.push({ reason: 'no-task-toml', entry: 'task.toml', key: null, text: 'it is missing: a task is a folder with a task.toml' })
    return undefined
  }
  const text = readText(file.bytes)
  if (text === undefined) {
    problems.push({ reason: 'bad-text', entry: 'task.toml', key: null, text: 'it is no UTF-8: save it as UTF-8' })
    return undefined
  }
  const read = readTaskToml(text)
  if (read.ok) return read.toml
  problems.push(...read.problems)
  return undefined
}

function* buildTask(
  folder: string,
  files: TaskFiles,
  toml: TaskToml,
  problems: TaskProblem[],
  hashOf?: HashFile,
): Generator<undefined, HarborTask | undefined> {
  const { config } = toml
  checkStepNames(config, problems)
  const stepless = (config.steps ?? []).length === 0
  const built = (stepless ? [null] : (config.steps ?? [])).map((step, at) => buildStep(config, step, at, files, problems))
  yield
  const environment = environmentOf(config.environment, below(files.all, 'environment'))
  checkEnvironment(environment, problems)
  yield
  const hashes = yield* hashTask(files, problems, hashOf)
  const [first, ...more] = built.flatMap((one) => one ?? [])
  if (problems.length > 0 || !first) return undefined
  const variables = taskVariables(config)
  return {
    name: config.task?.name ?? folder,
    schema_version: config.schema_version,
    about: describe(config),
    source: config.source,
    environment,
    steps: [first.step, ...more.map(({ step }) => step)],
    reward_strategy: stepless ? null : (config.multi_step_reward_strategy ?? 'mean'),
    toml: toml.table,
    unknown_keys: toml.unknown,
    migrations: toml.migrations,
    script_warnings: lineEndWarnings(files.all),
    host_variables: variables,
    why_not_runnable: [
      ...whyNotRunnable(
        config,
        [first, ...more].map(({ planned }) => planned),
        variables,
      ),
      ...composeNeeds(environment, [first.step, ...more.map(({ step }) => step)]),
      ...dockerfileNeeds([
        ['environment', environment],
        ...[first, ...more].flatMap(({ step: { name, verifier } }) =>
          verifier.place.mode === 'separate' && verifier.place.environment !== environment
            ? [[name === null ? 'tests' : `steps/${name}/tests`, verifier.place.environment] as const]
            : [],
        ),
      ]),
    ],
    ...hashes,
  }
}

function checkStepNames({ steps }: TaskConfig, problems: TaskProblem[]): void {
  const seen = new Set<string>()
  for (const [at, { name }] of (steps ?? []).entries()) {
    const wrong = (text: string) => problems.push({ reason: 'bad-step-name', entry: 'task.toml', key: `steps[${at}].name`, text })
    if (!isStepName(name))
      wrong(`${JSON.stringify(name)} cannot be a folder on every system: write letters, digits, hyphens and underscores`)
    else if (seen.has(stepNameKey(name))) wrong(`two steps are called ${JSON.stringify(name)}: give each its own name`)
    seen.add(stepNameKey(name))
  }
}

function checkEnvironment({ image, compose, context }: TaskEnvironment, problems: TaskProblem[]): void {
  if (image !== null || compose !== null || context.some(({ path }) => path === 'Dockerfile')) return
  const text =
    'there is nothing to start a machine from: add environment/Dockerfile or environment/docker-compose.yaml, or write docker_image in [environment]'
  problems.push({ reason: 'missing-environment', entry: 'environment/Dockerfile', key: 'environment.docker_image', text })
}

function describe({ task, metadata }: TaskConfig): HarborTask['about'] {
  const { version = null, description = '', authors = [], keywords = [] } = task ?? {}
  return { version, description, authors, keywords, metadata }
}
