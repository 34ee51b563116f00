import type { Card } from '../contract/card.ts'
import { RunId } from '../contract/ids.ts'
import { type HandedOver, type HandOverFacts, type KeptAnswer, mostEndDetail } from '../contract/regrade.ts'
import { replayProvider } from '../contract/replay.ts'
import type { DataIdentity, PlannedBenchmark, RunSpec } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { metricsVersion } from '../metrics/draw.ts'
import { isGated, itemsIn } from './build-spec.ts'
import { plannedReplay } from './replay.ts'

/** Which trials of a benchmark are graded again: everything, or one item, or one epoch. */
export type RegradeChoice = { item: string | null; epoch: number | null }

/** The episodes of one benchmark of an ended run, with the tests that grade them now. */
export type RegradedPart = {
  planned: PlannedBenchmark
  card: Card
  data: DataIdentity
  choice: RegradeChoice
  episodes: readonly HandedOver[]
  items: readonly number[]
}

/** The end of an archive's name, as every step of an episode names what it hands over. */
const archiveEnd = 'artifacts.zip'

/** What an ended trial handed over, with its grade where it had one and how whoever worked ended. */
export function handedOverBy(run_id: string, record: TrialRecord, { agent, image, steps }: HandOverFacts): HandedOver {
  const { ordinal, attempt, epoch, source_id, score, artifacts = [] } = record
  return {
    ...{ run_id: RunId.parse(run_id), ordinal, attempt, epoch, source_id, score, agent, image },
    steps: steps.map(({ name, agent: { end, turns, detail } }) => ({
      name,
      agent: { end, turns, detail: detail.slice(0, mostEndDetail) },
    })),
    archives: artifacts.filter(({ name }) => name.endsWith(archiveEnd)).map(({ name, sha256 }) => ({ name, sha256 })),
  }
}

/** Nobody is asked: a trial that reached a model all the same would say so. */
const asksNobody = ['Nobody is asked: what was handed over is graded again.']

/**
 * The run that grades episodes of an ended one again, with the answers that are kept beside it: they say for each trial whose hand-over it is. It keeps who
 * worked and how the run was asked; its tests are those of the data of now.
 */
export function regradeSpec(
  before: RunSpec,
  parts: readonly RegradedPart[],
  { newId, now }: { newId(): string; now(): Date },
): { spec: RunSpec; answers: KeptAnswer[] } {
  const { preflight: _preflight, replay: _replay, own_provider: _own, ...kept } = before
  const answers = parts.flatMap(({ planned, choice, episodes, items }) =>
    episodes.map(
      (handed_over, at): KeptAnswer => ({
        ...{ benchmark: planned.name, item: String(items[at]), by: 'id' },
        epoch: choice.epoch === null ? handed_over.epoch : 0,
        texts: asksNobody,
        handed_over,
      }),
    ),
  )
  const spec: RunSpec = {
    ...kept,
    run_id: RunId.parse(newId()),
    model: { ...before.model, provider: replayProvider },
    own_credential: false,
    price: null,
    budget_usd: null,
    benchmarks: parts.map(plannedAgain),
    replay: plannedReplay(answers),
    regrade: { run_id: before.run_id, provider: before.model.provider, trials: answers.length },
    created_at: now().toISOString(),
  }
  return { spec, answers }
}

function plannedAgain({ planned, card, data, choice, items }: RegradedPart): PlannedBenchmark {
  const chosen = [...new Set(items)].toSorted((a, b) => a - b)
  const profile = card.profiles.find(({ id }) => id === planned.profile)
  const { roles: _roles, trial_limits: _limits, ...kept } = planned
  return {
    ...kept,
    ...{ version: card.version, fingerprint: card.fingerprint, data, gated: isGated(card, data) },
    total_items: itemsIn(card, data, profile),
    sampled_items: chosen.length,
    items: chosen,
    epochs: choice.epoch === null ? planned.epochs : 1,
    metrics_version: metricsVersion,
    needs: card.needs,
  }
}
