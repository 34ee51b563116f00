import type { TaskAgent, TaskFacts, UploadedTask } from '#shared/contract/task-upload.ts'
import { sizeText } from '#shared/run/needs-text.ts'
import { bytesText, count, duration } from '../ui/format.ts'

type Fact = readonly [name: string, value: string]

const networkWords: Record<TaskFacts['network'], string> = {
  public: 'the whole network',
  'no-network': 'none',
  allowlist: 'named hosts only',
}
const hostGives = 'as the host gives'

const seconds = (value: number | null): string => (value === null ? 'no limit' : duration(value * 1000))
const named = (step: TaskFacts['steps'][number], text: string): string => (step.name === null ? text : `${step.name} ${text}`)

/** A value that every step shares, or each step's own under its name. */
function ofSteps(steps: TaskFacts['steps'], text: (step: TaskFacts['steps'][number]) => string): string {
  const texts = new Set(steps.map(text))
  return texts.size === 1 ? [...texts][0]! : steps.map((step) => named(step, text(step))).join(', ')
}

/** What the machine of a task must have, each with its unit. */
export function wantedFacts(facts: TaskFacts): Fact[] {
  return [
    ['CPU', facts.cpus === null ? hostGives : `${facts.cpus} ${facts.cpus === 1 ? 'core' : 'cores'}`],
    ['Memory', facts.memory_mb === null ? hostGives : sizeText(facts.memory_mb)],
    ['Disk', facts.storage_mb === null ? hostGives : sizeText(facts.storage_mb)],
    ['Network', networkWords[facts.network]],
    ['Image', facts.image ?? (facts.compose ? 'of its docker-compose.yaml' : 'built from its Dockerfile')],
    ...(facts.image === null ? [['Build', `at most ${seconds(facts.build_timeout_s)}`] as const] : []),
    ['Solver’s time', ofSteps(facts.steps, (step) => seconds(step.agent_timeout_s))],
    ['Tests’ time', ofSteps(facts.steps, (step) => seconds(step.verifier_timeout_s))],
    ['Tests run in', ofSteps(facts.steps, (step) => (step.verifier === 'separate' ? 'a machine of their own' : 'the same machine'))],
    ['Steps', facts.steps.length === 1 ? '1' : `${count(facts.steps.length)}, ${strategyWords[facts.reward_strategy ?? 'mean']}`],
    ['Solution', ofSteps(facts.steps, (step) => (step.has_solution ? 'included' : 'none: the oracle has nothing to do'))],
  ]
}

const strategyWords = { mean: 'the mean of their rewards counts', final: 'the last one’s reward counts' }

/** Where a task comes from and what tells it from others. */
export function originFacts(task: Pick<UploadedTask, 'original_filename' | 'file_size' | 'checksum' | 'sha256'>, facts: TaskFacts): Fact[] {
  return [
    ['Name in it', facts.harbor_name],
    ['Category', facts.category ?? '–'],
    ['Difficulty', facts.difficulty ?? '–'],
    ['Archive', `${task.original_filename}, ${bytesText(task.file_size)}`],
    ['Files', `${count(facts.files)}, ${bytesText(facts.unpacked_bytes)} unpacked`],
    ['Format', `task.toml ${facts.schema_version}`],
    ['Checksum', task.checksum.slice(0, 16)],
  ]
}

/** Why a solver cannot work at a task here, in the words of a button; undefined where it can. */
export function whatHinders({ not_runnable, steps }: Pick<TaskFacts, 'not_runnable' | 'steps'>, agent: TaskAgent): string | undefined {
  if (not_runnable.some(({ concerns }) => concerns === 'all' || agent.asks)) return 'Cannot run here'
  return agent.id === 'oracle' && steps.some(({ has_solution }) => !has_solution) ? 'No solution to run' : undefined
}
