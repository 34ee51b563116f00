import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineHost, OpenedMachines } from '#fleet/machine/machine-host.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import type { RewardEvidence } from '#shared/contract/evidence/reward.ts'
import type { HandOverFacts } from '#shared/contract/regrade.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import type { VerifierKit } from '#shared/episode/grade-tests.ts'
import { evidenceBefore, type Regraded, regradeEpisode } from '#shared/episode/regrade-episode.ts'
import { scoreEpisode } from '#shared/episode/score-episode.ts'
import type { HarborTask } from '#shared/harbor/task.ts'
import { readHandOver } from '#shared/run/hand-over-of.ts'
import type { Kit } from '#shared/solvers/kit.ts'
import { CommandError, type Io } from './io.ts'
import type { RecordSource } from './rescore-sources.ts'

/** An episode graded again: its scores then and now with the evidence of now where this machine graded, or the sentence that says why it cannot be. */
export type RegradedTrial = Pick<TrialRecord, 'benchmark' | 'item_id' | 'source_id' | 'epoch'> & { before: number | null } & (
    | { after: number; evidence?: RewardEvidence }
    | { skipped: string }
  )

/** SHA-256 of no bytes. */
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** Tries of an episode whose machine fails. */
const mostTries = 3

/**
 * Grades the episodes of a run again, one after the other, by the tests of these tasks, which are known by their names. The run stays as it is. Throws
 * `CommandError` where this machine has no engine.
 */
export async function regradeRun(
  source: RecordSource,
  tasks: ReadonlyMap<string, HarborTask>,
  host: MachineHost,
  io: Pick<Io, 'signal' | 'progress'>,
): Promise<RegradedTrial[]> {
  const absence = host.absence()
  if (absence) throw new CommandError(`Nothing can be graded here: ${absence.why}. What to do: ${absence.fix}.`, 'no-machines')
  const machines = await host.create()
  const graded: RegradedTrial[] = []
  const atTerminal = new Set(cards.filter(({ evidence }) => evidence === 'reward').map(({ name }) => name))
  try {
    for await (const record of source.records()) {
      io.signal.throwIfAborted()
      if (!atTerminal.has(record.benchmark)) continue
      const found = await readHandOver(record, source.artifact)
      if (!found.ok) {
        const { benchmark, item_id, source_id, epoch, score: before } = record
        graded.push({ benchmark, item_id, source_id, epoch, before, skipped: found.why })
        continue
      }
      io.progress(`${graded.length} episodes graded again, now ${record.source_id ?? record.item_id}`)
      graded.push(await regradeTrial(record, found.facts, { source, tasks, machines, signal: io.signal }))
    }
  } finally {
    await machines.close()
  }
  return graded
}

type Means = { source: RecordSource; tasks: ReadonlyMap<string, HarborTask>; machines: OpenedMachines; signal: AbortSignal }

async function regradeTrial(record: TrialRecord, facts: HandOverFacts, means: Means): Promise<RegradedTrial> {
  const { benchmark, item_id, source_id, epoch, score } = record
  const trial = { benchmark, item_id, source_id, epoch, before: score }
  const task = means.tasks.get(source_id ?? '')
  if (!task) return { ...trial, skipped: `there is no task ${source_id ?? item_id} among those given` }
  for (let tries = 1; ; tries++) {
    const regraded = await tryOnce(record, facts, task, means)
    if (regraded.ok) return { ...trial, after: scoreEpisode(regraded.evidence).value, evidence: regraded.evidence }
    if (!regraded.retryable || tries >= mostTries) return { ...trial, skipped: regraded.why }
  }
}

async function tryOnce(record: TrialRecord, facts: HandOverFacts, task: HarborTask, means: Means): Promise<Regraded> {
  const { source, machines, signal } = means
  const began = performance.now()
  await using opened = new AsyncDisposableStack()
  const kit: VerifierKit & Pick<Kit, 'machine'> = {
    now: () => performance.now() - began,
    wait: (ms) => sleep(ms, undefined, { signal }),
    progress: () => undefined,
    show: () => undefined,
    transcript: { note: () => undefined },
    // What the tests write stands in the evidence, beginning and end; the trial's own files stay as they are.
    keep: async ({ name, kind, media_type }) => ({ ok: true, value: { name, kind, media_type, bytes: 0, sha256: nothing } }),
    machine: async (spec) => {
      const machine = await machines.open(spec, signal)
      return machine.ok ? { ok: true, value: opened.use(machine.value) } : machine
    },
  }
  const archiveOf = async (name: string) => {
    const kept = record.artifacts?.find((one) => one.name === name)
    return kept ? source.artifact(record, kept.sha256) : 'absent'
  }
  return await regradeEpisode(task, evidenceBefore(facts), archiveOf, { kit, given: new Map() })
}
