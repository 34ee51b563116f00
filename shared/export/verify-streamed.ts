import { lineText, manifestOf } from './bundle.ts'
import { type BundleFiles, type BundleMember, packedAnew } from './bundle-files.ts'
import { bundleLimits } from './bundle-limits.ts'
import { type BundleFile, Manifest, Results } from './bundle-schema.ts'
import { type ByteSource, type Bytes, concat, gather, piecesOf } from './byte-source.ts'
import { toHex } from './bytes.ts'
import { type Contents, openContents } from './contents.ts'
import { readArtifact } from './enclosed-artifact.ts'
import { linesOf, parseLine, textOf } from './lines.ts'
import { BadArchive, type OpenZip } from './read-zip.ts'
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
 * Verifies a bundle of ours. Checks the signature first, then the hash of the archive; if another program
 * packed the archive, it checks the sizes of all files instead. Only then does it unpack items, one by
 * one. Throws `BadArchive`.
 */
export async function verifyStreamed(bundle: BundleFiles, options: VerifyOptions): Promise<VerifyReport> {
  const report = openReport()
  const openSha256 = options.openSha256 ?? openNoble
  const members = membersOf(bundle)
  const signed = await readSigned(bundle, members)
  const manifest = readManifest(signed, report)
  if (!manifest) return report.close()
  report.set({ format: 'bundle', public_key_fingerprint: manifest.public_key_fingerprint })
  checkSignature(signed, manifest, options.trustedKeys, report)
  const asPacked = bundle.packing !== null && (await isPackedAsSigned(bundle.packing, signed, manifest, openSha256))
  report.check(
    'archive',
    asPacked || null,
    asPacked ? 'its directory is rebuilt byte for byte' : 'packed anew: its files are checked one by one',
  )
  if (!asPacked && !(await checkFiles(bundle, members, manifest, openSha256, report))) return report.close()

  const text = await whole(bundle, members.results)
  const results = readResults(text, report)
  if (!results) return report.close()
  const contents = openContents(results.benchmarks.length, openSha256)
  const checks = openResultChecks(results, contents, options, (_, sha256) => readArtifact(bundle, sha256))
  const files: BundleFile[] = [await readItems(bundle, members.items, results, checks, options)]
  const artifacts = await readArtifacts(bundle, inOrder(members.artifacts, contents, asPacked), contents, openSha256)
  for (const member of [members.results, ...members.reserved]) files.push(await hashed(bundle, member, openSha256))
  report.check('structure', true, `${bundle.members.length} members, every byte accounted for`)
  if (checkHash(files, manifest, report)) {
    if (!asPacked) report.check('archive', null, packedAnew)
    checks.close(new TextDecoder().decode(text), report)
    const enclosed = members.artifacts.length > 0
    checkManifest(manifestOf(results, contents, files, manifest.archive, enclosed, manifest.public_key_fingerprint), manifest, report)
    report.check('artifacts', ...artifacts)
  }
  return report.close()
}

type Members = {
  items: BundleMember
  artifacts: readonly BundleMember[]
  results: BundleMember
  reserved: readonly BundleMember[]
  signed: readonly BundleMember[]
}

const isArtifact = ({ name }: BundleMember): boolean => /^artifacts\/[0-9a-f]{64}$/.test(name)

/** The members by what they are. Those of our own archives stand in one order, and what is signed is stored as it is. */
function membersOf({ members, packing }: BundleFiles): Members {
  const named = (name: string): BundleMember => {
    const member = members.find((one) => one.name === name)
    if (!member) throw new BadArchive(`${name} is missing`)
    return member
  }
  const artifacts = members.filter(isArtifact)
  const reserved = members.filter(({ name }) => reservedFiles.includes(name))
  const [items, results, signed] = [named('items.jsonl'), named('results.json'), signedFiles.map(named)]
  const all = [items, ...artifacts, results, ...reserved, ...signed]
  const other = members.find((member) => !all.includes(member))
  if (other) throw new BadArchive(`${other.name} is no file of a bundle`)
  const large = signed.find(({ size }) => size > bundleLimits.whole_bytes)
  if (large) throw new BadArchive(`${large.name} has more than ${bundleLimits.whole_bytes} bytes`)
  if (packing && !packing.zip.members.every(({ name }, index) => name === all[index]?.name))
    throw new BadArchive(`the members must be exactly items.jsonl, artifacts, results.json, ${signedFiles.join(', ')}, in this order`)
  if (packing?.zip.members.slice(-signedFiles.length).some(({ stored }) => !stored))
    throw new BadArchive('what is signed must be stored as it is')
  return { items, artifacts, results, reserved, signed }
}

