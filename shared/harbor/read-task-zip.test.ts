import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { deflateSync, type Zippable, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { bytesSource, concat } from '../export/byte-source.ts'
import { crc32 } from '../export/crc32.ts'
import { draws } from '../testing/draws.ts'
import { loadTask } from './load-task.ts'
import { readTaskZip, surveyTaskZip } from './read-task-zip.ts'
import { packTask } from './testing/pack-task.ts'
import { plainTask, tree } from './testing/task-files.ts'
import { type TaskZipLimits, taskZipLimits, type ZipProblemReason } from './zip-problem.ts'

const utf8 = new TextEncoder()
const toml = { 'task.toml': utf8.encode('version = "1.0"\n') }
const zip = (files: Zippable) => zipSync(files, { level: 6 })
const unix = (mode: number) => ({ os: 3, attrs: mode * 0x10000 })
const limited = (limits: Partial<TaskZipLimits>) => ({ ...taskZipLimits, ...limits })

/** What both ways of reading say, which must be the same: reason and entry, or the paths. */
async function outcome(bytes: Uint8Array, limits = taskZipLimits): Promise<unknown> {
  const [whole, surveyed] = [await readTaskZip(bytesSource(bytes), limits), await surveyTaskZip(bytesSource(bytes), limits)]
  const told = [whole, surveyed].map((read) => (read.ok ? read.files.map(({ path }) => path) : [read.problem.reason, read.problem.entry]))
  expect(told[1]).toEqual(told[0])
  return told[0]
}

test('[HARB10] a task is read from the root of an archive, or from one or two folders, with modes and without what macOS adds', async () => {
  const files: Zippable = {
    'task.toml': toml['task.toml'],
    'tests/test.sh': [utf8.encode('x'), unix(0o100755)],
    'tests/': new Uint8Array(),
    'é.txt': utf8.encode('é'),
  }
  const at = (folder: string): Zippable => Object.fromEntries(Object.entries(files).map(([path, file]) => [folder + path, file]))
  for (const [folder, name] of [
    ['', null],
    ['task/', 'task'],
    ['all/task/', 'task'],
  ] as const) {
    const read = await readTaskZip(
      bytesSource(zip({ ...at(folder), '__MACOSX/._task.toml': utf8.encode('m'), '__MACOSX/task.toml': utf8.encode('m') })),
    )
    if (!read.ok) throw new Error(read.problem.text)
    expect(read.folder).toBe(name)
    expect(read.files.map(({ path, mode }) => [path, mode])).toEqual([
      ['task.toml', 0o644],
      ['tests/test.sh', 0o755],
      ['é.txt', 0o644],
    ])
    expect(read.files.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(['version = "1.0"\n', 'x', 'é'])
  }
  expect(await outcome(zip({ 'a/b/c/task.toml': toml['task.toml'] }))).toEqual(['no-task', 'task.toml'])
  expect(await outcome(zip({ 'a/task.toml': toml['task.toml'], 'b/task.toml': toml['task.toml'] }))).toEqual([
    'several-tasks',
    'b/task.toml',
  ])
  expect(await outcome(zip({ 'a/task.toml': toml['task.toml'], 'a/tests/task.toml': toml['task.toml'] }))).toEqual([
    'task.toml',
    'tests/task.toml',
  ])
})

const names: [ZipProblemReason, string][] = [
  ['unsafe-name', '../x'],
  ['unsafe-name', 'a/../../x'],
  ['unsafe-name', '/etc/passwd'],
  ['unsafe-name', 'C:/x'],
  ['unsafe-name', 'c:x'],
  ['unsafe-name', 'a\\b'],
  ['unsafe-name', '\\\\server\\x'],
  ['unsafe-name', 'a//b'],
  ['unsafe-name', './a'],
  ['unsafe-name', 'a/.'],
  ['unsafe-name', 'a/b. '],
  ['unsafe-name', 'nul'],
  ['duplicate-name', 'TASK.TOML'],
  ['duplicate-name', 'task.toml/x'],
]
test.each(names)('[HARB11] a name that could mean another place or file is refused by name: %s %s', async (reason, name) => {
  expect(await outcome(zip({ ...toml, [name]: utf8.encode('x') }))).toEqual([reason, name])
})

test('[HARB11] a name that leads out is told as such', async () => {
  const read = await readTaskZip(bytesSource(zip({ ...toml, 'a/../../x': utf8.encode('x') })))
  expect(read).toMatchObject({ ok: false, problem: { entry: 'a/../../x', text: 'it leads out of the archive with ..' } })
})

test('[HARB11] names are UTF-8 without control characters, of a length, and one in every form of Unicode', async () => {
  const bad = zip({ ...toml, aaaaa: utf8.encode('x') })
  const patched = (name: number[]) => replaced(bad, utf8.encode('aaaaa'), Uint8Array.from(name))
  expect(await outcome(patched([0x61, 0x61, 0xff, 0x61, 0x61]))).toEqual(['bad-encoding', 'aa?aa'])
  expect(await outcome(patched([0x61, 0x61, 0, 0x61, 0x61]))).toEqual(['unsafe-name', 'aa?aa'])
  expect(await outcome(zip({ ...toml, 'x/é': utf8.encode('1'), 'x/e\u0301': utf8.encode('2') }))).toEqual(['duplicate-name', 'x/e\u0301'])
  expect(await outcome(zip({ ...toml, 'x/a': utf8.encode('1'), 'X/b': utf8.encode('2') }))).toEqual(['duplicate-name', 'X/b'])
  for (const long of ['n'.repeat(256), 'a/'.repeat(40), 'abcdefgh/'.repeat(120)]) {
    expect(await outcome(zip({ ...toml, [`${long}z`]: utf8.encode('x') }))).toEqual(['long-name', expect.stringMatching(/…$/)])
  }
})

const kinds: [ZipProblemReason, number][] = [['link', 0o120777], ['special-file', 0o060644], ['special-file', 0o010644], ['special-file', 0o104755], ['special-file', 0o040755]] // biome-ignore format: one list
test.each(kinds)('[HARB11] an entry that is no plain file is refused: %s %d', async (reason, mode) => {
  expect(await outcome(zip({ ...toml, odd: [utf8.encode('/etc/passwd'), unix(mode)] }))).toEqual([reason, 'odd'])
})

/** Every occurrence replaced by as many bytes. */
function replaced(bytes: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  for (let at = 0; at + from.length <= copy.length; at++) if (from.every((byte, index) => copy[at + index] === byte)) copy.set(to, at)
  return copy
}

/** Sets numbers in the directory's entry of the last file, and in its local header where `both`. */
function patched(
  bytes: Uint8Array,
  fields: readonly (readonly [offset: number, value: number, size: 1 | 2 | 4, both?: number])[],
): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const view = new DataView(copy.buffer)
  const directory = findLast(copy, [0x50, 0x4b, 1, 2])
  const local = view.getUint32(directory + 42, true)
  const set = (at: number, value: number, size: number) =>
    size === 1 ? view.setUint8(at, value) : size === 2 ? view.setUint16(at, value, true) : view.setUint32(at, value, true)
  for (const [offset, value, size, both] of fields) {
    set(directory + offset, value, size)
    if (both !== undefined) set(local + both, value, size)
  }
  return copy
}

function findLast(bytes: Uint8Array, mark: readonly number[]): number {
  for (let at = bytes.length - mark.length; at >= 0; at--) if (mark.every((byte, index) => bytes[at + index] === byte)) return at
  throw new Error('no such record')
}

test('[HARB11] what is encrypted or packed in another way is refused by name', async () => {
  const plain = zip({ ...toml, secret: utf8.encode('abc') })
  expect(await outcome(patched(plain, [[8, 1, 2, 6]]))).toEqual(['encrypted', 'secret'])
  expect(await outcome(patched(plain, [[10, 99, 2, 8]]))).toEqual(['encrypted', 'secret'])
  expect(await outcome(patched(plain, [[10, 12, 2, 8]]))).toEqual(['unsupported', 'secret'])
  expect(await outcome(patched(plain, [[8, 0x20, 2, 6]]))).toEqual(['unsupported', 'secret'])
})

test.each([400, 400_000])('[HARB11] sizes that lie are found out, in headers and in the bytes themselves: %d bytes', async (size) => {
  const content = utf8.encode(Array.from({ length: size / 4 }, (_, at) => `${(at * 7919) % 900}abc`.slice(0, 4)).join(''))
  const plain = zip({ ...toml, liar: content })
  expect(await outcome(patched(plain, [[24, size - 1, 4]]))).toEqual(['ambiguous', 'liar'])
  expect(await outcome(patched(plain, [[24, size - 1, 4, 22]]))).toEqual(['damaged', 'liar'])
  expect(await outcome(patched(plain, [[24, size + 1, 4, 22]]))).toEqual(['damaged', 'liar'])
  expect(await outcome(patched(plain, [[16, 1, 4, 14]]))).toEqual(['damaged', 'liar'])
  expect(await outcome(patched(plain, [[20, 3, 4, 18]]))).toEqual(['ambiguous', 'liar'])
  expect(await outcome(patched(plain, [[42, 0, 4]]))).toEqual(['ambiguous', expect.any(String)])
})

test('[HARB11] bytes behind the end of packed contents are found, in small entries and large ones', async () => {
  for (const size of [400, 400_000]) {
    const packed = concat([deflateSync(utf8.encode('abcdefgh'.repeat(size / 8))), Uint8Array.of(0)])
    const hidden = zip({ ...toml, odd: [packed, { level: 0 }] })
    const crc = crc32(utf8.encode('abcdefgh'.repeat(size / 8)))
    const fields = [[10, 8, 2, 8], [24, size, 4, 22], [16, crc, 4, 14]] as const // biome-ignore format: one list
    expect(await outcome(patched(hidden, fields))).toEqual(['damaged', 'odd'])
  }
})

test('[HARB11] bombs are refused from what the directory says, and from what comes out', async () => {
  const zeros = new Uint8Array(3 * 2 ** 20)
  expect(await outcome(zip({ ...toml, zeros }))).toEqual(['expands-too-much', 'zeros'])
  expect(await outcome(patched(zip({ ...toml, zeros }), [[24, 10, 4, 22]]))).toEqual(['damaged', 'zeros'])
  expect(await outcome(zip({ ...toml, a: new Uint8Array(600), b: new Uint8Array(600) }), limited({ unpacked_bytes: 1000 }))).toEqual([
    'unpacks-too-large',
    null,
  ])
  expect(await outcome(zip(toml), limited({ packed_bytes: 100 }))).toEqual(['too-large', null])
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, new Uint8Array()]))
  expect(await outcome(zip({ ...toml, ...many }), limited({ entries: 30 }))).toEqual(['too-many-entries', null])
  expect(await outcome(zip({ ...toml, inner: zip({ zeros }) }))).toEqual(['task.toml', 'inner'])
})

