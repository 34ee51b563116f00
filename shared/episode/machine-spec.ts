import type { Failure } from '../contract/failure.ts'
import { composeOf, pull_timeout_ms } from '../harbor/compose/compose-of.ts'
import type { HarborTask, TaskEnvironment, TaskUser } from '../harbor/task.ts'
import { resolveTaskEnv } from '../harbor/task-env.ts'
import type { MachineImage, MachineSpec } from '../solvers/machine.ts'
import { logPlaces } from './log-places.ts'

/**
 * What a machine of a task is asked for, with what its compose file has beside it. `given`: values of variables that the task wants from whoever runs it.
 * @throws where a compose file cannot be read with these values: whoever asks has looked whether the task can run.
 */
export function machineSpecOf(environment: TaskEnvironment, given: ReadonlyMap<string, string>): MachineSpec {
  const plain = plainSpecOf(environment, given)
  const read = composeOf(environment, plain.env)
  if (read === null) return { ...plain, image: bounded(plain.image, environment) }
  if (!read.ok) throw new Error(read.refused.map(({ key, text }) => `docker-compose.yaml: ${key}: ${text}`).join('; '))
  const { main, services } = read.compose
  return {
    ...plain,
    image: bounded(main.image ?? plain.image, environment),
    cpus: main.cpus ?? plain.cpus,
    memory_mb: main.memory_mb ?? plain.memory_mb,
    env: { ...main.env, ...plain.env },
    workdir: plain.workdir ?? main.workdir,
    healthcheck: plain.healthcheck ?? main.healthcheck,
    services: { ...services, others: services.others.map((one) => ({ ...one, image: bounded(one.image, environment) })) },
  }
}

/** An image whose build has no more of network and disk than its task. */
const bounded = (image: MachineImage, { network, storage_mb }: TaskEnvironment): MachineImage =>
  image.type === 'named' ? image : { ...image, network: network.mode === 'no-network' ? 'none' : 'public', storage_mb }

/**
 * What the machines of a task's episode start from: first that of who works, with what stands beside it, then those of verifiers of their own. None of a
 * task that cannot run here.
 */
export function imagesOf(
  task: Pick<HarborTask, 'environment' | 'steps' | 'why_not_runnable'>,
  given: ReadonlyMap<string, string>,
): MachineImage[] {
  if (task.why_not_runnable.some(({ concerns }) => concerns === 'all')) return []
  const apart = task.steps.flatMap(({ verifier: { place } }) => (place.mode === 'separate' ? [place.environment] : []))
  return [task.environment, ...apart].flatMap((environment) => {
    const { image, services } = machineSpecOf(environment, given)
    return [image, ...(services?.others ?? []).map((service) => service.image)]
  })
}

function plainSpecOf(environment: TaskEnvironment, given: ReadonlyMap<string, string>): MachineSpec {
  const { image, context, build_timeout_ms, cpus, memory_mb, storage_mb, network, workdir, healthcheck } = environment
  return {
    image:
      image === null
        ? { type: 'built', context, dockerfile: 'Dockerfile', build_timeout_ms }
        : { type: 'named', name: image, pull_timeout_ms },
    cpus,
    memory_mb,
    storage_mb,
    network: network.mode === 'no-network' ? 'none' : 'public',
    env: envOf(environment.env, given),
    workdir,
    healthcheck,
    places: logPlaces,
  }
}

/** A task's variables with values; what nobody gave is empty: a task that must have it is never run. */
export function envOf(env: Readonly<Record<string, string>>, given: ReadonlyMap<string, string>): Record<string, string> {
  const resolved = resolveTaskEnv(env, given)
  return resolved.ok ? resolved.env : {}
}

/** A user as a machine's commands take it; undefined: the image's own. */
export const userOf = (user: TaskUser): string | undefined => (user === null ? undefined : String(user))

/** A machine that went away in the middle: no result, another attempt may have one. */
export function machineGone(what: string, end: string): { ok: false; failure: Failure } {
  const detail = `The machine of the task did not ${what}: ${end}.`
  return { ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable: true, status: null, detail } }
}
