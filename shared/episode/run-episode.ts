import type { EvidenceOf } from '../contract/evidence/evidence.ts'
import type { GradedStep, Phase } from '../contract/evidence/reward.ts'
import type { Outcome } from '../contract/failure.ts'
import { belowThreshold } from '../harbor/step-rewards.ts'
import type { HarborTask, TaskStep } from '../harbor/task.ts'
import type { Completion, Kit } from '../solvers/kit.ts'
import type { Machine } from '../solvers/machine.ts'
import { firstSight } from './first-sight.ts'
import type { Used, Verified } from './grade-tests.ts'
import { handedOverName, takeArtifacts } from './hand-over.ts'
import { keepFacts } from './keep-facts.ts'
import { handOverPlace } from './log-places.ts'
import { machineSpecOf } from './machine-spec.ts'
import { prepareStep, takeTestsAway } from './prepare-step.ts'
import { verifyApart } from './verify-apart.ts'
import { verifyStep } from './verify-step.ts'
import { logPrefix, type WorkDone, type Worker } from './worker.ts'

/**
 * How an episode is run beside its task. `multiplier`: of the agent's time; `agent_timeout_ms`: that time, whatever the task says; `given`: values of variables
 * that the task wants.
 */
export type EpisodeOptions = { multiplier: number; agent_timeout_ms?: number; given: ReadonlyMap<string, string> }

type Open = {
  task: HarborTask
  worker: Worker
  kit: Kit
  options: EpisodeOptions
  machine: Machine
  phases: Phase[]
  /** The stamp of the place for hand-overs while nothing was in it. */
  untouched?: string | null | undefined
}

/**
 * Runs one episode of a task: its machine, then for each step what the task puts there, the worker, the hand-over and the verifier. What the worker ran out of is
 * evidence, and what it left is graded; a machine, model or store that fails is no result. Source: Harbor 0.25.0, `trial/single_step.py` and
 * `trial/multi_step.py`; where we differ, SPEC EPI says so.
 */
export async function runEpisode(
  task: HarborTask,
  worker: Worker,
  kit: Kit,
  options: EpisodeOptions,
): Promise<Outcome<EvidenceOf<'reward'>>> {
  const phases: Phase[] = []
  const began_ms = kit.now()
  const opened = await kit.machine(machineSpecOf(task.environment, options.given))
  phases.push({ name: 'start', step: null, began_ms, took_ms: kit.now() - began_ms })
  if (!opened.ok) return opened
  const open: Open = { task, worker, kit, options, machine: opened.value, phases }
  const installed = await install(open)
  if (!installed.ok) return installed
  const sight = await firstSight(open.machine, worker.install !== undefined)
  if (!sight.ok) return sight
  const used = { ...sight.value }
  if (used.tools.empty.includes(handOverPlace)) open.untouched = await open.machine.folderStamp(handOverPlace)
  const steps: GradedStep[] = []
  let last: Completion | null = null
  let stopped: string | null = null
  for (const step of task.steps) {
    if (stopped !== null) {
      steps.push(skipped(step, stopped))
      continue
    }
    const graded = await runStep(step, used, open, steps)
    if (!graded.ok) return graded
    steps.push(graded.value.step)
    last = graded.value.last ?? last
    stopped = graded.value.stopped
    const short = belowThreshold(graded.value.step.rewards, step.min_reward)
    if (short) stopped = `${step.name ?? 'the step'} needed ${short.name} ${short.least} to go on, and had ${short.value ?? 'none'}`
  }
  return {
    ok: true,
    value: {
      kind: 'reward',
      text: last?.text ?? '',
      reasoning: last?.reasoning ?? null,
      finish_reason: last?.finish_reason ?? null,
      scoring_input: null,
      truncated_reasoning: false,
      ...(kit.limit() && { limit: kit.limit()! }),
      agent: { name: worker.name, version: worker.version },
      image: open.machine.image,
      room: task.steps.every(({ verifier }) => verifier.place.mode === 'separate') ? 'clean' : 'shared',
      strategy: task.reward_strategy ?? 'mean',
      steps,
      phases,
    },
  }
}

