import { cards } from '../../benchmarks/cards.ts'
import type { ArtifactRef } from '../../contract/artifact.ts'
import type { PlannedBenchmark, RunSpec } from '../../contract/run.ts'
import { Step } from '../../contract/transcript.ts'
import type { TrialRecord } from '../../contract/trial.ts'
import { episodeTrajectory } from '../../episode/episode-trajectory.ts'
import { reportEpisode } from '../../episode/report-episode.ts'
import type { EpisodeReport, JobReport } from '../../harbor/episode-report.ts'
import { jobConfig, jobLock, jobResult, writeEpisodeFiles } from '../../harbor/write-job.ts'
import { writeTrajectory } from '../../harbor/write-trajectory.ts'
import { trialCount } from '../../run/plan.ts'
import type { ArtifactsPort, TrialPages } from '../bundle.ts'
import { BundleTooLarge } from '../bundle-limits.ts'
import { type Bytes, gather } from '../byte-source.ts'
import { inBlocks, openArchive } from '../write-zip.ts'
import { type ExportRun, encode, shownPages } from './format.ts'

/** The run has no terminal tasks, so there is nothing that Harbor calls a trial. */
export class NoEpisodes extends Error {}

/** Episodes of one job: what is told of each beside its records is held while the archive is written. */
const mostEpisodes = 10_000
/** Bytes of a transcript that is read to write a trajectory. */
const mostTranscript = 8 * 2 ** 20

/** Benchmarks whose trials are episodes at a terminal. */
const isOfEpisodes = ({ name }: Pick<PlannedBenchmark, 'name'>): boolean =>
  cards.some((card) => card.name === name && card.evidence === 'reward')

/**
 * The episodes of a run as a Harbor 0.25.0 job folder in a ZIP: put it into a folder of jobs and `harbor view` opens it. Not signed. Two passes over the record:
 * first what the job as a whole counts, then trial after trial with its trajectory, recording, logs and what its verifier wrote, one in memory at a time.
 * Throws `NoEpisodes`, and `BundleTooLarge` beyond 10,000 episodes.
 */
export async function* writeHarbor(run: ExportRun, pages: TrialPages): AsyncGenerator<Bytes> {
  yield* inBlocks(pieces(run, pages))
}

async function* pieces(run: ExportRun, pages: TrialPages): AsyncGenerator<Bytes> {
  const { spec } = run.view
  const benchmarks = spec.benchmarks.filter(isOfEpisodes)
  if (benchmarks.length === 0) throw new NoEpisodes('the run has no terminal tasks')
  const episodes: EpisodeReport[] = []
  for await (const { episode } of ended(run, pages)) {
    if (episodes.push(episode) > mostEpisodes) throw new BundleTooLarge(`more than ${mostEpisodes} episodes`)
  }
  const job = jobOf(run, benchmarks, episodes)
  const archive = openArchive()
  const file = (path: string, value: unknown) => archive.deflated(`${job.name}/${path}`, once(json(value)))
  yield* file('config.json', jobConfig(job))
  yield* file('lock.json', jobLock(job))
  yield* file('result.json', jobResult(job))
  yield* file('bench-run.json', about(run))
  const artifacts = await run.artifacts
  for await (const { episode, record } of ended(run, pages)) {
    for (const { path, text } of writeEpisodeFiles(episode, job)) yield* archive.deflated(path, once(encode(text)))
    for await (const [path, contents] of filesOf(record, episode, artifacts))
      yield* archive.deflated(`${job.name}/${episode.name}/${path}`, contents)
  }
  yield archive.end()
}

const json = (value: unknown): Bytes => encode(JSON.stringify(value, null, 4))

/** Every trial of a terminal task that has ended, in the order of the plan. */
async function* ended(run: ExportRun, pages: TrialPages): AsyncGenerator<{ record: TrialRecord; episode: EpisodeReport }> {
  const { spec } = run.view
  const own = spec.benchmarks.filter(isOfEpisodes)
  for await (const page of shownPages({ ...run, view: { ...run.view, spec: { ...spec, benchmarks: own } } }, pages))
    for (const { record, finished_at } of page) {
      const benchmark = own.find(({ name }) => name === record.benchmark)!
      yield { record, episode: reportEpisode({ record, finished_at, run: spec, benchmark }) }
    }
}

