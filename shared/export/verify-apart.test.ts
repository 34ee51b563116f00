import { sha256 } from '@noble/hashes/sha2.js'
import { expect, test } from 'vitest'
import { type Evidence, headOf } from '../contract/evidence/evidence.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { ArtifactsPort } from './bundle.ts'
import { bytesSource } from './byte-source.ts'
import { toHex } from './bytes.ts'
import { readRecords } from './read-records.ts'
import { forge, type Opened } from './testing/forge.ts'
import { sampleBundle, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'

const options = trusting(vectorKey)
const textOf = (evidence: unknown) => JSON.stringify(evidence)
const hashOf = (text: string) => toHex(sha256(new TextEncoder().encode(text)))

/** A record of which only the beginning stays, with the name of the file that `text` is. */
const cut = (record: TrialRecord, text: string): TrialRecord => ({
  ...record,
  evidence: headOf(record.evidence!, 10),
  flags: [...record.flags, 'answer_cut'],
  artifacts: [
    {
      ...{ name: 'evidence.json', kind: 'file', media_type: 'application/json' },
      ...{ bytes: new TextEncoder().encode(text).length, sha256: hashOf(text) },
    },
  ],
})
const whole = sampleRun(3).records[0]!.evidence as Evidence
/** The first trial's answer lies apart; 6 of 7 trials have a score. */
const sample = sampleRun(3, ([first, ...rest]) => [cut(first!, textOf(whole)), ...rest])
const store: ArtifactsPort = {
  async *open() {
    yield new TextEncoder().encode(textOf(whole))
  },
}
const scores = async (bundle: Uint8Array) => {
  const report = await verifyBundle(bundle, options)
  const { ok, detail, partial } = report.checks.find(({ name }) => name === 'scores')!
  return { valid: report.valid, rescored: report.rescored, ok, detail, partial }
}

test('[EXP122] an answer that lies apart is scored from the artifact that the bundle encloses', async () => {
  const bundle = await sampleBundle(sample, vectorKey, 3, { artifacts: store })
  expect(await scores(bundle)).toMatchObject({
    valid: true,
    rescored: 6,
    ok: true,
    detail: expect.stringMatching(/^6 of 6 scores computed anew[^;]*$/),
  })
  const { artifact } = await readRecords(bytesSource(bundle))
  expect(new TextDecoder().decode((await artifact(hashOf(textOf(whole))))!)).toBe(textOf(whole))
  expect(await artifact('0'.repeat(64))).toBeNull()
})

test('[EXP122] without its artifact a bundle is valid, and verification says how many scores it could not compute', async () => {
  const found = await scores(await sampleBundle(sample))
  expect(found).toMatchObject({ valid: true, rescored: 5, ok: true, partial: true })
  expect(found.detail).toContain('5 of 6 scores computed anew')
  expect(found.detail).toContain('1 are of answers too large for the record')
})

test('[EXP122] an answer of another score or beginning, or another file than the record names, does not verify, though the signer signed it', async () => {
  const bundle = await sampleBundle(sample)
  /** The record names and the bundle encloses `text`; `enclosed` lies there in its place. */
  const forged = (text: string, enclosed = text) => {
    const files = { [`artifacts/${hashOf(text)}`]: enclosed }
    const rename = ([first]: Opened['items']) => Object.assign(first!.record, { artifacts: cut(first!.record, text).artifacts })
    return forge(bundle, vectorKey, ({ items }) => rename(items), { files })
  }
  expect(await scores(await forged(textOf(whole)))).toMatchObject({ valid: true, ok: true })
  const { text } = whole
  expect(await scores(await forged(textOf({ ...whole, text: `${text} Z` })))).toMatchObject({ valid: false, ok: false })
  const belongs = { valid: false, ok: false, detail: expect.stringContaining('no evidence that belongs to it') }
  expect(await scores(await forged(textOf({ ...whole, text: `I ${text}` })))).toMatchObject(belongs)
  expect(await scores(await forged(textOf(whole), textOf({ ...whole, reasoning: 'added' })))).toMatchObject(belongs)
})
