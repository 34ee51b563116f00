import { gzipSync } from 'fflate'
import { packTar } from 'modern-tar'
import { expect, test } from 'vitest'
import { card } from '#shared/benchmarks/terminal_bench_2_1/card.ts'
import { manifest } from '#shared/benchmarks/terminal_bench_2_1/manifest.ts'
import type { TaskManifest } from '#shared/episode/task-manifest.ts'
import { TaskRow, taskOf, toTaskRow } from '#shared/episode/task-row.ts'
import { terminalBenchmark } from '#shared/episode/terminal-benchmark.ts'
import { workerOf } from '#shared/episode/worker-of.ts'
import { plainTask, tree } from '#shared/harbor/testing/task-files.ts'
import { openFileServer, openTestEnv, sha256Of } from './loopback-server.ts'
import { openDataset } from './open-dataset.ts'
import { surveyDataset } from './survey-rows.ts'

const revision = 'c'.repeat(40)
const own = { repo: 'acme/tasks', revision }
const filesOf = (name: string) => tree({ ...plainTask, 'instruction.md': `Do ${name}.\n` })
const digestOf = (name: string): string => taskOf(toTaskRow(name, filesOf(name))).digest.slice('sha256:'.length)

/** An archive as GitHub packs a commit, with these tasks and a folder that is none. */
async function archiveOf(names: readonly string[]): Promise<Uint8Array> {
  const plain = names.flatMap((name) =>
    filesOf(name).map(({ path, bytes, mode }) => ({
      header: { name: `tasks-${revision}/tasks/${name}/${path}`, size: bytes.length, mode, type: 'file' as const },
      body: bytes,
    })),
  )
  const other = { header: { name: `tasks-${revision}/tasks/notes/README.md`, size: 2, type: 'file' as const }, body: 'no' }
  return gzipSync(await packTar([...plain, other]))
}

async function open(names: readonly string[], wanted: TaskManifest, sha256?: string) {
  const bytes = await archiveOf(names)
  await using server = await openFileServer({ [`/acme/tasks/tar.gz/${revision}`]: bytes })
  await using place = await openTestEnv(server.origin)
  const path = `tasks-${revision}.tar.gz`
  const file = {
    role: 'test',
    path: `${path}!/tasks`,
    sha256: sha256 ?? sha256Of(bytes),
    rows: 2,
    from: { ...own, host: 'github' as const },
  }
  const identity = { source: 'pinned' as const, ...own, files: [file] }
  const opened = await openDataset({ benchmark: card.name, identity, roles: ['test'] }, place.env)
  if (!opened.ok) return { opened, survey: null, items: [], asked: server.asked, modes: {} }
  const task = terminalBenchmark(card, workerOf, { manifest: () => wanted })
  const profile = card.profiles.find(({ id }) => id === 'builtin')!
  const survey = await surveyDataset(task, profile, opened.value, place.env)
  const items: string[] = []
  const first = TaskRow.parse(await opened.value.rows.test!.read(0))
  const modes = Object.fromEntries(
    first.files.filter(({ path }) => /instruction|test\.sh/.test(path)).map(({ path, mode }) => [path, mode]),
  )
  if (survey.ok) {
    const source = await task.open({ profile, texts: {}, rows: opened.value.rows, survey: survey.value })
    for (let index = 0; index < source.count; index++) items.push((await source.item(index, 0)).source_id ?? '')
  }
  await opened.value.close()
  return { opened, survey, items, asked: server.asked, modes }
}

test('[SCORE282] a folder of tasks is read from the archive of a commit, once fetched, by name, with what may be run', async () => {
  const named = { whole: true, digests: { b: digestOf('b'), a: digestOf('a') } }
  const { opened, items, asked, modes } = await open(['b', 'a'], named)
  expect(asked.map(({ path }) => path)).toEqual([`/acme/tasks/tar.gz/${revision}`])
  expect(items).toEqual(['b', 'a'])
  expect(modes).toEqual({ 'instruction.md': 0o644, 'tests/test.sh': 0o755 })
  expect(opened.ok && opened.value.seen[0]).toMatchObject({ rows: 2, role: 'test' })
  expect(await open(['a'], named, 'd'.repeat(64))).toMatchObject({ opened: { ok: false, failure: { at: 'dataset', reason: 'mismatch' } } })
})

test('[SCORE283] tasks that are missing, too many or of other files are not the benchmark; where others may lie beside them they are left out', async () => {
  const [a, b] = [digestOf('a'), digestOf('b')]
  const refused = async (wanted: TaskManifest) => {
    const { survey } = await open(['a', 'b'], wanted)
    expect(survey).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'mismatch' } })
    return survey?.ok === false ? survey.failure.detail : ''
  }
  expect(await refused({ whole: true, digests: { a, b, c: null } })).toContain('it lacks c')
  expect(await refused({ whole: true, digests: { a } })).toContain('it has besides b')
  expect(await refused({ whole: true, digests: { a: b, b } })).toContain('their files are others in a')
  expect((await open(['a', 'b'], { whole: false, digests: { b: null } })).items).toEqual(['b'])
})

test('[SCORE283] the manifest of Terminal-Bench 2.1 is that of the release, task by task', () => {
  const digests = Object.values(manifest.digests).map(String)
  expect(digests).toHaveLength(89)
  expect(Object.keys(manifest.digests)).toEqual(Object.keys(manifest.digests).toSorted())
  // Another project has taken this sum over the digests that Harbor's own packager gave for all 89 folders.
  expect(sha256Of(digests.toSorted().join(','))).toBe('0fd3dbc55e6d7a6207dc0d93c5e933684b3ec87ac12941de0420b73c08627ee5')
})

test('[SCORE282] an archive that cannot be fetched says what to do', async () => {
  await using server = await openFileServer({})
  await using place = await openTestEnv(server.origin)
  const identity = { source: 'pinned' as const, ...card.data }
  const opened = await openDataset({ benchmark: card.name, identity, roles: ['test'] }, place.env)
  expect(opened).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'unavailable', retryable: false, status: 404 } })
  for (const word of ['GITHUB_ARCHIVE_ENDPOINT', 'BENCH_DATA_DIR', 'sample']) expect(opened.ok ? '' : opened.failure.detail).toContain(word)
})

test('[DATA89] a file of a commit is fetched from where GitHub shows files, once, and checked', async () => {
  const bytes = new TextEncoder().encode('{"a": 1}\n')
  await using server = await openFileServer({ [`/acme/tasks/${revision}/data/a b.jsonl`]: bytes })
  await using place = await openTestEnv(server.origin)
  const openOne = (sha256: string, path = 'data/a b.jsonl') => {
    const file = { role: 'test', path, sha256, rows: 1, from: { ...own, host: 'github-file' as const } }
    return openDataset({ benchmark: 'x', identity: { source: 'pinned', ...own, files: [file] }, roles: ['test'] }, place.env)
  }
  for (const time of [1, 2]) {
    const opened = await openOne(sha256Of(bytes))
    expect([time, opened.ok && (await opened.value.rows.test?.read(0))]).toEqual([time, { a: 1 }])
  }
  expect(server.asked).toHaveLength(1)
  expect(await openOne('0'.repeat(64))).toMatchObject({ ok: false, failure: { reason: 'mismatch' } })
  const missing = await openOne(sha256Of(bytes), 'data/none.jsonl')
  expect(missing).toMatchObject({ failure: { at: 'dataset', reason: 'unavailable', retryable: false, status: 404 } })
  expect(!missing.ok && missing.failure.detail).toContain(`point GITHUB_RAW_ENDPOINT to a reachable mirror`)
})