test('[HARB11] bytes that belong to nothing are refused wherever they stand', async () => {
  const plain = zip(toml)
  expect(await outcome(concat([Uint8Array.of(1), plain]))).toEqual(['ambiguous', null])
  expect(await outcome(concat([plain, Uint8Array.of(1)]))).toEqual(['ambiguous', null])
  expect(await outcome(concat([plain, plain]))).toEqual(['ambiguous', null])
  expect(await outcome(shifted(plain, 5))).toEqual(['ambiguous', 'task.toml'])
  expect(await outcome(withSecondEnd(plain))).toEqual(['ambiguous', null])
  expect(await outcome(utf8.encode('not a zip, but long enough to be one'))).toEqual(['not-a-zip', null])
  expect(await outcome(new Uint8Array())).toEqual(['not-a-zip', null])
})

/** Bytes in front of an archive of one file, with every place moved by as many. */
function shifted(bytes: Uint8Array, by: number): Uint8Array {
  const moved = concat([new Uint8Array(by), bytes])
  const view = new DataView(moved.buffer)
  const directory = findLast(moved, [0x50, 0x4b, 1, 2])
  view.setUint32(directory + 42, by, true)
  view.setUint32(moved.length - 6, directory, true)
  return moved
}

/** A comment that is the end of an archive without files. */
function withSecondEnd(bytes: Uint8Array): Uint8Array {
  const whole = concat([bytes, bytes.subarray(-22)])
  const view = new DataView(whole.buffer)
  view.setUint16(bytes.length - 2, 22, true)
  for (const at of [8, 10]) view.setUint16(bytes.length + at, 0, true)
  view.setUint32(bytes.length + 12, 0, true)
  view.setUint32(bytes.length + 16, bytes.length, true)
  return whole
}

