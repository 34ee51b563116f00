import { sha256 } from '@noble/hashes/sha2.js'
import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { type ArtifactsPort, IncompleteRecord, writeBundle } from './bundle.ts'
import type { Manifest } from './bundle-schema.ts'
import { toHex } from './bytes.ts'
import { withoutText } from './export-item.ts'
import { forge, unpack } from './testing/forge.ts'
import { pagesOf, sampleBundle, sampleClaims, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'

const options = trusting(vectorKey)
const encode = (text: string) => new TextEncoder().encode(text)
const texts = ['a log of a trial\n'.repeat(500), 'what the model wrote', '']
const hashOf = (text: string) => toHex(sha256(encode(text)))
const ref = (text: string) => ({
  name: `${text.length}.txt`,
  kind: 'log' as const,
  media_type: 'text/plain',
  bytes: text.length,
  sha256: hashOf(text),
})

/** The first trial leaves all three files, the second and the third the first of them again. */
const withFiles = (record: TrialRecord): TrialRecord =>
  record.ordinal > 2 ? record : { ...record, artifacts: (record.ordinal === 0 ? texts : texts.slice(0, 1)).map(ref) }
const sample = sampleRun(3, (records) => records.map(withFiles))

const asked: string[] = []
const kept: ArtifactsPort = {
  async *open(hash) {
    asked.push(hash)
    const bytes = encode(texts.find((text) => hashOf(text) === hash)!)
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.slice(at, at + 1000)
  },
}
const names = texts.map((text) => `artifacts/${hashOf(text)}`)
const found = async (bundle: Uint8Array) => {
  const report = await verifyBundle(bundle, options)
  const { ok, detail, partial } = report.checks.find(({ name }) => name === 'artifacts')!
  return { valid: report.valid, ok, detail, partial }
}

test('[EXP103] artifacts are enclosed once each, as first named, and are checked for the bytes that the records name', async () => {
  const bundle = await sampleBundle(sample, vectorKey, 3, { artifacts: kept })
  expect(asked.splice(0)).toEqual(texts.map(hashOf))
  const members = await unpack(bundle)
  expect(Object.keys(members).slice(0, 4)).toEqual(['items.jsonl', ...names])
  expect(texts.map((text) => members[`artifacts/${hashOf(text)}`])).toEqual(texts)
  const { artifacts } = JSON.parse(members['manifest.json']!) as Manifest
  expect(artifacts).toEqual({ count: 3, bytes: texts.join('').length, enclosed: 3 })
  expect(await found(bundle)).toEqual({ valid: true, ok: true, detail: '3 are the bytes that the records name', partial: undefined })
})

test('[EXP103] a bundle without them names them by hash and size, and verification says so', async () => {
  const bundle = await sampleBundle(sample)
  const { artifacts } = JSON.parse((await unpack(bundle))['manifest.json']!) as Manifest
  expect(artifacts).toEqual({ count: 3, bytes: texts.join('').length, enclosed: 0 })
  const detail = '3 are named by hash and size only, the bundle was written without them'
  expect(await found(bundle)).toEqual({ valid: true, ok: true, detail, partial: true })
})

test('[EXP103] other bytes, another order, one too few or too many are found, though the signer signed them', async () => {
  const bundle = await sampleBundle(sample)
  const files = Object.fromEntries(names.map((name, index) => [name, texts[index]!]))
  const forged = (changed: Record<string, string>) => forge(bundle, vectorKey, () => {}, { files: changed }).then(found)
  expect(await forged(files)).toMatchObject({ valid: true, ok: true })
  const [first, second, third] = names as [string, string, string]
  const extra = `artifacts/${hashOf('more')}`
  const changes: [Record<string, string>, string][] = [
    [{ ...files, [second]: 'what nobody wrote' }, 'has 17 bytes, the records name'],
    [{ [second]: texts[1]!, [first]: texts[0]!, [third]: texts[2]! }, 'stands where the records name'],
    [{ [first]: texts[0]!, [second]: texts[1]! }, '2 are there, the records name 3'],
    [{ ...files, [extra]: 'more' }, '4 are there, the records name 3'],
  ]
  for (const [changed, detail] of changes)
    expect(await forged(changed)).toMatchObject({ valid: false, ok: false, detail: expect.stringContaining(detail) })
  const otherSize = await forge(bundle, vectorKey, ({ items }) => {
    items[1]!.record = { ...items[1]!.record, artifacts: [{ ...ref(texts[0]!), bytes: 1 }] }
  })
  expect((await verifyBundle(otherSize, options)).errors.join()).toContain('is named with 8500 and with 1 bytes')
})

test('[EXP103] nothing is signed where the store gives other bytes than a record names, or none', async () => {
  const wrong: ArtifactsPort = {
    async *open() {
      yield encode('something else')
    },
  }
  await expect(sampleBundle(sample, vectorKey, 3, { artifacts: wrong })).rejects.toThrow(IncompleteRecord)
  const away: ArtifactsPort = {
    // biome-ignore lint/correctness/useYield: a store that is away gives nothing
    async *open() {
      throw new TypeError('the store is away')
    },
  }
  await expect(sampleBundle(sample, vectorKey, 3, { artifacts: away })).rejects.toThrow('the store is away')
})

test('[EXP103] an artifact of 60 MB passes in small pieces', async () => {
  const piece = encode('0123456789abcdef'.repeat(65_536))
  const digest = sha256.create()
  for (let index = 0; index < 60; index++) digest.update(piece)
  const large = { ...ref(''), bytes: 60 * piece.length, sha256: toHex(digest.digest()) }
  const run = sampleRun(1, (records) => records.map((record) => (record.ordinal === 0 ? { ...record, artifacts: [large] } : record)))
  const store: ArtifactsPort = {
    async *open() {
      for (let index = 0; index < 60; index++) yield piece
    },
  }
  const pieces: Uint8Array[] = []
  for await (const one of writeBundle(sampleClaims(run.run), pagesOf(run.records), vectorKey, { artifacts: store })) pieces.push(one)
  expect(Math.max(...pieces.map((one) => one.length))).toBeLessThanOrEqual(65_536)
  expect(await found(new Uint8Array(Buffer.concat(pieces)))).toMatchObject({ valid: true, ok: true })
}, 60_000)

test('[EXP103] files of a withheld trial are not even named', () => {
  expect(withoutText(sample.records[0]!).artifacts ?? []).toEqual([])
})
