import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import { Evidence } from '#shared/contract/evidence/evidence.ts'
import { readEvidence } from '#shared/run/evidence-apart.ts'
import type { Kit } from '#shared/solvers/kit.ts'
import { fitRecord } from './fit-record.ts'

const { record } = exampleTrial(0)
const answered = (text: string, reasoning: string) => ({
  ...record,
  evidence: { kind: 'completion' as const, text, reasoning, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false },
})
const never: Kit['keep'] = () => Promise.reject(new Error('nothing is to be kept here'))

/** A store in memory, and what lies in it. */
function openStore() {
  const files = new Map<string, Uint8Array>()
  const keep: Kit['keep'] = async ({ name, kind, media_type, body }) => {
    if (!(body instanceof Uint8Array)) throw new Error('these bodies are at hand')
    const sha256 = createHash('sha256').update(body).digest('hex')
    files.set(sha256, body)
    return { ok: true, value: { name, kind, media_type, bytes: body.length, sha256 } }
  }
  return { files, keep }
}

test('[AGENT1] a record the edge cannot store loses reasoning first, with a flag, and its answer never', async () => {
  expect(await fitRecord(record, never)).toBe(record)
  const cut = await fitRecord(answered('The answer is (A).', 'r"'.repeat(3000)), never, 4000)
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(4000)
  expect(cut).toMatchObject({ outcome: record.outcome, evidence: { text: 'The answer is (A).' } })
  expect(cut.flags).toContain('reasoning_cut')
})

test('[AGENT1] a record without evidence is kept as it is, and reasoning goes as a whole where half of it would not do', async () => {
  expect((await fitRecord({ ...record, evidence: null }, never)).evidence).toBeNull()
  const empty = JSON.stringify(answered('The answer is (A).', '')).length
  const cut = await fitRecord(answered('The answer is (A).', 'r'.repeat(100)), never, empty + 40)
  expect(cut).toMatchObject({ outcome: record.outcome, evidence: { reasoning: '' } })
})

test('[AGENT2] an answer too large for the record keeps its score and its beginning, and lies whole in a file that reads as what was scored', async () => {
  const { files, keep } = openStore()
  const other: ArtifactRef = { name: 'out.log', kind: 'log', media_type: 'text/plain', bytes: 1, sha256: 'a'.repeat(64) }
  const given = { ...answered(`${'x'.repeat(9999)}🙂${'é'.repeat(900_000)} (A).`, 'why\n'.repeat(400_000)), flags: ['level_1'] }
  const fitted = await fitRecord({ ...given, artifacts: [other, { ...other, name: 'evidence.json' }] }, keep)
  const { evidence, flags, artifacts, ...rest } = fitted
  const { evidence: whole, flags: _, ...before } = given
  expect(rest).toEqual({ ...before })
  expect(flags).toEqual(['level_1', 'answer_cut'])
  expect(evidence).toEqual({ ...whole, text: whole.text.slice(0, 100_000), reasoning: whole.reasoning.slice(0, 100_000) })
  const [[sha256, bytes]] = [...files] as [[string, Uint8Array]]
  expect(artifacts).toEqual([other, { name: 'evidence.json', kind: 'file', media_type: 'application/json', bytes: bytes.length, sha256 }])
  expect(Evidence.parse(JSON.parse(Buffer.from(bytes).toString()))).toEqual(whole)
  expect(await readEvidence(fitted, async (_record, hash) => files.get(hash) ?? null)).toEqual(whole)
})

test('[AGENT2] a record keeps as much of the beginning as fits, in whole characters', async () => {
  const { keep } = openStore()
  const fitted = await fitRecord(answered(`${'x'.repeat(9999)}🙂${'y'.repeat(90_000)}`, ''), keep, 20_000)
  expect(fitted.evidence).toMatchObject({ text: 'x'.repeat(9999) })
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(20_000)
  const most = JSON.stringify(fitted).length - 10 // what names the file counts too
  const less = await fitRecord(answered('x'.repeat(100_000), ''), keep, most)
  expect(less.evidence).toMatchObject({ text: 'x'.repeat(1000) })
})

test('[AGENT2] where such an answer cannot be kept, the trial fails as the store did and has no score; it is not tried again by itself', async () => {
  const away: Kit['keep'] = async () => ({
    ok: false,
    failure: { at: 'store', reason: 'unavailable', retryable: true, status: null, detail: 'This agent has no store of artifacts.' },
  })
  const given = answered('x'.repeat(5000), '')
  const fitted = await fitRecord(given, away, 4000)
  expect(fitted).toMatchObject({ outcome: 'failed', score: null, answer: null, evidence: null, flags: [] })
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(4000)
  expect(fitted.failure).toEqual({
    ...{ at: 'store', reason: 'unavailable', retryable: false, status: null },
    detail: `The trial's record has ${JSON.stringify(given).length} bytes, 4000 can be stored, and its answer could not be kept apart: This agent has no store of artifacts.`,
  })
})

test('[AGENT2] a record that is too large without its answer is a failure, and nothing is kept for it', async () => {
  const given = { ...answered('x'.repeat(5000), ''), messages: [{ role: 'user' as const, content: 'q'.repeat(5000) }] }
  for (const one of [given, { ...given, evidence: null }])
    expect(await fitRecord(one, never, 4000)).toMatchObject({ outcome: 'failed', failure: { at: 'provider', reason: 'too-large' } })
})
