import type { TaskEnvironment } from '../task.ts'
import { hostVariableOf } from '../task-env.ts'
import { type ReadCompose, readCompose } from './read-compose.ts'

/** As long as Docker Hub may take with the largest images of Terminal-Bench. */
export const pull_timeout_ms = 1_800_000

/** The compose file of an environment, null where it has none. `env`: its variables with their values. */
export function composeOf(environment: TaskEnvironment, env: Readonly<Record<string, string>>): ReadCompose | null {
  const { compose, context, image, cpus, memory_mb, build_timeout_ms } = environment
  if (compose === null) return null
  return readCompose(compose, { context, env, image, cpus, memory_mb, build_timeout_ms, pull_timeout_ms })
}

/** The same before anybody gave values of variables: such a value is some text. */
export function plannedCompose(environment: TaskEnvironment): ReadCompose | null {
  const env = Object.entries(environment.env).map(([name, text]) => {
    const variable = hostVariableOf(text)
    return [name, variable ? (variable.fallback ?? 'given') : text] as const
  })
  return composeOf(environment, Object.fromEntries(env))
}