const folder = join(process.env.BENCH_SHARED ?? join(import.meta.dirname, '../../../shared'), 'golden/hostile_zips')
const asTask = (bytes: Uint8Array) =>
  ['ta/task.toml', 'TA/task.toml'].reduce(
    (all, name, at) => replaced(all, utf8.encode(at === 0 ? 'results.json' : 'RESULTS.json'), utf8.encode(name)),
    bytes,
  )

test.skipIf(!existsSync(folder))('[HARB11] every hostile archive of the corpus is refused, also as one with a task', async () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.zip'))
  expect(files.length).toBeGreaterThanOrEqual(10)
  const reasons = await Promise.all(files.map(async (file) => [file, await outcome(asTask(readFileSync(join(folder, file))))]))
  expect(Object.fromEntries(reasons)).toEqual({
    'abs.zip': ['unsafe-name', '/ta/task.toml'],
    'bad_crc.zip': ['damaged', 'ta/task.toml'],
    'case_names.zip': ['duplicate-name', 'TA/task.toml'],
    'concat.zip': ['ambiguous', null],
    'dup_names.zip': ['duplicate-name', 'ta/task.toml'],
    'eocd_in_comment.zip': ['ambiguous', null],
    'local_name_differs.zip': ['ambiguous', 'ta/task.toml'],
    'overlap.zip': ['ambiguous', expect.anything()],
    'prefix_unadjusted.zip': ['ambiguous', null],
    'trailing.zip': ['ambiguous', null],
  })
})

