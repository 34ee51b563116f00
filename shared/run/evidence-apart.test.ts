import { sha256 } from '@noble/hashes/sha2.js'
import { expect, test } from 'vitest'
import { headOf } from '../contract/evidence/evidence.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { toHex } from '../export/bytes.ts'
import { mostReadBytes, readEvidence } from './evidence-apart.ts'
import { answered, recordOf } from './testing/rescore-example.ts'

const whole = { ...answered(`first ${'x'.repeat(50)} A`), reasoning: 'long thoughts' }
const encode = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const fileOf = (bytes: Uint8Array) => ({
  ...{ name: 'evidence.json', kind: 'file' as const, media_type: 'application/json' },
  ...{ bytes: bytes.length, sha256: toHex(sha256(bytes)) },
})
/** The record of an answer of which it has the beginning, and the rest is in `file`. */
const cut = (file: unknown, more: Partial<TrialRecord> = {}) =>
  recordOf(0, 'A', 'A', { evidence: headOf(whole, 20), flags: ['answer_cut'], artifacts: [fileOf(encode(file))], ...more })
const read = (record: TrialRecord, bytes: unknown = whole) => readEvidence(record, async () => (bytes === null ? null : encode(bytes)))

test('[EXP65] evidence is read whole from its file, also by those who have the record without its reasoning', async () => {
  expect(await read(cut(whole))).toEqual(whole)
  expect(await read(cut(whole, { evidence: { ...answered(whole.text.slice(0, 20)), reasoning: null } }))).toEqual(whole)
  const record = recordOf(0, 'A', 'A')
  expect(await readEvidence(record, () => Promise.reject(new Error('nothing lies apart')))).toBe(record.evidence)
})

test('[EXP65] a file that is not to be had, or is larger than may be read, lies apart; it is not even asked for', async () => {
  expect(await read(cut(whole), null)).toBe('apart')
  const large = cut(whole, { artifacts: [{ ...fileOf(encode(whole)), bytes: mostReadBytes + 1 }] })
  expect(await readEvidence(large, () => Promise.reject(new Error('asked')))).toBe('apart')
})

test('[EXP122] bytes of another hash, of another beginning or kind, and a record that names no file, are no evidence of the trial', async () => {
  expect(await read(cut(whole), { ...whole, text: `${whole.text}B` })).toBeNull()
  const judged = { ...whole, kind: 'judged', judge: null }
  for (const other of [{ ...whole, text: `other ${whole.text}` }, judged, { text: 'no evidence' }, 'no JSON'])
    expect([other, await read(cut(other), other)]).toEqual([other, null])
  expect(await read(cut(whole, { evidence: null }))).toBeNull()
  expect(await read(cut(whole, { artifacts: [] }))).toBeNull()
})