async function readSigned(bundle: BundleFiles, { signed }: Members): Promise<SignedMembers> {
  const read: [string, Bytes][] = []
  for (const member of signed) read.push([member.name, await bundle.readWhole(member)])
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
async function isPackedAsSigned(
  { source, zip }: { source: ByteSource; zip: OpenZip },
  signed: SignedMembers,
  { archive }: Manifest,
  openSha256: OpenSha256,
): Promise<boolean> {
  const entries = zip.members.map(
    ({ name, offset, stored, crc, packed, size }): ZipEntry => ({ name, at: offset, stored, crc, packed, size }),
  )
  const last = entries.slice(-signedFiles.length)
  const start = last[0]!.at
  const tail = concat([
    ...last.flatMap((entry, index) => [localHeader(entry), signed[signedFiles[index]!] as Bytes]), // as read
    directoryOf(entries, zip.directory),
  ])
  if (archive.bytes !== start || start + tail.length !== source.size || !(await sameAs(source, start, tail))) return false
  const digest = openSha256()
  for await (const piece of piecesOf(source, 0, start)) digest.update(piece)
  return archive.sha256 === toHex(digest.digest())
}

/** Compares the names, sizes and hashes of all files with the manifest, before any file is parsed. */
async function checkFiles(
  bundle: BundleFiles,
  { items, results, reserved }: Members,
  { files }: Manifest,
  openSha256: OpenSha256,
  report: ReportWriter,
): Promise<boolean> {
  const found = [items, results, ...reserved]
  for (const { name, bytes } of files) {
    const size = found.find((one) => one.name === name)?.size
    if (size === undefined) return report.check('hash', false, `${name} is missing, the manifest names it`)
    if (size !== bytes) return report.check('hash', false, `${name} has ${size} bytes, the manifest names ${bytes}`)
  }
  for (const member of found) {
    const told = files.find(({ name }) => name === member.name)
    if (!told) return report.check('hash', false, `${member.name} is there, the manifest does not name it`)
    const { sha256 } = await hashed(bundle, member, openSha256)
    if (sha256 !== told.sha256) return report.check('hash', false, `${member.name} is ${sha256}, the manifest names ${told.sha256}`)
  }
  return true
}

/** Artifacts of an archive that was packed anew, in the order in which the records name them. */
function inOrder(members: readonly BundleMember[], { artifacts }: Contents, asPacked: boolean): readonly BundleMember[] {
  if (asPacked) return members
  const places = new Map([...artifacts.keys()].map((sha256, index) => [`artifacts/${sha256}`, index]))
  return members.toSorted((one, other) => (places.get(one.name) ?? places.size) - (places.get(other.name) ?? places.size))
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
  return report.check('schema', results.success, results.success ? results.data.format : firstIssue(results)) ? results.data : undefined
}

/** Scoring so many anew takes some milliseconds. */
const itemsABreath = 20

async function readItems(
  zip: BundleFiles,
  member: BundleMember,
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
  zip: BundleFiles,
  members: readonly BundleMember[],
  { artifacts }: Contents,
  openSha256: OpenSha256,
): Promise<[ok: boolean, detail: string, partial?: boolean]> {
  if (artifacts.size === 0 && members.length === 0) return [true, 'no trial names any']
  if (members.length === 0) return [true, `${artifacts.size} are named by hash and size only, the bundle was written without them`, true]
  const named = [...artifacts.keys()]
  const odd = oddArtifact(members, named)
  if (odd !== null) return [false, odd]
  for (const [index, member] of members.entries()) {
    const wanted = named[index]!
    if (member.name !== `artifacts/${wanted}`) return [false, `${member.name} stands where the records name artifacts/${wanted}`]
    if (member.size !== artifacts.get(wanted))
      return [false, `${member.name} has ${member.size} bytes, the records name ${artifacts.get(wanted)}`]
    const { name, bytes, sha256 } = await hashed(zip, member, openSha256)
    if (sha256 !== wanted || bytes !== artifacts.get(wanted)) return [false, `${name} holds ${bytes} bytes of ${sha256}`]
  }
  return [true, `${named.length} are the bytes that the records name`]
}

/** Names the first artifact that is missing or that no record names; null if there is none. */
function oddArtifact(members: readonly BundleMember[], named: readonly string[]): string | null {
  const [there, wanted] = [new Set(members.map(({ name }) => name)), new Set(named.map((sha256) => `artifacts/${sha256}`))]
  const count = `${members.length} are there, the records name ${named.length}`
  for (const name of wanted) if (!there.has(name)) return `${name} is missing; ${count}`
  for (const name of there) if (!wanted.has(name)) return `no record names ${name}; ${count}`
  return null
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

async function hashed(zip: BundleFiles, member: BundleMember, openSha256: OpenSha256): Promise<BundleFile> {
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
async function whole(zip: BundleFiles, member: BundleMember): Promise<Bytes> {
  if (member.size > bundleLimits.whole_bytes) throw new BadArchive(`${member.name} has more than ${bundleLimits.whole_bytes} bytes`)
  return gather(zip.read(member), member.size)
}
