import { lineText, manifestOf } from './bundle.ts'
import { bundleLimits } from './bundle-limits.ts'
import { type BundleFile, bundleFormats, Manifest, Results } from './bundle-schema.ts'
import { type ByteSource, type Bytes, concat, gather, piecesOf } from './byte-source.ts'
import { toHex } from './bytes.ts'
import { type Contents, openContents } from './contents.ts'
import { readArtifact } from './enclosed-artifact.ts'
import { linesOf, parseLine, textOf } from './lines.ts'
import { BadArchive, type OpenZip, type ZipMember } from './read-zip.ts'
import { type OpenSha256, openNoble } from './running-sha256.ts'
import { checkSignature, firstIssue, parseCanonical, type SignedMembers, scanResults } from './verify-manifest.ts'
import type { VerifyOptions } from './verify-options.ts'
import { openReport, type ReportWriter, type VerifyReport } from './verify-report.ts'
import { checkManifest, openResultChecks, type ResultChecks } from './verify-results.ts'
import { directoryOf, localHeader, type ZipEntry } from './zip-records.ts'

/** Files whose names are kept for later: a bundle may hold them, and only their hashes are looked at. */
export const reservedFiles: readonly string[] = ['inclusion.json', 'attestation.dsse.json']
const signedFiles = ['manifest.json', 'signature.txt', 'public_key.txt'] as const

/**
 * Verifies a bundle of version 3. What is signed comes first, then the hash of everything that is packed: only then anything is unpacked, item
 * by item. Throws `BadArchive`.
 */
export async function verifyStreamed(source: ByteSource, zip: OpenZip, options: VerifyOptions): Promise<VerifyReport> {
  const report = openReport()
  const openSha256 = options.openSha256 ?? openNoble
  const members = membersOf(zip)
  const signed = await readSigned(zip, members)
  const manifest = readManifest(signed, report)
  if (!manifest) return report.close()
  report.set({ format: 'bundle', public_key_fingerprint: manifest.public_key_fingerprint })
  checkSignature(signed, manifest, options.trustedKeys, report)
  if (!(await checkArchive(source, zip, members, signed, manifest, openSha256, report))) return report.close()

  const text = await whole(zip, members.results)
  const results = readResults(text, report)
  if (!results) return report.close()
  const contents = openContents(results.benchmarks.length, openSha256)
  const checks = openResultChecks(results, contents, options, (_, sha256) => readArtifact(zip, sha256))
  const files: BundleFile[] = [await readItems(zip, members.items, results, checks, options)]
  const artifacts = await readArtifacts(zip, members.artifacts, contents, openSha256)
  for (const member of [members.results, ...members.reserved]) files.push(await hashed(zip, member, openSha256))
  report.check('structure', true, `${zip.members.length} members, every byte accounted for`)
  if (checkHash(files, manifest, report)) {
    checks.close(new TextDecoder().decode(text), report)
    const enclosed = members.artifacts.length > 0
    checkManifest(manifestOf(results, contents, files, manifest.archive, enclosed, manifest.public_key_fingerprint), manifest, report)
    report.check('artifacts', ...artifacts)
  }
  return report.close()
}

type Members = {
  items: ZipMember
  artifacts: readonly ZipMember[]
  results: ZipMember
  reserved: readonly ZipMember[]
  signed: readonly ZipMember[]
}

/** The members in their one order. */
function membersOf({ members }: OpenZip): Members {
  const isArtifact = ({ name }: ZipMember) => /^artifacts\/[0-9a-f]{64}$/.test(name)
  const artifacts = members.filter(isArtifact)
  const reserved = members.filter(({ name }) => reservedFiles.includes(name))
  const names = ['items.jsonl', ...artifacts.map(({ name }) => name), 'results.json', ...reserved.map(({ name }) => name), ...signedFiles]
  if (names.length !== members.length || !members.every(({ name }, index) => name === names[index]))
    throw new BadArchive(`the members must be exactly items.jsonl, artifacts, results.json, ${signedFiles.join(', ')}, in this order`)
  const signed = members.slice(-signedFiles.length)
  const results = members[artifacts.length + 1]!
  if (signed.some(({ stored, size }) => !stored || size > bundleLimits.whole_bytes))
    throw new BadArchive('what is signed must be stored as it is')
  return { items: members[0]!, artifacts, results, reserved, signed }
}

async function readSigned(zip: OpenZip, { signed }: Members): Promise<SignedMembers> {
  const read: [string, Bytes][] = []
  for (const member of signed) read.push([member.name, await zip.readWhole(member)])
  return Object.fromEntries(read) as SignedMembers // `membersOf` gives exactly these
}

function readManifest(signed: SignedMembers, report: ReportWriter): Manifest | undefined {
  const parsed = parseCanonical(signed['manifest.json'])
  const manifest = Manifest.safeParse(parsed)
  const why = parsed === undefined ? 'it is not canonical JSON' : firstIssue(manifest)
  const told = manifest.success ? `run ${manifest.data.run_id}, signed ${manifest.data.generated_at}` : why
  report.check('manifest', manifest.success, told)
  return manifest.data
}

