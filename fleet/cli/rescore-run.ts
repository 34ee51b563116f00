import { findTask } from '#shared/benchmarks/tasks.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { readEvidence } from '#shared/run/evidence-apart.ts'
import { openRescoring, type Rescored, type Rescoring } from '#shared/run/rescore.ts'
import { CommandError, type Io } from './io.ts'
import type { RecordSource } from './rescore-sources.ts'
import { openTablesHere } from './tables-here.ts'

/** What came of a benchmark: its rescoring, or the sentence that says why this program cannot score it. */
export type Outcome = { benchmark: string } & ({ rescored: Rescored } | { skipped: string })

/** Scores the chosen benchmarks of a run again on this machine, in one pass over its records. Tables are fetched as an agent would. */
export async function rescoreRun(source: RecordSource, wanted: readonly string[], io: Io): Promise<Outcome[]> {
  const opened = new Map<string, Rescoring | string>()
  for (const planned of choose(source, wanted)) opened.set(planned.name, await openScorer(planned, io))
  let read = 0
  if ([...opened.values()].some((one) => typeof one !== 'string')) {
    for await (const record of source.records()) {
      const rescoring = opened.get(record.benchmark)
      if (typeof rescoring === 'object') rescoring.add(record, await readEvidence(record, source.artifact))
      if (++read % 500 === 0) io.progress(`${read} trials scored again`)
    }
  }
  return [...opened].map(([benchmark, one]) =>
    typeof one === 'string' ? { benchmark, skipped: one } : { benchmark, rescored: one.close() },
  )
}

function choose({ benchmarks }: RecordSource, wanted: readonly string[]): readonly PlannedBenchmark[] {
  const unknown = wanted.find((name) => !benchmarks.some((planned) => planned.name === name))
  const known = benchmarks.map((planned) => planned.name).join(', ')
  if (unknown !== undefined) throw new CommandError(`The run has no benchmark ${unknown}; it has: ${known}.`, 'benchmark-not-in-run')
  return wanted.length === 0 ? benchmarks : benchmarks.filter((planned) => wanted.includes(planned.name))
}

async function openScorer(planned: PlannedBenchmark, io: Io): Promise<Rescoring | string> {
  const task = await findTask(planned.name)
  const profile = task?.card.profiles.find((one) => one.id === planned.profile)
  if (!task || !profile) return `This program has no scorer for ${planned.name} with profile ${planned.profile}.`
  const { tables, missing } = await openTablesHere(profile.tables, io)
  for (const { name, detail } of missing) io.err(`The table ${name}, which scores of ${planned.name} may need, could not be had: ${detail}`)
  return openRescoring(planned, task, tables)
}
