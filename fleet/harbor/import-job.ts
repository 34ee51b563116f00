import { randomUUID } from 'node:crypto'
import { createReadStream, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import type { ComparedMeans } from '#shared/contract/harbor-means.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { isTerminal } from '#shared/contract/run.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { compareMeans } from '#shared/episode/compare-means.ts'
import { type ImportedRun, importEpisode, importJob } from '#shared/episode/import-job.ts'
import { chooseArtifacts } from '#shared/episode/imported-artifacts.ts'
import { importedTrials } from '#shared/episode/imported-trials.ts'
import type { SigningKey } from '#shared/export/signing-key.ts'
import type { EpisodeReport } from '#shared/harbor/episode-report.ts'
import { mostTrajectory, toldInstruction, trajectoryPath } from '#shared/harbor/told-instruction.ts'
import { artifactsDir, openFolderStore } from '../artifacts/folder-store.ts'
import { openLocalRun } from '../coordinator/local-coordinator.ts'
import { openRunFolder } from '../coordinator/run-folder.ts'
import { type LocalMetrics, measureLocalRun, signLocalRun } from '../local-results.ts'
import type { ArtifactStore } from '../trial/resources.ts'
import type { HarborJob } from './job-folder.ts'

/** A run that was made of a job, in its folder. `bundle`: the signed ZIP, null where attempts are missing; `left`: files of trials that were not taken over. */
export type Imported = {
  spec: RunSpec
  head: RunHead
  metrics: LocalMetrics
  dir: string
  bundle: string | null
  left: number
  means: ComparedMeans
}

/**
 * Writes a Harbor job as runs of this machine below the folder `out`, one for each agent and model, by the same run core as any local run. What was never attempted makes
 * a run canceled. Times are Harbor's. Throws `NotImportable` and the errors of the file system.
 */
export async function importHarborJob(opened: HarborJob, out: string, key: SigningKey, code_version: string): Promise<Imported[]> {
  const runs = importJob(opened.job, { sha256: opened.sha256, now: new Date(), newId: randomUUID })
  const imported: Imported[] = []
  for (const run of runs) imported.push(await importRun(run, opened, out, key, code_version))
  return imported
}

async function importRun(run: ImportedRun, opened: HarborJob, out: string, key: SigningKey, code_version: string): Promise<Imported> {
  const { spec } = run
  const folder = openRunFolder(out, spec)
  try {
    const store = openFolderStore(artifactsDir(folder.dir))
    let at_ms = Date.parse(run.started_at)
    const finished = new Map<number, string>()
    const append: typeof folder.append = (trials, events) =>
      folder.append(
        trials.map((trial) => ({ ...trial, finished_at: finished.get(trial.record.ordinal) ?? trial.finished_at })),
        events,
      )
    const local = openLocalRun({ spec, folder: { append }, now: () => at_ms, onEvent: () => undefined }, silent)
    let left = 0
    local.begin()
    for (const { lease, episode, finished_at, at_ms: toldMs } of importedTrials(run)) {
      const taken = await recordOf(episode, lease, opened, store)
      left += taken.left
      finished.set(lease.ordinal, finished_at)
      at_ms = toldMs
      local.takeIn(taken.record)
    }
    at_ms = Math.max(at_ms, Date.parse(run.finished_at))
    if (!isTerminal(local.head().status)) local.command({ type: 'cancel' })
    await local.coordinator.close()
    if (local.broken() !== undefined) throw local.broken()
    const head = local.head()
    folder.saveHead(head)
    const metrics = await measureLocalRun(spec, folder)
    const bundle = head.status === 'canceled' ? null : await signLocalRun({ spec, head, metrics }, folder, key, code_version)
    return { spec, head, metrics, dir: folder.dir, bundle, left, means: compareMeans(run, opened.job) }
  } finally {
    folder.close()
  }
}

const silent = { onState: () => undefined, onDrop: () => undefined, onClosed: () => undefined }

/** The record of an episode, with the files of its folder as artifacts as far as a trial may have them. */
async function recordOf(episode: EpisodeReport, lease: Lease, { folder, files }: HarborJob, store: ArtifactStore) {
  const own = files.filter((path) => path.startsWith(`${episode.name}/`)).map((path) => path.slice(episode.name.length + 1))
  const artifacts: ArtifactRef[] = []
  const { taken, left } = chooseArtifacts(own.map((name) => ({ name, bytes: lstatSync(join(folder, episode.name, name)).size })))
  for (const { name, kind, media_type } of taken) {
    const body = createReadStream(join(folder, episode.name, name))
    const kept = await store.keep({ ordinal: lease.ordinal, attempt: lease.attempt, kind, media_type, body }, new AbortController().signal)
    if (!kept.ok) throw new Error(kept.failure.detail)
    artifacts.push({ name, kind, media_type, ...kept.value })
  }
  const record = importEpisode(episode, lease, instructionIn(join(folder, episode.name, trajectoryPath)))
  return { left: left.length, record: artifacts.length > 0 ? { ...record, artifacts } : record }
}

/** What the agent was told first, where its trajectory is there and tells it. */
function instructionIn(path: string): string | null {
  const there = lstatSync(path, { throwIfNoEntry: false })
  return there?.isFile() && there.size <= mostTrajectory ? toldInstruction(readFileSync(path)) : null
}