function jobOf({ view }: ExportRun, benchmarks: RunSpec['benchmarks'], episodes: readonly EpisodeReport[]): JobReport {
  const { spec, head } = view
  return {
    id: spec.run_id,
    name: `bench-${spec.run_id}`,
    started_at: head.started_at ?? spec.created_at,
    updated_at: head.completed_at,
    finished_at: head.completed_at,
    planned: benchmarks.reduce((sum, planned) => sum + trialCount(planned), 0),
    attempts: Math.max(...benchmarks.map(({ epochs }) => epochs)),
    width: spec.concurrency,
    retries: head.retried,
    timeout_multiplier: 1,
    episodes,
  }
}

/** What Harbor has no place for: whose numbers these are, and what they are not. Harbor's tools pass it by. */
function about({ view, claims, service_url, artifacts }: ExportRun): object {
  const left = view.spec.benchmarks.filter((planned) => !isOfEpisodes(planned)).map(({ name }) => name)
  return {
    written_by: `Chutes Bench Runner ${claims.code_version}`,
    run_id: view.id,
    service_url: service_url || null,
    labels: view.labels,
    status: view.status,
    scores: view.benchmarks.map(({ benchmark_name, score, right, wrong, failed }) => ({ benchmark_name, score, right, wrong, failed })),
    benchmarks_left_out: left,
    with_artifacts: artifacts !== undefined,
    note: 'Not signed: the ZIP export of the same run is. An episode that failed has no reward here and no score there; Harbor counts it as 0 in its mean.',
  }
}

type Contents = AsyncIterable<Bytes>

/** The files of a trial beside config, lock and result, by their path in its folder. */
async function* filesOf(
  record: TrialRecord,
  episode: EpisodeReport,
  artifacts: ArtifactsPort | undefined,
): AsyncGenerator<[path: string, contents: Contents]> {
  const kept = artifacts ? (record.artifacts ?? []) : []
  const open = ({ sha256 }: ArtifactRef): Contents => artifacts!.open(sha256) as Contents // nobody here hands in shared memory
  const taken = new Set<string>()
  for (const artifact of kept) {
    const path = placeOf(artifact)
    if (taken.has(path)) continue
    taken.add(path)
    yield [path, open(artifact)]
  }
  if (record.evidence?.kind === 'reward') {
    for (const { name, rewards, verifier } of record.evidence.steps) {
      if (!/^[\w.@ +-]*$/.test(name) || /^\.+$/.test(name)) continue // no folder of this name could be written
      const folder = `${name === '' ? '' : `steps/${name}/`}verifier`
      if (rewards) yield [`${folder}/reward.json`, once(json(rewards))]
      if (verifier?.output && !taken.has(`${folder}/test-stdout.txt`)) yield [`${folder}/test-stdout.txt`, once(encode(verifier.output))]
    }
  }
  const steps = await transcriptOf(record, kept, open)
  const trajectory = steps && episodeTrajectory(record, steps, episode)
  if (trajectory) yield ['agent/trajectory.json', once(encode(writeTrajectory(trajectory)))]
}

/** Where Harbor has what an episode leaves: recordings with the agent, what was handed over with the artifacts. */
function placeOf({ name, kind }: ArtifactRef): string {
  const [, step = '', rest = name] = /^(steps\/[^/]+\/)(.+)$/.exec(name) ?? []
  if (/^(?:agent|verifier|artifacts)\//.test(rest)) return `${step}${rest}`
  return kind === 'recording' || kind === 'transcript' ? `${step}agent/${rest}` : `${step}artifacts/${rest}`
}

/** The steps of the trial; null where a transcript lies apart that is not here or too long. */
async function transcriptOf(
  { transcript, evidence }: TrialRecord,
  kept: readonly ArtifactRef[],
  open: (artifact: ArtifactRef) => Contents,
): Promise<readonly Step[] | null> {
  if (transcript) return transcript
  const apart = kept.find(({ kind }) => kind === 'transcript')
  if (!apart) return evidence ? [] : null
  if (apart.bytes > mostTranscript) return null
  const text = new TextDecoder().decode(await gather(open(apart), apart.bytes))
  return text.split('\n').flatMap((line) => (line === '' ? [] : (Step.safeParse(parsed(line)).data ?? [])))
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

async function* once(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes
}
