import { mostInstruction, type TaskFacts } from '../contract/task-upload.ts'
import { plannedCompose } from '../harbor/compose/compose-of.ts'
import type { HarborTask, TaskEnvironment, TaskStep } from '../harbor/task.ts'
import { roomBeside } from '../solvers/machine-services.ts'

/** What is shown of a task, each text within its bound. `unpacked_bytes`: of all its files. */
export function taskFacts(task: HarborTask, files: number, unpacked_bytes: number): TaskFacts {
  const { about, environment, steps } = task
  const { difficulty = null, category = null } = about.metadata
  const instruction = steps.map(({ name, instruction }) => (name === null ? instruction : `# ${name}\n\n${instruction}`)).join('\n\n')
  return {
    harbor_name: cut(task.name, 1024),
    schema_version: cut(task.schema_version, 40),
    description: cut(about.description, 4000),
    category: shown(category),
    difficulty: shown(difficulty),
    keywords: about.keywords.slice(0, 50).map((one) => cut(one, 200)),
    instruction: cut(instruction, mostInstruction),
    instruction_cut: instruction.length > mostInstruction,
    image: environment.image === null ? null : cut(environment.image, 1000),
    compose: environment.compose !== null,
    build_timeout_s: environment.build_timeout_ms / 1000,
    ...roomOf(environment),
    storage_mb: environment.storage_mb,
    network: environment.network.mode,
    steps: steps.map(stepFacts),
    reward_strategy: task.reward_strategy,
    files,
    unpacked_bytes,
    not_runnable: task.why_not_runnable.slice(0, 100).map((one) => ({ ...one, key: cut(one.key, 1000), text: cut(one.text, 4000) })),
    warnings: warningsOf(task),
  }
}

/** What a task's machine and the services beside it take together; null where the machine does not say. */
function roomOf(environment: TaskEnvironment): Pick<TaskFacts, 'cpus' | 'memory_mb'> {
  const read = plannedCompose(environment)
  const { main, services } = read?.ok ? read.compose : { main: null, services: undefined }
  const beside = roomBeside(services)
  const [cpus, memory_mb] = [main?.cpus ?? environment.cpus, main?.memory_mb ?? environment.memory_mb]
  return { cpus: cpus === null ? null : cpus + beside.cpus, memory_mb: memory_mb === null ? null : memory_mb + beside.memory_mb }
}

const stepFacts = ({ name, agent, verifier, solution }: TaskStep): TaskFacts['steps'][number] => ({
  name: name === null ? null : cut(name, 255),
  agent_timeout_s: agent.timeout_ms === null ? null : agent.timeout_ms / 1000,
  verifier_timeout_s: verifier.timeout_ms / 1000,
  has_solution: solution.script !== null,
  verifier: verifier.place.mode,
})

const mostWarnings = 200

/** What does not hinder a task and should be known of it. */
export function warningsOf({ unknown_keys, migrations, script_warnings, steps }: HarborTask): string[] {
  const unknown = unknown_keys.map((key) => `${key} in task.toml is known to nobody here and changes nothing`)
  const unsolved = steps.some(({ solution }) => solution.script === null) ? ['it brings no solution: the oracle cannot solve it'] : []
  return [...script_warnings, ...migrations, ...unknown, ...unsolved].slice(0, mostWarnings).map((one) => cut(one, 1000))
}

/** In whole characters, with control pictures in place of what steers a terminal or a page. */
function cut(given: string, most: number): string {
  const text = withPictures(given)
  if (text.length <= most) return text
  const kept = text.slice(0, most - 1)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}

const shown = (value: unknown): string | null => (typeof value === 'string' || typeof value === 'number' ? cut(String(value), 200) : null)

const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Shows each control character as its picture (U+2400 and on), and each of another kind, as those that turn the direction of writing, by its number. */
function withPictures(text: string): string {
  return text.replace(controls, (char) => {
    const code = char.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '\u2421' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
