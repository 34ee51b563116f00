import { readLocalRun } from '#fleet/run-local.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { isChecker, judgeSoundness, type TaskVerdict } from '#shared/episode/soundness.ts'
import { planTrials } from '#shared/run/plan.ts'
import type { Io } from './io.ts'
import { count } from './numbers.ts'
import { type Column, cleanLine, table } from './terminal.ts'

const columns: Column[] = [{ title: 'task', whole: true }, { title: 'verdict' }, { title: 'reward', right: true }, { title: 'reason' }]

/** Judges the planned tasks of a local run from its records. Empty for profiles other than `oracle` and `nop`. */
export async function soundnessOf(dir: string, spec: RunSpec): Promise<TaskVerdict[]> {
  const { folder } = await readLocalRun(dir)
  try {
    const verdicts: TaskVerdict[] = []
    const planned = [...planTrials(spec)]
    for (const { name, profile } of spec.benchmarks) {
      if (!isChecker(profile)) continue
      const records: TrialRecord[] = []
      for await (const page of folder.trials(name)) records.push(...page.map(({ record }) => record))
      const ofIt = planned.filter(({ benchmark }) => benchmark === name)
      verdicts.push(...judgeSoundness(ofIt, records, profile))
    }
    return verdicts
  } finally {
    folder.close()
  }
}

/** A row for each task, those that need somebody first, and how many there are of each verdict. */
export function soundnessText(verdicts: readonly TaskVerdict[], { columns: width }: Pick<Io, 'columns'>): string[] {
  const order = ['unsound', 'unchecked', 'sound'] as const
  const sorted = order.flatMap((verdict) => verdicts.filter((one) => one.verdict === verdict))
  const rows = sorted.map(({ task, verdict, reward, reason }) => [
    cleanLine(task),
    verdict,
    reward === null ? '–' : String(reward),
    cleanLine(reason ?? '', 300),
  ])
  const sums = order.map((verdict) => `${count(verdicts.filter((one) => one.verdict === verdict).length)} ${verdict}`)
  return ['', ...table(columns, rows, width), `tasks: ${sums.toReversed().join(', ')}`]
}
