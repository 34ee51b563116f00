import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { bundleZip, wholeZip } from './bundle-limits.ts'
import { type Bytes, bytesSource, concat } from './byte-source.ts'
import { toHex } from './bytes.ts'
import { BadArchive, openZip, readExactly } from './read-zip.ts'
import { predecessorMembers as memberNames } from './verify-predecessor.ts'
import { openArchive } from './write-zip.ts'

const folder = join(process.env.BENCH_SHARED ?? join(import.meta.dirname, '../../../shared'), 'golden/hostile_zips')
const absent = !existsSync(folder)
if (absent) console.log(`read-zip.test.ts: ${folder} is not there, the hostile archives are skipped`)
const python = spawnSync('python3', ['--version']).status === 0
if (!python) console.log('read-zip.test.ts: no python3 here, the comparison with its zipfile module is skipped')

type Member = { name: string; bytes: Uint8Array }
const read = async (bytes: Uint8Array, names: readonly string[], limits = wholeZip) =>
  readExactly(await openZip(bytesSource(bytes), limits), names)
/** Packs with another program. */
const pack = (members: readonly Member[]): Uint8Array =>
  zipSync(Object.fromEntries(members.map(({ name, bytes }) => [name, bytes])), { mtime: '1990-01-01' })
const text = (size: number) => new TextEncoder().encode(Array.from({ length: size }, (_, index) => `${(index * 7919) % 1013} `).join(''))
const sample: Member[] = memberNames.map((name, index) => ({ name, bytes: text(10 + index * 30_000) }))

test('[EXP7] what our writer packs is the same on every platform: the digest of a known archive', async () => {
  expect(toHex(sha256(await packWide(sample, memberNames[2])))).toBe('fa25d1e06b150f8be7c6669701db88043233043a0cbd95e26bcc2f0d4fa8eabc')
})

test('[EXP7] any contents come back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 700 }), async (bytes, times) => {
      const long = new Uint8Array(Buffer.concat(Array.from({ length: times }, () => bytes)))
      const archive = pack([{ name: 'a', bytes: long }])
      fc.pre(long.length <= archive.length * 100)
      expect(Buffer.compare((await read(archive, ['a']))[0]!.bytes, long)).toBe(0)
      expect(Buffer.compare(await unpacked(await packWide([{ name: 'a', bytes: long }]), 'a'), long)).toBe(0)
    }),
    draws(60),
  )
})

/** As our writer packs, one member stored. */
async function packWide(members: readonly Member[], storedName = ''): Promise<Uint8Array> {
  const archive = openArchive()
  const pieces: Bytes[] = []
  const once = async function* (bytes: Uint8Array) {
    yield new Uint8Array(bytes)
  }
  for (const { name, bytes } of members) {
    if (name === storedName) pieces.push(...archive.stored(name, new Uint8Array(bytes)))
    else for await (const piece of archive.deflated(name, once(bytes))) pieces.push(piece)
  }
  return concat([...pieces, archive.end()])
}

async function unpacked(archive: Uint8Array, name: string): Promise<Uint8Array> {
  const zip = await openZip(bytesSource(archive), bundleZip)
  const pieces: Bytes[] = []
  for await (const piece of zip.read(zip.members.find((member) => member.name === name)!)) pieces.push(piece)
  return concat(pieces)
}

const archives: [string, () => Promise<Uint8Array>][] = [
  ['of another packer', async () => pack(sample)],
  ['ours', () => packWide(sample, memberNames[2])],
]

test.skipIf(!python).each(archives)('[EXP7] another reader reads the same: %s', async (_name, make) => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-zip-'))
  try {
    writeFileSync(join(directory, 'a.zip'), await make())
    const program =
      'import zipfile,sys,hashlib;z=zipfile.ZipFile(sys.argv[1]);print(z.testzip(),[(n,hashlib.sha256(z.read(n)).hexdigest()) for n in z.namelist()])'
    const { stdout } = spawnSync('python3', ['-c', program, join(directory, 'a.zip')], { encoding: 'utf8' })
    expect(stdout.trim()).toBe(`None [${sample.map(({ name, bytes }) => `('${name}', '${toHex(sha256(bytes))}')`).join(', ')}]`)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

/** Why an archive is refused, read whole with these members and read as a stream. */
const refusal = async (bytes: Uint8Array, members: readonly string[]): Promise<string> => {
  const streamed = await attempt(async () => {
    const zip = await openZip(bytesSource(bytes), bundleZip)
    for (const member of zip.members) for await (const _ of zip.read(member));
  })
  const whole = await attempt(() => read(bytes, members))
  return streamed === 'read' ? whole : `${whole} | ${streamed}`
}
const attempt = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work()
    return 'read'
  } catch (error) {
    return error instanceof BadArchive ? error.message : `threw ${error}`
  }
}

