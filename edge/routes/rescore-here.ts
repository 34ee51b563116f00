import type { StoredRun } from '#db/store.ts'
import type { Card } from '#shared/contract/card.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { ScorerLoader } from '#shared/export/verify-scores.ts'
import { openRescoring, type Rescoring } from '#shared/run/rescore.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { Problem } from '../problem.ts'

/** Trials of one request: a Worker has half a minute of computing time and scores some thousand a second. */
export const mostTrials = 20_000

/** A rescoring for each of these benchmarks with the scorers of this server, or the problem that says where it can be done instead. */
export async function openHere(
  run: StoredRun,
  planned: readonly PlannedBenchmark[],
  cards: readonly Card[],
  tasks: ScorerLoader | undefined,
): Promise<Rescoring[]> {
  const trials = planned.reduce((sum, { name }) => sum + finished(run, name), 0)
  if (trials > mostTrials) throw elsewhere(run, `${trials} trials are too many for one request; ${mostTrials} are computed here.`)
  const opened: Rescoring[] = []
  for (const one of planned) {
    const card = cards.find((each) => each.name === one.name)
    const profile = card?.profiles.find((each) => each.id === one.profile)
    const task = await tasks?.(one.name)
    if (!card || !profile || !task) throw elsewhere(run, `This server has no scorer for ${one.name} with profile ${one.profile}.`)
    if (profile.tables.length > 0)
      throw elsewhere(run, `The scorer of ${one.name} reads tables that this server does not have (${profile.tables.join(', ')}).`)
    opened.push(openRescoring(one, { score: task.score, card }, noTables))
  }
  return opened
}

function finished({ head }: StoredRun, name: string): number {
  const tally = head.benchmarks[name]
  return tally ? tally.right + tally.wrong + tally.failed : 0
}

function elsewhere({ spec }: StoredRun, why: string): Problem {
  return new Problem(
    'rescore-elsewhere',
    `${why} Run \`bench rescore ${spec.run_id} --save\` on a machine with network access: it computes there and keeps the result here.`,
  )
}
