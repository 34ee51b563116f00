import { createHash } from 'node:crypto'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { bytesSource } from '../export/byte-source.ts'
import { openNoble } from '../export/running-sha256.ts'
import { readJobFolder } from './read-job.ts'
import { findJobName, surveyJobZip } from './survey-job-zip.ts'
import { job } from './testing/job.ts'
import { writeJobFolder } from './write-job.ts'
import { jobZipLimits, RefusedZip } from './zip-problem.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const files = Object.fromEntries([...writeJobFolder(job)].map(({ path, text }) => [path, encode(text)]))
const told = encode(JSON.stringify({ steps: [{ source: 'system', message: 'x' }, { source: 'user', message: 'Do it.' }] })) // biome-ignore format: one line
const zip = (more: Record<string, Uint8Array> = {}) => bytesSource(zipSync({ ...files, ...more }))
const survey = (source = zip(), limits = jobZipLimits) => surveyJobZip(source, openNoble, limits)
const reasonOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: unknown) => (error instanceof RefusedZip ? [error.problem.reason, error.problem.entry] : error),
  )

test('[HARB28] of a job in an archive results and what agents were told are held, of all else hashes; it reads as its folder does', async () => {
  const large = new Uint8Array(300_000).map((_, at) => (at * 7) % 253)
  const read = await survey(zip({ 'job/task__1/agent/trajectory.json': told, 'job/task__1/agent/big.log': large, '__MACOSX/job/._x': told, 'job/.DS_Store': told })) // biome-ignore format: one archive
  expect([read.name, read.told('task__1'), read.told('task__2')]).toEqual(['job', 'Do it.', null])
  expect(read.tree.map(({ path }) => path).some((path) => /agent|task__\d\/config/.test(path))).toBe(false)
  expect(read.files.find(({ path }) => path.endsWith('big.log'))).toEqual({
    path: 'task__1/agent/big.log',
    bytes: 300_000,
    sha256: createHash('sha256').update(large).digest('hex'),
  })
  expect(read.files.some(({ path }) => path.includes('DS_Store') || path.includes('MACOSX'))).toBe(false)
  const folder = readJobFolder(
    'job',
    Object.entries(files).map(([path, bytes]) => ({ path: path.slice(4), mode: 0o644, bytes })),
  )
  expect(readJobFolder('job', read.tree)).toEqual(folder)
})

test('[HARB28] the hash of the whole does not depend on the packer, and that of the results on nothing else', async () => {
  const one = await survey()
  const turned = await survey(bytesSource(zipSync(Object.fromEntries(Object.entries(files).toReversed()), { level: 0 })))
  const more = await survey(zip({ 'job/task__1/agent/note.txt': told }))
  expect([turned.contents, turned.results]).toEqual([one.contents, one.results])
  expect([more.contents === one.contents, more.results]).toEqual([false, one.results])
  const loose = await survey(bytesSource(zipSync(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path.slice(4), bytes])))))
  expect([loose.name, loose.contents]).toEqual([null, one.contents])
})

test('[HARB28] no job, several, and more results than can be held are refused by their entry', async () => {
  const other = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path.replace('job/', 'zob/'), bytes]))
  expect(await reasonOf(survey(bytesSource(zipSync({ 'a.txt': told }))))).toEqual(['no-job', 'result.json'])
  expect(await reasonOf(survey(zip(other)))).toEqual(['several-jobs', 'zob/result.json'])
  expect(await reasonOf(survey(zip(), { ...jobZipLimits, text_bytes: 100 }))).toEqual([
    'unpacks-too-large',
    expect.stringContaining('.json'),
  ])
  expect(await reasonOf(survey(zip(), { ...jobZipLimits, all_text_bytes: 5000 }))).toEqual([
    'unpacks-too-large',
    expect.stringContaining('.json'),
  ])
  expect(await reasonOf(survey(zip(), { ...jobZipLimits, entries: 3 }))).toEqual(['too-many-entries', null])
})

test('[HARB28] an archive tells by its directory that it holds a job', async () => {
  expect(await findJobName(zip())).toBe('job')
  expect(await findJobName(bytesSource(zipSync({ 'manifest.json': told, 'items.jsonl': told })))).toBeUndefined()
  expect(await findJobName(bytesSource(zipSync({ 'x/result.json': told })))).toBeUndefined()
  expect(await findJobName(bytesSource(encode('no zip')))).toBeUndefined()
})

test('[HARB431] an archive that expands more than 100 times as a whole is refused by its directory, before a byte of it is unpacked', async () => {
  const zeros = new Uint8Array(70 * 2 ** 20)
  const source = zip({ 'job/task__1/agent/zeros': zeros })
  let read = 0
  const counted = {
    size: source.size,
    read(from: number, to: number) {
      read += to - from
      return source.read(from, to)
    },
  }
  expect(await reasonOf(survey(counted, { ...jobZipLimits, ratio: 2000 }))).toEqual(['expands-too-much', null])
  // The end record and the directory alone: the search for the end reads at most 64 KiB.
  expect(read).toBeLessThan(70_000)
})

test('[TASK430] an archive is unpacked in slices: the source hears of every byte that came out, in small pieces', async () => {
  const pieces: number[] = []
  const large = new Uint8Array(4 * 2 ** 20).map((_, at) => (at * at) % 251)
  const source = { ...zip({ 'job/task__1/agent/big.log': large }), breathe: (bytes: number) => void pieces.push(bytes) }
  await survey(source as never)
  expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(large.length)
  expect(Math.max(...pieces)).toBeLessThanOrEqual(2 ** 19)
})
