import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RewardEvidence } from '#shared/contract/evidence/reward.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import type { Score } from '#shared/contract/item.ts'
import { machineSpecOf } from '#shared/episode/machine-spec.ts'
import { runEpisode } from '#shared/episode/run-episode.ts'
import { scoreEpisode } from '#shared/episode/score-episode.ts'
import { nop as nobody, oracle, type Worker } from '#shared/episode/worker.ts'
import { loadTask } from '#shared/harbor/load-task.ts'
import type { HarborTask } from '#shared/harbor/task.ts'
import { tree } from '#shared/harbor/testing/task-files.ts'
import type { AskRequest } from '#shared/solvers/kit.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'
import { recordingKit } from '#shared/terminus/testing/at-terminal.ts'
import { openModelDoor } from '../../door/open-door.ts'
import type { Machines } from '../open-machines.ts'
import type { OpenMachine } from '../running-machine.ts'
import type { FixtureFiles } from './fixture-tasks.ts'

/** An episode that was run: what came of it, its score where it has one, and what was kept of it by name. */
export type FixtureRun = {
  outcome: Outcome<RewardEvidence>
  score: Score | null
  kept: Map<string, Uint8Array>
  notes: string[]
  /** What the tested model was asked. */
  asked: readonly AskRequest[]
}

const never = new AbortController().signal

/** Runs an episode of a task of these files at real machines, which are closed at its end. Throws where they are no task. */
export async function runFixture(
  machines: Machines,
  files: FixtureFiles | readonly TreeFile[],
  worker: Worker,
  model: Parameters<typeof recordingKit>[0] = [],
): Promise<FixtureRun> {
  const there = Array.isArray(files) ? (files as readonly TreeFile[]) : treeOf(files as FixtureFiles)
  const loaded = loadTask('fixture', there)
  if (!loaded.ok) throw new Error(loaded.problems.map(({ entry, text }) => `${entry}: ${text}`).join('; '))
  return runTask(machines, loaded.task, worker, model)
}

/** Runs an episode of a task at real machines, which are closed at its end. */
export async function runTask(
  machines: Machines,
  task: HarborTask,
  worker: Worker,
  model: Parameters<typeof recordingKit>[0] = [],
): Promise<FixtureRun> {
  const opened: OpenMachine[] = []
  const kept = new Map<string, Uint8Array>()
  const { kit } = recordingKit(model)
  const began = performance.now()
  try {
    const outcome = await runEpisode(
      task,
      worker,
      {
        ...kit,
        now: () => performance.now() - began,
        wait: (ms) => sleep(ms),
        machine: async (spec) => {
          const machine = await machines.open(spec, never)
          if (machine.ok) opened.push(machine.value)
          return machine
        },
        openDoor: (machine, until_ms) =>
          openModelDoor(
            machine,
            {
              model: 'org/tested',
              params: kit.params,
              note: kit.transcript.note,
              askUntil: () => (request) => kit.ask('model', request),
              left_ms: until_ms === null ? null : until_ms - (performance.now() - began),
            },
            never,
          ),
        keep: async ({ name, kind, media_type, body }) => {
          const bytes = body instanceof Uint8Array ? body : await buffer(body)
          kept.set(name, bytes)
          return { ok: true, value: { name, kind, media_type, bytes: bytes.length, sha256: '0'.repeat(64) } }
        },
      },
      { multiplier: 1, given: new Map() },
    )
    return { outcome, score: outcome.ok ? scoreEpisode(outcome.value) : null, kept, notes: kit.notes, asked: kit.asked.model }
  } finally {
    for (const machine of opened) await machine[Symbol.asyncDispose]()
  }
}

/** Opens the machine of a task of these files. Throws where there is none. */
export async function openFixture(machines: Machines, files: FixtureFiles): Promise<AsyncDisposable & { machine: OpenMachine }> {
  const loaded = loadTask('fixture', treeOf(files))
  if (!loaded.ok) throw new Error(loaded.problems.map(({ entry, text }) => `${entry}: ${text}`).join('; '))
  const opened = await machines.open(machineSpecOf(loaded.task.environment, new Map()), never)
  if (!opened.ok) throw new Error(opened.failure.detail)
  return { machine: opened.value, [Symbol.asyncDispose]: () => opened.value[Symbol.asyncDispose]() }
}

const treeOf = (files: FixtureFiles): TreeFile[] =>
  tree(Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined)))

/** Runs the task's own solution, or nobody. */
export const runOracle = (machines: Machines, files: FixtureFiles | readonly TreeFile[]): Promise<FixtureRun> =>
  runFixture(machines, files, oracle)
export const runNop = (machines: Machines, files: FixtureFiles | readonly TreeFile[]): Promise<FixtureRun> =>
  runFixture(machines, files, nobody)

const plainly = { timeout_ms: 20_000, head_bytes: 1000, tail_bytes: 1000 }

/**
 * What the tests of such a task give where nothing is done against cheats but what Harbor 0.25.0 does: former rewards are removed, tests are put over what
 * is there. Null where there is no reward.
 */
export async function runUnguarded(machines: Machines, files: FixtureFiles): Promise<string | null> {
  const loaded = loadTask('fixture', treeOf(files))
  if (!loaded.ok) throw new Error('it is no task')
  const opened = await machines.open(machineSpecOf(loaded.task.environment, new Map()), never)
  if (!opened.ok) throw new Error(opened.failure.detail)
  await using machine = opened.value
  const [{ solution, verifier }] = loaded.task.steps
  await machine.exec({ argv: ['mkdir', '-p', '/logs/verifier'], ...plainly })
  await machine.upload('/solution', solution.files)
  await machine.exec({ argv: ['bash', '-c', '/solution/solve.sh'], ...plainly })
  await machine.exec({ argv: ['rm', '-f', '/logs/verifier/reward.txt', '/logs/verifier/reward.json'], ...plainly })
  await machine.upload('/tests', verifier.tests)
  await machine.exec({ argv: ['bash', '-c', '/tests/test.sh'], ...plainly })
  for (let looks = 10; looks > 0; looks--) {
    await machine.exec({ argv: ['ls', '-R', '/logs'], ...plainly }) // it takes a moment until rewards are read
    const reward = await machine.download('/logs/verifier/reward.txt', 1000)
    const text = reward.ok ? new TextDecoder().decode(reward.files[0]?.bytes).trim() : ''
    if (text !== '') return text // a daemon may have emptied it to write it again
  }
  return null
}