test('[HARB11] any bytes, and any archive with some bytes changed, give files or one problem', async () => {
  const plain = zip({ ...toml, 'a/b': utf8.encode('abc '.repeat(50)), c: [utf8.encode('x'), unix(0o100755)] })
  const mutated = fc
    .array(fc.tuple(fc.nat({ max: plain.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      const copy = Uint8Array.from(plain)
      for (const [at, byte] of changes) copy[at] = byte
      return copy
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), async (bytes) => void (await outcome(bytes))),
    draws(400),
  )
})

test('[HARB12] a survey keeps the texts that a task is known by, the beginning of its scripts and nothing else, and hashes all', async () => {
  const script = `#!/bin/bash\r\n${'x'.repeat(100_000)}`
  const files = { ...plainTask, 'environment/big.bin': 'x'.repeat(100_000), 'tests/test.sh': script }
  const archive = await packTask(tree(files))
  const surveyed = await surveyTaskZip(bytesSource(archive))
  if (!surveyed.ok) throw new Error(surveyed.problem.text)
  const kept = surveyed.files.filter(({ bytes }) => bytes.length > 0)
  expect([kept.map(({ path }) => path), kept[3]?.bytes.length]).toEqual([
    ['environment/Dockerfile', 'instruction.md', 'task.toml', 'tests/test.sh'],
    4096,
  ])
  const [whole, known] = [loadTask('t', tree(files)), loadTask('t', surveyed.files, surveyed.hashOf)]
  if (!whole.ok || !known.ok) throw new Error('no task')
  expect([known.task.checksum, known.task.digest]).toEqual([whole.task.checksum, whole.task.digest])
  expect([known.task.script_warnings, whole.task.script_warnings.length]).toEqual([whole.task.script_warnings, 1])
  expect(await surveyTaskZip(bytesSource(archive), limited({ text_bytes: 13 }))).toMatchObject({
    ok: false,
    problem: { reason: 'unpacks-too-large', entry: 'instruction.md' },
  })
  expect(await surveyTaskZip(bytesSource(archive), limited({ all_text_bytes: 30 }))).toMatchObject({
    ok: false,
    problem: { entry: 'task.toml' },
  })
})
