import { withoutCanary } from './instruction-text.ts'
import type { PlannedStep } from './not-runnable.ts'
import { below, readText } from './python-text.ts'
import type { TaskArtifact, TaskStep } from './task.ts'
import type { StepConfig, TaskConfig } from './task-config.ts'
import { environmentOf, healthcheckOf, milliseconds } from './task-environment.ts'
import type { TaskFiles } from './task-files.ts'
import type { TaskProblem } from './task-problem.ts'
import { definesImage, networkPlanOf, type SeparatePlace, separatePlaceOf } from './verifier-place.ts'

export type BuiltStep = { step: TaskStep; planned: PlannedStep }

/** One step with everything it takes over from the task; `step` null: the one of a task without steps. Undefined, with problems, where files are missing. */
export function buildStep(
  config: TaskConfig,
  step: StepConfig | null,
  at: number,
  files: TaskFiles,
  problems: TaskProblem[],
): BuiltStep | undefined {
  const root = step === null ? '' : `steps/${step.name}/`
  const key = step === null ? '' : `steps[${at}].`
  const instruction = readInstruction(`${root}instruction.md`, files, problems)
  const place = separatePlaceOf(config, step, files)
  const script = findTests(config, step, place, files, problems)
  if (instruction === undefined || script === undefined) return undefined
  const network = networkPlanOf(config, step, place)
  const trajectory = at === 0 && files.find(`${root}trajectory.json`) ? `${root}trajectory.json` : null
  return {
    step: {
      name: step?.name ?? null,
      instruction,
      workdir: step ? below(files.all, `${root}workdir`) : [],
      healthcheck: healthcheckOf(step?.healthcheck ?? null),
      agent: {
        timeout_ms: millisecondsOrNull(step?.agent.timeout_sec ?? config.agent.timeout_sec),
        user: step?.agent.user ?? config.agent.user,
        network: network.agent,
      },
      solution: solutionOf(config, step, files),
      verifier: { ...verifierOf(config, step, place, files), network: network.verifier, script },
      artifacts: artifactsOf(config, step),
      min_reward: step?.min_reward ?? null,
    },
    planned: { key, own_machine: place?.config ?? null, network, trajectory },
  }
}

const millisecondsOrNull = (seconds: number | null): number | null => (seconds === null ? null : milliseconds(seconds))

function readInstruction(path: string, files: TaskFiles, problems: TaskProblem[]): string | undefined {
  const file = files.find(path)
  const text = file && readText(file.bytes)
  if (!file)
    problems.push({ reason: 'missing-instruction', entry: path, key: null, text: 'it is missing: write there what the solver is to do' })
  else if (text === undefined) problems.push({ reason: 'bad-text', entry: path, key: null, text: 'it is no UTF-8: save it as UTF-8' })
  return text === undefined ? undefined : withoutCanary(text)
}

/** The script that tests a step, from `/tests`; the step's own before the task's. */
function findTests(
  config: TaskConfig,
  step: StepConfig | null,
  place: SeparatePlace | null,
  files: TaskFiles,
  problems: TaskProblem[],
): string | undefined {
  const script = (place?.config.os ?? config.environment.os) === 'windows' ? 'test.bat' : 'test.sh'
  if (place?.tests_in_image) return script
  if (place && !place.config.docker_image && !definesImage(place.context)) {
    problems.push({
      reason: 'missing-environment',
      entry: `${place.folder}/Dockerfile`,
      key: null,
      text: 'the verifier has nothing to start its machine from: add it, or name an image',
    })
  }
  const paths = [...(step ? [`steps/${step.name}/tests/${script}`] : []), `tests/${script}`]
  const found = paths.find((path) => files.find(path))
  if (found !== undefined && !files.ignores(found)) return script
  const entry = found ?? paths[0] ?? script
  if (found === undefined)
    problems.push({
      reason: 'missing-test-script',
      entry,
      key: null,
      text: `it is missing: the script that writes the reward to /logs/verifier (looked for ${paths.join(' and ')})`,
    })
  else problems.push({ reason: 'ignored-file', entry, key: null, text: 'a .harborignore leaves it out: take that line away' })
  return undefined
}

function solutionOf(config: TaskConfig, step: StepConfig | null, files: TaskFiles): TaskStep['solution'] {
  const script = config.environment.os === 'windows' ? 'solve.bat' : 'solve.sh'
  const own = step ? `steps/${step.name}/solution` : 'solution'
  const folder = below(files.all, own).length > 0 ? own : 'solution'
  const kept = files.kept(folder)
  return { files: kept, script: kept.some(({ path }) => path === script) ? script : null, env: config.solution.env }
}

function verifierOf(
  config: TaskConfig,
  step: StepConfig | null,
  place: SeparatePlace | null,
  files: TaskFiles,
): Omit<TaskStep['verifier'], 'network' | 'script'> {
  const own = step?.verifier
  const tests = new Map(
    ['tests', ...(step ? [`steps/${step.name}/tests`] : [])].flatMap((folder) => files.kept(folder).map((file) => [file.path, file])),
  )
  return {
    place: place
      ? // Harbor waits for the health of the solver's machine and of steps, never for a verifier's own.
        {
          mode: 'separate',
          environment: { ...environmentOf(place.config, place.context), healthcheck: null },
          tests_in_image: place.tests_in_image,
        }
      : { mode: 'shared' },
    timeout_ms: milliseconds((own ?? config.verifier).timeout_sec),
    user: own?.user ?? config.verifier.user,
    env: { ...config.verifier.env, ...own?.env },
    tests: place?.tests_in_image ? [] : [...tests.values()],
    collect: [...config.verifier.collect, ...(own?.collect ?? [])].map(({ timeout_sec, ...hook }) => ({
      ...hook,
      timeout_ms: milliseconds(Math.trunc(timeout_sec)),
    })),
    verdict: { type: 'reward' },
  }
}

function artifactsOf(config: TaskConfig, step: StepConfig | null): TaskArtifact[] {
  const usual = config.environment.os === 'windows' ? 'C:/logs/artifacts' : '/logs/artifacts'
  const told = [...config.artifacts, ...(step?.artifacts ?? [])].map((one) => ({ ...one, destination: one.destination || null }))
  const hasUsual = told.some(({ source, service }) => source.replace(/\/+$/, '') === usual && service === 'main')
  return hasUsual ? told : [{ source: usual, destination: null, exclude: [], service: 'main' }, ...told]
}
