import type { EvidencePage, StoredRun } from '#db/store.ts'
import { type HandedOver, type LeftOutEpisode, mostRegraded, type RegradeRequest } from '#shared/contract/regrade.ts'
import type { DataIdentity, PlannedBenchmark } from '#shared/contract/run.ts'
import { readHandOver } from '#shared/run/hand-over-of.ts'
import { handedOverBy, type RegradeChoice, type RegradedPart } from '#shared/run/regrade-spec.ts'
import { archiveNameOf, uploadData } from '#shared/run/upload-data.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { bytesOf } from './run-rescores.ts'
import { getTask } from './task-access.ts'

const pageSize = 200

/** The episodes of a run that a request asks for: those that can be graded again, by their benchmarks, and those that cannot. */
export type Gathered = { parts: Omit<RegradedPart, 'data'>[]; left_out: LeftOutEpisode[] }

/** What of a run handed something over, and what did not, with the reason. */
export async function gatherEpisodes(run: StoredRun, { benchmark, item, epoch }: RegradeRequest, deps: Deps): Promise<Gathered> {
  const choice: RegradeChoice = { item: item ?? null, epoch: epoch ?? null }
  const wanted = run.spec.benchmarks.filter(({ name }) => benchmark == null || name === benchmark)
  const gathered: Gathered = { parts: [], left_out: [] }
  for (const planned of wanted) {
    const card = deps.cards.find(({ name }) => name === planned.name)
    if (card?.evidence !== 'reward') continue
    const { episodes, items } = await readEpisodes(run, planned, choice, gathered.left_out, deps)
    if (episodes.length > 0) gathered.parts.push({ planned, card, choice, episodes, items })
  }
  return gathered
}

/** The same with the tests of now. Throws `validation` with the sentence that says why nothing can be graded. */
export async function withTests(
  { parts, left_out }: Gathered,
  task_id: string | null,
  principal: Principal & { owner_id: string },
  deps: Deps,
): Promise<RegradedPart[]> {
  if (parts.length === 0) {
    const reasons = [...Map.groupBy(left_out, ({ why }) => why)].map(([why, all]) => `${all.length}: ${why}`).slice(0, 5)
    throw invalid(
      '/item',
      ['Nothing of this run can be graded again: that takes an episode that handed something over.', ...reasons].join(' '),
    )
  }
  const tested: RegradedPart[] = []
  for (const part of parts) tested.push({ ...part, data: await presentData(part.planned, task_id, principal, deps) })
  return tested
}

async function readEpisodes(
  run: StoredRun,
  planned: PlannedBenchmark,
  { item, epoch }: RegradeChoice,
  left_out: LeftOutEpisode[],
  deps: Deps,
): Promise<{ episodes: HandedOver[]; items: number[] }> {
  const episodes: HandedOver[] = []
  const items: number[] = []
  for (let after: number | null = -1; after !== null; ) {
    const page: EvidencePage = await deps.store.listEvidence(run.spec.run_id, planned.name, after, pageSize)
    for (const record of page.records) {
      if ((item !== null && record.item_id !== item) || (epoch !== null && record.epoch !== epoch)) continue
      const found = await readHandOver(record, bytesOf(run, deps), deps.openSha256)
      if (!found.ok) {
        const { benchmark, item_id, source_id, epoch } = record
        left_out.push({ benchmark, item_id, source_id, epoch, why: found.why })
        continue
      }
      episodes.push(handedOverBy(run.spec.run_id, record, found.facts))
      items.push(Number(record.item_id))
    }
    if (episodes.length > mostRegraded)
      throw new Problem(
        'too-many-trials',
        `At most ${mostRegraded} episodes are graded again at once: choose a benchmark, an item or an epoch.`,
      )
    after = page.next
  }
  return { episodes, items }
}

/** The rows whose tests grade now: of an uploaded task its newest version, of a benchmark what the service offers. */
async function presentData(
  planned: PlannedBenchmark,
  task_id: string | null,
  principal: Principal & { owner_id: string },
  deps: Deps,
): Promise<DataIdentity> {
  const { name, data } = planned
  if (data.source === 'upload') return uploadedNow(archiveNameOf(data.files[0]?.path ?? ''), task_id, principal, deps)
  if (task_id !== null) throw invalid('/task_id', `The tasks of ${name} are not uploaded ones.`)
  const now = deps.dataFor(name, data.source, replayedBy)
  if (now) return now
  throw invalid('/benchmark', `${name} is not offered on ${data.source} data here any more.`)
}

/** No provider is asked, so that none of them decides the data. */
const replayedBy = 'replay'

async function uploadedNow(
  archive_name: string,
  task_id: string | null,
  principal: Principal & { owner_id: string },
  deps: Deps,
): Promise<DataIdentity> {
  const found =
    task_id === null
      ? await deps.store.findNewestTask(principal.owner_id, archive_name)
      : (await getTask(task_id, 'read', principal, deps)).task
  if (!found) throw invalid('/task_id', `You have no task ${archive_name} any more: upload it again, with the tests that are to grade.`)
  if (found.archive_name !== archive_name)
    throw invalid('/task_id', `The episodes are of ${archive_name}, and the task given is ${found.archive_name}.`)
  if (found.facts.steps.some(({ verifier }) => verifier === 'shared'))
    throw invalid(
      '/task_id',
      `${archive_name} is graded in the machine that was worked in, which is gone. Upload it with environment_mode = "separate" under [verifier]: then what was handed over is graded in a machine of its own.`,
    )
  return uploadData(found.archive_name, found.sha256)
}

function invalid(pointer: string, message: string): Problem {
  return new Problem('validation', message, { errors: [{ pointer, message }] })
}
