import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { ArtifactRef } from '../../contract/artifact.ts'
import type { RunSpec } from '../../contract/run.ts'
import type { TrialRecord } from '../../contract/trial.ts'
import { episodeRecord } from '../../episode/testing/ended-episode.ts'
import { rewardEvidence } from '../../episode/testing/evidence.ts'
import { readJobFolder } from '../../harbor/read-job.ts'
import { initialHead } from '../../run/apply.ts'
import { viewFor } from '../../run/audience.ts'
import { viewRun } from '../../run/run-view.ts'
import { concat } from '../byte-source.ts'
import { openNoble } from '../running-sha256.ts'
import { pagesOf, sampleClaims, sampleSpec } from '../testing/sample-run.ts'
import type { ExportRun } from './format.ts'
import { NoEpisodes, writeHarbor } from './harbor.ts'

const [letters] = sampleSpec(3).benchmarks
const spec: RunSpec = {
  ...sampleSpec(3),
  benchmarks: [{ ...letters!, name: 'terminal_tasks', epochs: 1, sampled_items: 3 }, letters!],
}
const run = { spec, head: { ...initialHead(spec), status: 'succeeded' as const, done: 3 }, metrics: {} }
const exported: ExportRun = {
  view: viewRun(run, { cards: [], seen: viewFor(spec, 'owner'), mine: true, demo: false }),
  claims: sampleClaims(run),
  withheld: new Set(),
  key: null,
  openSha256: openNoble,
  service_url: 'https://bench.example',
}

const bytes = new Map<string, Uint8Array>()
const kept = (name: string, kind: ArtifactRef['kind'], text: string): ArtifactRef => {
  const body = new TextEncoder().encode(text)
  const sha256 = createHash('sha256').update(body).digest('hex')
  bytes.set(sha256, body)
  return { name, kind, media_type: 'text/plain', bytes: body.length, sha256 }
}
const artifacts: ExportRun['artifacts'] = {
  async *open(sha256) {
    yield bytes.get(sha256)!
  },
}
const named = rewardEvidence([{ name: 'one', verifier: { exit_code: 0, output: 'an excerpt' } }, { name: '../x' }])
const records: TrialRecord[] = [
  episodeRecord({
    artifacts: [
      kept('recording.cast', 'recording', 'cast'),
      kept('verifier/test-stdout.txt', 'log', 'all of it'),
      kept('artifacts.zip', 'file', 'zip'),
    ],
  }),
  episodeRecord({ ordinal: 1, item_id: '1', evidence: named, artifacts: [kept('steps/one/recording.cast', 'recording', 'cast of one')] }),
  episodeRecord({ ordinal: 2, item_id: '2', calls: 0, evidence: null, outcome: 'failed', score: null, item_metadata: {} }),
]

async function write(change: Partial<ExportRun> = {}, pageSize = 2): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of writeHarbor({ ...exported, ...change }, pagesOf(records, pageSize))) pieces.push(piece)
  return concat(pieces)
}
const root = `bench-${spec.run_id}/`
async function filesOf(change: Partial<ExportRun> = {}): Promise<Record<string, string>> {
  const members = Object.entries(unzipSync(await write(change)))
  return Object.fromEntries(members.map(([path, contents]) => [path.slice(root.length), new TextDecoder().decode(contents)]))
}

test('[HARB24] the episodes of a run are a job folder in a ZIP, with what each left in Harbor’s places', async () => {
  const files = await filesOf({ artifacts })
  const own = (name: string) =>
    Object.keys(files)
      .filter((path) => path.startsWith(`${name}/`))
      .map((path) => path.slice(name.length + 1))
      .toSorted()
  const always = ['config.json', 'lock.json', 'result.json']
  const solved = [
    'agent/recording.cast',
    'agent/trajectory.json',
    'artifacts/artifacts.zip',
    'verifier/reward.json',
    'verifier/test-stdout.txt',
  ]
  expect(own('write-hello__0')).toEqual([...always, ...solved].toSorted())
  const staged = ['steps/one/agent/recording.cast', 'steps/one/verifier/reward.json', 'steps/one/verifier/test-stdout.txt']
  expect(own('write-hello__1')).toEqual([...always, ...staged].toSorted())
  expect(own('write-hello__2')).toEqual(['config.json', 'result.json'])
  expect([files['write-hello__0/verifier/test-stdout.txt'], files['write-hello__1/steps/one/verifier/test-stdout.txt']]).toEqual([
    'all of it',
    'an excerpt',
  ])
  expect(Object.keys(files).filter((path) => !path.startsWith('write-hello__'))).toEqual([
    'config.json',
    'lock.json',
    'result.json',
    'bench-run.json',
  ])
})

test('[HARB24] it is read back as the job it is, whatever the pages, and says whose numbers these are and what is left out', async () => {
  const files = await filesOf()
  const tree = Object.entries(files).map(([path, text]) => ({ path, mode: 0o644, bytes: new TextEncoder().encode(text) }))
  const read = readJobFolder(`bench-${spec.run_id}`, tree)
  expect(read).toMatchObject({
    ok: true,
    problems: [],
    job: { id: spec.run_id, planned: 3, episodes: [{ rewards: { reward: 1 } }, {}, { rewards: null }] },
  })
  expect(JSON.parse(files['bench-run.json']!)).toMatchObject({
    run_id: spec.run_id,
    benchmarks_left_out: ['letters'],
    with_artifacts: false,
    labels: ['sample'],
  })
  expect(Buffer.compare(await write({}, 1), await write({}, 100))).toBe(0)
})

test('[HARB24] a reader who may not have the texts gets none of what trials left, and a run without terminal tasks is none', async () => {
  const files = await filesOf({ artifacts, withheld: new Set(['terminal_tasks']) })
  expect(Object.keys(files).filter((path) => /agent\/|verifier\/|artifacts\//.test(path))).toEqual([])
  expect(Object.values(files).join()).not.toContain('Write hello')
  const { view } = exported
  await expect(write({ view: { ...view, spec: { ...spec, benchmarks: [letters!] } } })).rejects.toThrow(NoEpisodes)
})