async function runStep(
  step: TaskStep,
  used: Omit<Used, 'goes_on'>,
  open: Open,
  before: readonly GradedStep[],
): Promise<Outcome<{ step: GradedStep; last: Completion | null; stopped: string | null }>> {
  const { kit, machine } = open
  const ready = await timed(open, 'setup', step, () => prepareStep(step, open.task, machine, kit))
  if (!ready.ok) return ready
  const done = await timed(open, 'agent', step, () => work(step, open))
  if (!done.ok) return done
  if (await machine.isFull?.()) {
    // What filled its host's disk goes at once, and earned nothing.
    await machine.stop()
    return { ok: true, value: { step: filledDisk(step, done.value), last: done.value.last, stopped: filled } }
  }
  const isOver = step.verifier.place.mode === 'separate' && step === open.task.steps.at(-1)
  const given = { untouched: open.untouched, isOver }
  const taken = await timed(open, 'hand-over', step, () => takeArtifacts(step, machine, kit, handedOverName(step), given))
  if (!taken.ok) return taken
  const verified = await timed(open, 'verifier', step, async (): Promise<Outcome<Verified>> => {
    const common = { step, kit, given: open.options.given, log: `${logPrefix(step)}verifier/test-stdout.txt` }
    const goes_on = step !== open.task.steps.at(-1)
    if (step.verifier.place.mode === 'shared') {
      const online = open.task.environment.network.mode !== 'no-network'
      return verifyStep({ ...common, machine, online, used: { ...used, goes_on } })
    }
    // Only the task's last step can do without the machine that was worked in.
    if (!goes_on) await machine.stop()
    return verifyApart({ ...common, taken: taken.value })
  })
  const { last, ...ended } = done.value
  const agent = { ...ended, detail: ended.detail.slice(0, 2000) }
  if (!verified.ok) {
    // All that there was to do is done: what was handed over can be graded when the verifier can be had.
    const told = { name: open.worker.name, version: open.worker.version }
    if (step === open.task.steps.at(-1))
      await keepFacts(kit, { agent: told, image: machine.image, steps: [...before, { name: step.name ?? '', agent }] })
    return verified
  }
  if (step.verifier.place.mode === 'shared' && step !== open.task.steps.at(-1)) {
    const away = await takeTestsAway(machine)
    if (!away.ok) return away
    used.own_tests = false
  }
  return { ok: true, value: { step: { name: step.name ?? '', agent, ...verified.value }, last, stopped: null } }
}

/** Parts of an episode for whoever watches it. */
const phaseTitles: Record<Phase['name'], string> = {
  image: 'Image',
  start: 'Start',
  install: 'Agent being installed',
  setup: 'Set-up',
  agent: 'Agent at work',
  'hand-over': 'Hand-over',
  verifier: 'Verifier',
}

/** What is looked at later as the machine's own is what it has once its worker is in it. */
async function install(open: Open): Promise<Outcome<null>> {
  const { worker, machine, kit } = open
  if (!worker.install) return { ok: true, value: null }
  return timed(open, 'install', { name: null }, async () => worker.install!({ machine, kit }))
}

async function timed<T>(open: Open, name: Phase['name'], step: Pick<TaskStep, 'name'>, run: () => Promise<T>): Promise<T> {
  const began_ms = open.kit.now()
  open.kit.progress(`${phaseTitles[name]}${step.name === null ? '' : ` of ${step.name}`}`)
  try {
    return await run()
  } finally {
    open.phases.push({ name, step: step.name, began_ms, took_ms: open.kit.now() - began_ms })
  }
}

async function work(step: TaskStep, { worker, kit, machine, options }: Open): Promise<Outcome<WorkDone>> {
  const timeout_ms = options.agent_timeout_ms ?? step.agent.timeout_ms
  const until_ms = timeout_ms === null ? null : kit.now() + timeout_ms * options.multiplier
  return worker.work({ step, machine, kit, until_ms, given: options.given })
}

const filled = 'the machine’s disk held more than its storage'

function filledDisk(step: TaskStep, { turns }: WorkDone): GradedStep {
  const agent = { end: 'failed' as const, turns, detail: filled }
  return { name: step.name ?? '', agent, rewards: null, problem: 'missing', ignored: [], tampering: [], verifier: null }
}

function skipped(step: TaskStep, detail: string): GradedStep {
  const agent = { end: 'skipped' as const, turns: 0, detail: detail.slice(0, 2000) }
  return { name: step.name ?? '', agent, rewards: null, problem: 'missing', ignored: [], tampering: [], verifier: null }
}