test.skipIf(absent)('[EXP8] every hostile archive of the corpus is refused, whichever members are asked for', async () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.zip'))
  expect(files.length).toBeGreaterThanOrEqual(10)
  const wanted = [
    ['results.json'],
    ['results.json', 'manifest.json'],
    ['results.json', 'RESULTS.json'],
    ['results.json', 'results.json'],
    memberNames,
  ]
  for (const file of files) {
    const bytes = new Uint8Array(readFileSync(join(folder, file)))
    for (const members of wanted) expect([file, await refusal(bytes, members)]).toEqual([file, expect.not.stringMatching(/^(read|threw)/)])
  }
})

type Attack = { bytes: Buffer; directory: number; second: number }
const with16 = (bytes: Buffer, ...changes: [at: number, value: number][]): Buffer => {
  for (const [at, value] of changes) bytes.writeUInt16LE(value, at)
  return bytes
}
const with32 = (bytes: Buffer, ...changes: [at: number, value: number][]): Buffer => {
  for (const [at, value] of changes) bytes.writeUInt32LE(value, at)
  return bytes
}
const join2 = (...parts: (Buffer | string)[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part as string)))
const named = 47

/** The corpus' attacks and more, on an archive of two deflated members `a` and `b`, otherwise flawless. */
const attacks: Record<string, [attack: (archive: Attack) => Buffer, says: RegExp]> = {
  bad_crc: [({ bytes, directory }) => with32(bytes, [14, 1], [directory + 16, 1]), /size or CRC/],
  local_name_differs: [({ bytes }) => with16(bytes, [30, 0x7a7a]), /local header|unpacked/],
  local_size_differs: [({ bytes }) => with32(bytes, [22, 9]), /local header/],
  encrypted: [({ bytes, directory }) => with16(bytes, [6, 1], [directory + 8, 1]), /encrypted/],
  stored: [({ bytes, directory }) => with16(bytes, [8, 0], [directory + 10, 0]), /not deflated/],
  symlink: [({ bytes, directory }) => with32(bytes, [directory + 38, 0xa1ff0000]), /plain file/],
  extra_field: [({ bytes, directory }) => with16(bytes, [directory + 30, 4]), /extra fields/],
  dup_names: [
    ({ bytes, directory, second }) => bytes.fill('a', second + 30, second + 31).fill('a', directory + named + 46, directory + named + 47),
    /same name/,
  ],
  concat: [({ bytes }) => join2(bytes, bytes), /does not fit/],
  prefix_adjusted: [({ bytes, directory }) => join2('junk', with32(bytes, [bytes.length - 6, directory + 4])), /between the members/],
  prefix_unadjusted: [({ bytes }) => join2('junk', bytes), /does not fit/],
  trailing: [({ bytes }) => join2(bytes, 'junk'), /end record/],
  comment: [({ bytes }) => join2(with16(bytes, [bytes.length - 2, 4]), 'junk'), /end record/],
  eocd_in_comment: [({ bytes }) => join2(with16(bytes, [bytes.length - 2, bytes.length]), bytes), /does not fit/],
  overlap: [({ bytes, directory }) => with32(bytes, [directory + named + 42, 0]), /does not start/],
  two_disks: [({ bytes }) => with16(bytes, [bytes.length - 18, 1]), /does not fit/],
}

test('[EXP8] each attack on a deflated archive is refused for its own reason', async () => {
  const flawless = () => Buffer.from(zipSync({ a: [text(50), { mtime: '1990-01-01' }], b: [text(60), { mtime: '1990-01-01' }] }))
  expect(await refusal(flawless(), ['a', 'b'])).toBe('read')
  for (const [name, [attack, says]] of Object.entries(attacks)) {
    const bytes = flawless()
    const archive = { bytes, directory: bytes.readUInt32LE(bytes.length - 6), second: bytes.indexOf('PK\x03\x04', 1) }
    expect([name, await refusal(new Uint8Array(attack(archive)), ['a', 'b'])]).toEqual([name, expect.stringMatching(says)])
  }
})

