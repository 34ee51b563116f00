import { mostArtifacts } from '#shared/contract/artifact.ts'
import { maxRecordBytes } from '#shared/contract/frame.ts'
import type { ComparedMeans } from '#shared/contract/harbor-means.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { isTerminal } from '#shared/contract/run.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { compareMeans } from '#shared/episode/compare-means.ts'
import { type ImportedRun, importEpisode, importJob, NotImportable } from '#shared/episode/import-job.ts'
import { chooseArtifacts } from '#shared/episode/imported-artifacts.ts'
import { type ImportedTrial, importedTrials } from '#shared/episode/imported-trials.ts'
import type { JobReport } from '#shared/harbor/episode-report.ts'
import { type JobProblem, readJobFolder } from '#shared/harbor/read-job.ts'
import { type JobZip, surveyJobZip } from '#shared/harbor/survey-job-zip.ts'
import { RefusedZip } from '#shared/harbor/zip-problem.ts'
import { stableId } from '../adapters/stable-id.ts'
import { type ArtifactBucket, keyOf } from '../artifacts/bucket.ts'
import type { Deps } from '../deps.ts'
import type { ImportedResult } from '../run/import-results.ts'
import type { HeldBody } from '../tasks/hold-body.ts'
import { type KeptFile, keepFiles } from './keep-files.ts'
import { refusedJob } from './refused-job.ts'

/** For whom an archive is imported. */
export type Importer = Pick<RunSpec, 'owner_id' | 'visibility'>
/** A job as it was read, with its runs; `left`: what of it is not in them, and why. */
export type ReadJob = { job: JobReport; zip: JobZip; runs: PlacedRun[]; left: JobProblem[] }
/** A run of the job with its trials and what they left behind. */
export type PlacedRun = Pick<ImportedRun, 'spec' | 'started_at' | 'finished_at'> & {
  trials: PlacedTrial[]
  artifacts: number
  means: ComparedMeans
}
type PlacedTrial = ImportedTrial & { artifacts: NonNullable<TrialRecord['artifacts']> }

/**
 * Reads the job in an archive as runs of its importer, one for each agent and model. A run is named by the importer and all that the archive holds, so that
 * the same archive gives the same runs. Throws `validation` that names the entries that are wrong.
 */
export async function readJobZip(
  body: HeldBody,
  filename: string,
  importer: Importer,
  deps: Pick<Deps, 'openSha256' | 'now' | 'newId'>,
): Promise<ReadJob> {
  try {
    const zip = await surveyJobZip(body, deps.openSha256)
    const read = readJobFolder(zip.name ?? filename.replace(/\.zip$/i, ''), zip.tree)
    if (!read.ok) throw refusedJob(read.problems)
    const left = [...read.problems]
    const files = Map.groupBy(zip.files, ({ path }) => path.slice(0, Math.max(0, path.indexOf('/'))))
    const imported = importJob(read.job, { sha256: zip.results, now: deps.now(), newId: deps.newId })
    const runs: PlacedRun[] = []
    for (const run of imported) {
      const spec: RunSpec = {
        ...run.spec,
        ...importer,
        run_id: (await stableId(importer.owner_id, zip.contents, run.who)) as RunSpec['run_id'],
      } // a UUID
      const trials = importedTrials({ ...run, spec }).map((trial) => placed(trial, files.get(trial.episode.name) ?? [], left))
      const { started_at, finished_at } = run
      const means = compareMeans(run, read.job)
      runs.push({ spec, started_at, finished_at, trials, means, artifacts: trials.reduce((sum, trial) => sum + trial.artifacts.length, 0) })
    }
    return { job: read.job, zip, runs, left }
  } catch (error) {
    if (error instanceof RefusedZip) throw refusedJob([{ entry: error.problem.entry ?? '', text: error.problem.text }], error)
    if (error instanceof NotImportable) throw refusedJob([{ entry: '', text: error.message }], error)
    throw error
  }
}

function placed(trial: ImportedTrial, files: JobZip['files'], left: JobProblem[]): PlacedTrial {
  const own = new Map(files.map((file) => [file.path.slice(trial.episode.name.length + 1), file]))
  const chosen = chooseArtifacts([...own].map(([name, { bytes }]) => ({ name, bytes })))
  for (const name of chosen.left) left.push({ entry: `${trial.episode.name}/${name}`, text: unfit })
  const artifacts = chosen.taken.map(({ name, kind, media_type, bytes }) => ({
    name,
    kind,
    media_type,
    bytes,
    sha256: own.get(name)!.sha256,
  }))
  return { ...trial, artifacts }
}

const unfit = `it is none of the files that a trial may leave: its name or size does not allow it, or there are more than ${mostArtifacts}`

/** Keeps what the trials of these runs left behind, then lets their results in at the objects of the runs, which hold nothing back from then on. */
export async function takeJobIn(
  body: HeldBody,
  { zip, left }: ReadJob,
  runs: readonly PlacedRun[],
  { artifacts, runs: objects }: Pick<Deps, 'runs'> & { artifacts: ArtifactBucket },
): Promise<void> {
  const wanted = new Map<string, KeptFile>()
  for (const { spec, trials } of runs)
    for (const { episode, artifacts: own } of trials)
      for (const { name, sha256, media_type } of own)
        wanted.set(`${episode.name}/${name}`, { key: keyOf(spec.run_id, sha256), sha256, media_type })
  await keepFiles(body, wanted, artifacts)
  for (const run of runs) await takeRunIn(run, zip, left, objects)
}

const batchChars = 1_000_000

async function takeRunIn(
  { spec, started_at, finished_at, trials }: PlacedRun,
  zip: JobZip,
  left: JobProblem[],
  objects: Deps['runs'],
): Promise<RunHead> {
  const started_ms = Date.parse(started_at)
  let results: ImportedResult[] = []
  let chars = 0
  for (const { episode, lease, artifacts, finished_at: ended_at, at_ms } of trials) {
    const told = importEpisode(episode, lease, zip.told(episode.name))
    const messages = told.messages.map(({ opening: _none, ...message }) => message) // each stands whole
    const { stream: _none, ...rest } = told // an import has no measured streams
    const record = { ...rest, messages, ...(artifacts.length > 0 && { artifacts }) }
    const text = JSON.stringify(record)
    if (text.length * 3 > maxRecordBytes && new TextEncoder().encode(text).length > maxRecordBytes) {
      left.push({ entry: `${episode.name}/result.json`, text: `what it says comes to more than the ${maxRecordBytes} bytes of a record` })
      continue
    }
    results.push({ record, finished_at: ended_at, at_ms })
    chars += text.length
    if (chars < batchChars) continue
    await objects.takeIn(spec, { started_ms, results, ended_ms: null })
    results = []
    chars = 0
  }
  const ended_ms = Math.max(Date.parse(finished_at), trials.at(-1)?.at_ms ?? 0)
  return objects.takeIn(spec, { started_ms, results, ended_ms })
}

/** Whether the record has the run whole. */
export const isWhole = (head: RunHead | undefined): boolean => head !== undefined && isTerminal(head.status)
