import type { Outcome } from '../contract/failure.ts'
import type { HarborTask, TaskStep } from '../harbor/task.ts'
import { awaitHealth } from '../solvers/await-health.ts'
import type { Kit } from '../solvers/kit.ts'
import type { Machine } from '../solvers/machine.ts'
import { machineGone, userOf } from './machine-spec.ts'
import { emptyRewards } from './reward-files.ts'

const said = { timeout_ms: 60_000, head_bytes: 2000, tail_bytes: 0 }

/** Takes away what a verifier brought and left, before whoever works at the next step could see it. */
export async function takeTestsAway(machine: Machine): Promise<Outcome<null>> {
  const ran = await machine.exec({ argv: ['sh', '-c', `rm -rf /tests && ${emptyRewards}`], user: 'root', ...said })
  if (ran.end === 'exited' && ran.exit_code === 0) return { ok: true, value: null }
  return machineGone('make room for the next step', `${ran.end} ${new TextDecoder().decode(ran.head)}`.trim())
}

/**
 * Makes a machine ready for a step: its files, its `setup.sh` as the step's user, its health check. A step that cannot be made ready is no result, where
 * Harbor goes on to the next task with what was graded before.
 */
export async function prepareStep(step: TaskStep, task: HarborTask, machine: Machine, kit: Kit): Promise<Outcome<null>> {
  const put = await putWorkdir(step, task, machine)
  if (!put.ok || step.healthcheck === null) return put
  const clock = { now: kit.now, wait: kit.wait }
  const why = await awaitHealth(step.healthcheck, machine.exec, clock, userOf(step.agent.user))
  return why === null ? put : notReady(`The health check of the step ${step.name ?? ''} never held: ${why}`)
}

async function putWorkdir(step: TaskStep, task: HarborTask, machine: Machine): Promise<Outcome<null>> {
  if (step.workdir.length === 0) return { ok: true, value: null }
  const where = await machine.exec({ argv: ['pwd'], ...said })
  const workdir = task.environment.workdir ?? (new TextDecoder().decode(where.head).trim() || '/')
  const written = await machine.upload(workdir, step.workdir)
  if (written !== 'written') return machineGone('take the files of the step', written)
  if (!step.workdir.some(({ path }) => path === 'setup.sh')) return { ok: true, value: null }
  const argv = ['bash', `${workdir.replace(/\/+$/, '')}/setup.sh`] as const
  const ran = await machine.exec({
    argv,
    user: userOf(step.agent.user),
    cwd: workdir,
    timeout_ms: 360_000,
    head_bytes: 10_000,
    tail_bytes: 10_000,
  })
  if (ran.end === 'exited' && ran.exit_code === 0) return { ok: true, value: null }
  if (ran.end === 'unavailable') return machineGone('run the set-up of the step', ran.end)
  const words = new TextDecoder().decode(ran.tail.length > 0 ? ran.tail : ran.head).slice(-500)
  return notReady(`The set-up of the step ${step.name ?? ''} ended as ${ran.end} ${ran.exit_code ?? ''}: ${words}`)
}

const notReady = (detail: string): Outcome<never> => ({
  ok: false,
  failure: { at: 'sandbox', reason: 'unhealthy', retryable: false, status: null, detail: detail.slice(0, 2000) },
})
