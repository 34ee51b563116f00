import { randomUUID } from 'node:crypto'
import { createReadStream, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type ArtifactKind, ArtifactRef, artifactKinds, mostArtifactBytes, mostArtifacts } from '#shared/contract/artifact.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { isTerminal } from '#shared/contract/run.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { episodeKey, type ImportedRun, importEpisode, importJob } from '#shared/episode/import-job.ts'
import type { SigningKey } from '#shared/export/signing-key.ts'
import type { EpisodeReport } from '#shared/harbor/episode-report.ts'
import { artifactsDir, openFolderStore } from '../artifacts/folder-store.ts'
import { openLocalRun } from '../coordinator/local-coordinator.ts'
import { openRunFolder } from '../coordinator/run-folder.ts'
import { type LocalMetrics, measureLocalRun, signLocalRun } from '../local-results.ts'
import type { ArtifactStore } from '../trial/resources.ts'
import type { HarborJob } from './job-folder.ts'

/** A run that was made of a job, in its folder. `bundle`: the signed ZIP, null where attempts are missing; `left`: files of trials that were not taken over. */
export type Imported = { spec: RunSpec; head: RunHead; metrics: LocalMetrics; dir: string; bundle: string | null; left: number }

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
  const { spec, episodes } = run
  const folder = openRunFolder(out, spec)
  try {
    const store = openFolderStore(artifactsDir(folder.dir))
    let at = run.started_at
    const finished = new Map<number, string>()
    const append: typeof folder.append = (trials, events) =>
      folder.append(
        trials.map((trial) => ({ ...trial, finished_at: finished.get(trial.record.ordinal) ?? trial.finished_at })),
        events,
      )
    const local = openLocalRun({ spec, folder: { append }, now: () => Date.parse(at), onEvent: () => undefined }, silent)
    let left = 0
    let reported = 0
    for (
      let leases = await local.coordinator.claim(spec.concurrency);
      leases.length > 0;
      leases = await local.coordinator.claim(spec.concurrency)
    ) {
      const there = leases.flatMap((lease) => {
        const episode = episodes.get(episodeKey(lease))
        return episode ? [{ lease, episode }] : []
      })
      for (const { lease, episode } of there) {
        const taken = await recordOf(episode, lease, opened, store)
        left += taken.left
        finished.set(lease.ordinal, new Date(episode.times.finished_at ?? run.finished_at).toISOString())
        if (++reported === episodes.size) at = run.finished_at
        local.coordinator.report(taken.record)
      }
      // Leases of what was never attempted are held until the end, so that they are not claimed again.
      if (reported === episodes.size) break
    }
    if (!isTerminal(local.head().status)) local.command({ type: 'cancel' })
    await local.coordinator.close()
    if (local.broken() !== undefined) throw local.broken()
    const head = local.head()
    folder.saveHead(head)
    const metrics = await measureLocalRun(spec, folder)
    const bundle = head.status === 'canceled' ? null : await signLocalRun({ spec, head, metrics }, folder, key, code_version)
    return { spec, head, metrics, dir: folder.dir, bundle, left }
  } finally {
    folder.close()
  }
}

const silent = { onState: () => undefined, onDrop: () => undefined, onClosed: () => undefined }

const kinds: [RegExp, ArtifactKind, string][] = [
  [/(?:^|\/)trajectory[\w.-]*\.json$/, 'file', 'application/json'],
  [/\.cast$/, 'recording', 'application/x-asciicast'],
  [/\.(?:txt|log)$/, 'log', 'text/plain; charset=utf-8'],
  [/\.json$/, 'file', 'application/json'],
]
const kindOf = (path: string): readonly [ArtifactKind, string] => {
  const [, kind = 'file', type = 'application/octet-stream'] = kinds.find(([pattern]) => pattern.test(path)) ?? []
  return [kind, type]
}

/** The record of an episode, with the files of its folder as artifacts as far as a trial may have them. */
async function recordOf(episode: EpisodeReport, lease: Lease, { folder, files }: HarborJob, store: ArtifactStore) {
  const own = files.filter((path) => path.startsWith(`${episode.name}/`)).map((path) => path.slice(episode.name.length + 1))
  const artifacts: ArtifactRef[] = []
  let [bytes, left] = [0, 0]
  for (const name of own.filter((path) => !/^(?:config|lock|result)\.json$/.test(path)).toSorted()) {
    const file = join(folder, episode.name, name)
    const [kind, media_type] = kindOf(name)
    const { size } = lstatSync(file)
    const named = ArtifactRef.safeParse({ name, kind, media_type, bytes: size, sha256: '0'.repeat(64) }).success
    if (!named || size > artifactKinds[kind] || bytes + size > mostArtifactBytes || artifacts.length === mostArtifacts) {
      left++
      continue
    }
    const body = createReadStream(file)
    const kept = await store.keep({ ordinal: lease.ordinal, attempt: lease.attempt, kind, media_type, body }, new AbortController().signal)
    if (!kept.ok) throw new Error(kept.failure.detail)
    bytes += size
    artifacts.push({ name, kind, media_type, ...kept.value })
  }
  const record = importEpisode(episode, lease, instructionIn(join(folder, episode.name, 'agent/trajectory.json')))
  return { left, record: artifacts.length > 0 ? { ...record, artifacts } : record }
}

const Told = z.object({ steps: z.array(z.object({ source: z.string(), message: z.unknown() })) })
const mostTrajectory = 16 * 2 ** 20

/** What the agent was told first, where its trajectory is there and tells it. */
function instructionIn(path: string): string | null {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there?.isFile() || there.size > mostTrajectory) return null
  try {
    const { steps } = Told.parse(JSON.parse(readFileSync(path, 'utf8')))
    const first = steps.find(({ source }) => source === 'user')?.message
    return typeof first === 'string' ? first : null
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof z.ZodError) return null
    throw cause
  }
}
