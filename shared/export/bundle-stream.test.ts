import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { writeBundle } from './bundle.ts'
import { BundleTooLarge, bundleLimits } from './bundle-limits.ts'
import { type ByteSource, bytesSource, concat } from './byte-source.ts'
import { forge, pack, unpack } from './testing/forge.ts'
import { pagesOf, sampleBundle, sampleClaims, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'

const options = trusting(vectorKey)

/** Texts that no packer makes small. */
function noise(seed: number, length: number): string {
  let state = seed + 1
  let text = ''
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += state.toString(36)
  }
  return text
}

const withText = (record: TrialRecord, text: string): TrialRecord =>
  record.evidence ? { ...record, evidence: { ...record.evidence, reasoning: text } } : record

test('[EXP100] a bundle is written as its reader takes it, and read in small pieces', async () => {
  const large = sampleRun(400, (records) => records.map((record) => withText(record, noise(record.ordinal, 20_000))))
  let taken = 0
  const ahead: number[] = []
  async function* watched(benchmark: string) {
    let given = 0
    for await (const page of pagesOf(large.records, 20)(benchmark)) {
      given += JSON.stringify(page).length
      if (benchmark === 'letters') ahead.push(given / 2 - taken)
      yield page
    }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of writeBundle(sampleClaims(large.run), watched, vectorKey)) {
    taken += piece.length
    pieces.push(piece)
  }
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(65_536)
  // What is read stays some pages ahead of what was taken, however much there is.
  expect([taken > 5e6, Math.max(...ahead) < 2e6]).toEqual([true, true])
  const whole = bytesSource(concat(pieces))
  const asked: number[] = []
  const source: ByteSource = {
    size: whole.size,
    read(from, to) {
      asked.push(to - from)
      return whole.read(from, to)
    },
  }
  expect((await verifyBundle(source, options)).errors).toEqual([])
  expect(Math.max(...asked)).toBeLessThanOrEqual(2 ** 18)
})

test('[EXP101] a trial that no verifier would take is not signed, and signed by others it is refused by name', async () => {
  const text = 'a'.repeat(bundleLimits.line_bytes)
  const large = sampleRun(1, (records) => records.map((record) => (record.ordinal === 0 ? withText(record, text) : record)))
  await expect(sampleBundle(large)).rejects.toThrow(BundleTooLarge)
  const forged = await forge(await sampleBundle(sampleRun(1)), vectorKey, ({ items }) => {
    items[0]!.record = withText(items[0]!.record, text)
  })
  expect((await verifyBundle(forged, options)).errors).toEqual([`structure: a line has more than ${bundleLimits.line_bytes} bytes`])
}, 60_000)

test('[EXP101] bounds of a place with less room are kept, in packed and in unpacked bytes', async () => {
  const bundle = await sampleBundle(sampleRun(3))
  const errors = async (limits: { in_bytes: number; out_bytes: number }) => (await verifyBundle(bundle, { ...options, limits })).errors
  expect(await errors({ in_bytes: bundle.length, out_bytes: 100_000 })).toEqual([])
  expect(await errors({ in_bytes: bundle.length - 1, out_bytes: 100_000 })).toEqual([
    expect.stringContaining('structure: it has more than'),
  ])
  expect(await errors({ in_bytes: bundle.length, out_bytes: 10_000 })).toEqual([expect.stringMatching(/^structure: (it )?unpacks to more/)])
})

test('[EXP104] files with reserved names are allowed where the manifest names their hashes', async () => {
  const bundle = await sampleBundle(sampleRun(1))
  const files = { 'inclusion.json': '{"index":7}', 'attestation.dsse.json': '{"payload":""}' }
  const both = await forge(bundle, vectorKey, () => {}, { files })
  expect((await verifyBundle(both, options)).errors).toEqual([])
  const members = await unpack(both)
  const changed = await pack({ ...members, 'inclusion.json': '{"index":8}' })
  expect((await verifyBundle(changed, options)).hash_match).toBe(false)
  const unnamed = await forge(bundle, vectorKey, () => {}, { files, editManifest: (manifest) => manifest.files.pop() })
  expect((await verifyBundle(unnamed, options)).errors).toEqual([expect.stringMatching(/^hash: attestation.dsse.json/)])
  const stranger = await forge(bundle, vectorKey, () => {}, { files: { 'notes.txt': 'hello' } })
  expect((await verifyBundle(stranger, options)).errors).toEqual(['structure: notes.txt is no file of a bundle'])
})

test('[EXP108] the share of the work that is done grows to the whole', async () => {
  const told: number[] = []
  const bundle = await sampleBundle(sampleRun(300))
  await verifyBundle(bundle, { ...options, onProgress: (done, total) => told.push(done / total) })
  expect(told.length).toBeGreaterThan(5)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect(told.at(-1)).toBeGreaterThan(0.9)
  expect(told.at(-1)).toBeLessThanOrEqual(1)
})