/** Whether the archive is the one the manifest names: all in front of it by its hash, itself and all behind it rebuilt byte for byte. */
async function checkArchive(
  source: ByteSource,
  zip: OpenZip,
  { signed: members }: Members,
  signed: SignedMembers,
  { archive }: Manifest,
  openSha256: OpenSha256,
  report: ReportWriter,
): Promise<boolean> {
  const start = members[0]!.offset
  const entries = zip.members.map(
    ({ name, offset, stored, crc, packed, size }): ZipEntry => ({ name, at: offset, stored, crc, packed, size }),
  )
  const tail = concat([
    ...entries.slice(-signedFiles.length).flatMap((entry, index) => [localHeader(entry), signed[signedFiles[index]!] as Bytes]), // as read
    directoryOf(entries, zip.directory),
  ])
  const same = start + tail.length === source.size && (await sameAs(source, start, tail))
  const digest = openSha256()
  for await (const piece of piecesOf(source, 0, start)) digest.update(piece)
  const sha256 = toHex(digest.digest())
  const named = archive.bytes === start && archive.sha256 === sha256
  report.check('archive', same, same ? 'its directory is rebuilt byte for byte' : 'rebuilding its directory gives other bytes')
  if (named) return true
  const hash = `what is packed before the manifest are ${start} bytes of ${sha256}, the manifest names ${archive.bytes} of ${archive.sha256}`
  return report.check('hash', false, hash)
}

async function sameAs(source: ByteSource, start: number, expected: Bytes): Promise<boolean> {
  let at = 0
  for await (const piece of piecesOf(source, start, source.size)) {
    const from = at
    if (!piece.every((byte, index) => byte === expected[from + index])) return false
    at += piece.length
  }
  return true
}

function readResults(text: Bytes, report: ReportWriter): Results | undefined {
  const scanned = scanResults(text, false, report)
  if (!scanned) return undefined
  const results = Results.safeParse(JSON.parse(new TextDecoder().decode(text)))
  const known = results.success && results.data.format === bundleFormats[3]
  return report.check('schema', known, results.success ? results.data.format : firstIssue(results)) ? results.data : undefined
}

/** Scoring so many anew takes some milliseconds. */
const itemsABreath = 20

async function readItems(
  zip: OpenZip,
  member: ZipMember,
  results: Results,
  checks: ResultChecks,
  { openSha256 = openNoble, breathe }: Pick<VerifyOptions, 'openSha256' | 'breathe'>,
): Promise<BundleFile> {
  const places = new Map<string, number>(results.benchmarks.map(({ benchmark_name }, index) => [benchmark_name, index]))
  const digest = openSha256()
  const heard = hearing(zip.read(member), (piece) => digest.update(piece))
  let items = 0
  for await (const line of linesOf(heard, bundleLimits.line_bytes)) {
    const text = textOf(line)
    const item = parseLine(text)
    if (typeof item === 'string') checks.odd(item)
    else await checks.add(places.get(item.record.benchmark) ?? -1, item, line, lineText(item) === text)
    if (++items % itemsABreath === 0) await breathe?.()
  }
  return { name: member.name, bytes: member.size, sha256: toHex(digest.digest()) }
}

/** Whether the archive's artifacts are the bytes that the records name, in the order in which they name them, all or none. */
async function readArtifacts(
  zip: OpenZip,
  members: readonly ZipMember[],
  { artifacts }: Contents,
  openSha256: OpenSha256,
): Promise<[ok: boolean, detail: string, partial?: boolean]> {
  if (artifacts.size === 0 && members.length === 0) return [true, 'no trial names any']
  if (members.length === 0) return [true, `${artifacts.size} are named by hash and size only, the bundle was written without them`, true]
  const named = [...artifacts.keys()]
  if (members.length !== named.length) return [false, `${members.length} are there, the records name ${named.length}`]
  for (const [index, member] of members.entries()) {
    const wanted = named[index]!
    const { name, bytes, sha256 } = await hashed(zip, member, openSha256)
    if (name !== `artifacts/${wanted}`) return [false, `${name} stands where the records name artifacts/${wanted}`]
    if (sha256 !== wanted || bytes !== artifacts.get(wanted)) return [false, `${name} holds ${bytes} bytes of ${sha256}`]
  }
  return [true, `${named.length} are the bytes that the records name`]
}

/** Whether every file is the one the manifest names. */
function checkHash(found: readonly BundleFile[], { files, results_sha256 }: Manifest, report: ReportWriter): boolean {
  const bad = found.find(
    ({ name, bytes, sha256 }) => !files.some((told) => told.name === name && told.bytes === bytes && told.sha256 === sha256),
  )
  const results = found.find(({ name }) => name === 'results.json')!
  const why = bad
    ? `${bad.name} has ${bad.bytes} bytes of ${bad.sha256}, the manifest names others`
    : `the results are ${results.sha256}, the manifest names ${results_sha256}`
  const ok = !bad && found.length === files.length && results.sha256 === results_sha256
  return report.check('hash', ok, ok ? `${files.length} files, each the bytes that the manifest names` : why)
}

async function hashed(zip: OpenZip, member: ZipMember, openSha256: OpenSha256): Promise<BundleFile> {
  const digest = openSha256()
  for await (const piece of zip.read(member)) digest.update(piece)
  return { name: member.name, bytes: member.size, sha256: toHex(digest.digest()) }
}

async function* hearing(pieces: AsyncIterable<Bytes>, hear: (piece: Bytes) => void): AsyncGenerator<Bytes> {
  for await (const piece of pieces) {
    hear(piece)
    yield piece
  }
}

/** A member in one piece, of at most so many bytes. */
async function whole(zip: OpenZip, member: ZipMember): Promise<Bytes> {
  if (member.size > bundleLimits.whole_bytes) throw new BadArchive(`${member.name} has more than ${bundleLimits.whole_bytes} bytes`)
  return gather(zip.read(member), member.size)
}