test('[EXP8] an extra field too short for what it must hold is refused by name', async () => {
  const archive = Buffer.from(await packWide([{ name: 'abcdefghijklm', bytes: text(5) }]))
  const directory = archive.indexOf(Buffer.from('PK\x01\x02'))
  for (let length = 1; length < 13; length++) {
    // As many letters of the name become the extra field.
    const changed = with16(Buffer.from(archive), [directory + 28, 13 - length], [directory + 30, length])
    expect([length, await refusal(new Uint8Array(changed), ['a'])]).toEqual([
      length,
      expect.stringContaining('extra field that does not fit'),
    ])
  }
})

test('[EXP8] a member that the directory does not name is refused', async () => {
  const bytes = Buffer.from(zipSync({ a: text(50), b: text(60) }, { mtime: '1990-01-01' }))
  const directory = bytes.readUInt32LE(bytes.length - 6)
  const end = with16(bytes.subarray(-22), [8, 1], [10, 1])
  end.writeUInt32LE(named, 12)
  const hidden = (from: number) => join2(bytes.subarray(0, directory), bytes.subarray(from, from + named), end)
  expect(await refusal(new Uint8Array(hidden(directory)), ['a'])).toMatch(/between the members and the directory/)
  expect(await refusal(new Uint8Array(hidden(directory + named)), ['b'])).toMatch(/does not start/)
})

test.each(archives)('[EXP8] %s: bytes that no member owns are refused wherever they hide', async (_name, make) => {
  const archive = Buffer.from(await make())
  const junk = Buffer.from('junk')
  const local = archive.indexOf(Buffer.from('PK\x03\x04'), 1)
  const spots = [0, local, archive.indexOf(Buffer.from('PK\x01\x02')), archive.length]
  for (const at of spots) {
    const changed = new Uint8Array(Buffer.concat([archive.subarray(0, at), junk, archive.subarray(at)]))
    expect(await refusal(changed, memberNames)).not.toMatch(/^(read|threw)/)
  }
})

test('[EXP8] members that are missing, or there twice, are refused', async () => {
  await expect(read(pack(sample.slice(1)), memberNames)).rejects.toThrow(/exactly/)
  await expect(read(await packWide([...sample, sample[0]!]), memberNames)).rejects.toThrow(/same name/)
  await expect(read(new Uint8Array(0), memberNames)).rejects.toThrow(BadArchive)
})

test('[EXP8] bytes behind the end of a deflate stream are refused', async () => {
  const bytes = text(50)
  const archive = zipSync({ a: [bytes, { level: 6, mtime: '1990-01-01' }] })
  expect((await read(archive, ['a']))[0]!.bytes).toEqual(bytes)
  const packed = new DataView(archive.buffer, archive.byteOffset).getUint32(18, true)
  const end = 31 + packed
  const padded = new Uint8Array([...archive.subarray(0, end), 0, ...archive.subarray(end)])
  const view = new DataView(padded.buffer)
  view.setUint32(18, packed + 1, true)
  const directory = end + 1
  view.setUint32(directory + 20, packed + 1, true)
  view.setUint32(padded.length - 6, directory, true)
  expect(await refusal(padded, ['a'])).toBe('a has bytes behind its end | a cannot be unpacked')
})

test('[EXP9] a bomb is refused by what it says and by what it does', async () => {
  const bomb = zipSync({ a: new Uint8Array(80 * 2 ** 20) }, { mtime: '1990-01-01' })
  await expect(read(bomb, ['a'])).rejects.toThrow(/expands more than 200 times/)
  const lying = bomb.slice()
  const view = new DataView(lying.buffer)
  view.setUint32(22, 1000, true)
  const directory = view.getUint32(lying.length - 6, true)
  view.setUint32(directory + 24, 1000, true)
  expect(await refusal(lying, ['a'])).toBe('a is larger than it says | a is larger than it says')
  await expect(read(pack(sample), memberNames, { ...wholeZip, out_bytes: 1000 })).rejects.toThrow(/unpacks to more/)
  await expect(read(pack(sample), memberNames, { ...wholeZip, in_bytes: 1000 })).rejects.toThrow(/larger than/)
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`m${index}`, text(1)]))
  await expect(read(zipSync(many, { mtime: '1990-01-01' }), Object.keys(many))).rejects.toThrow(/more than 16/)
})
