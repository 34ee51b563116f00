import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import { blobSource } from '#shared/export/byte-source.ts'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { unpack } from '#shared/export/testing/forge.ts'
import { verifyBundle } from '#shared/export/verify.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrials } from '../testing/example-records.ts'
import { keyOf } from './bucket.ts'
import { openArtifacts } from './enclose.ts'

const texts = ['one', 'two']
const refOf = (text: string): ArtifactRef => ({
  name: `${text}.txt`,
  kind: 'log',
  media_type: 'text/plain',
  bytes: text.length,
  sha256: bytesToHex(sha256(new TextEncoder().encode(text))),
})

/** An ended run of anna's of which one trial left two texts and another one of them, all in the bucket. */
function openRun(gated = false) {
  const app = openApp()
  const spec = exampleSpec({ owner_id: 'anna', benchmarks: [examplePlanned({ name: 'mmlu_pro', gated })] })
  app.deps.signer = openSigningKey(btoa('\x07'.repeat(32)))
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  const left = [texts.map(refOf), [refOf('two')]]
  const trials = exampleTrials().map((trial, at) => (left[at] ? { ...trial, record: { ...trial.record, artifacts: left[at] } } : trial))
  app.record.trials.set(spec.run_id, trials)
  const keys = texts.map((text) => keyOf(spec.run_id, refOf(text).sha256))
  for (const [at, key] of keys.entries())
    app.bucket.objects.set(key, { bytes: Uint8Array.from(new TextEncoder().encode(texts[at])), uploaded_at: app.deps.now() })
  const zip = async (headers: Record<string, string> = {}) => {
    const response = await app.call('GET', `/api/runs/${spec.run_id}/export?format=zip`, { headers })
    expect(response.status).toBe(200)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const { checks } = await verifyBundle(blobSource(new Blob([bytes])), { trustedKeys: [] })
    const { ok, detail, partial } = checks.find(({ name }) => name === 'artifacts')!
    return { bytes, check: [ok, partial ?? false], detail }
  }
  return { ...app, spec, keys, zip }
}
const named = (bytes: Uint8Array<ArrayBuffer>) =>
  unpack(bytes).then((members) => Object.entries(members).filter(([name]) => name.startsWith('artifacts/')))

test('[EXP120] the ZIP encloses what trials left, once each, and verifies', async () => {
  const { zip } = openRun()
  const { bytes, check } = await zip()
  expect(check).toEqual([true, false])
  expect(await named(bytes)).toEqual(texts.map((text) => [`artifacts/${refOf(text).sha256}`, text]))
})

test('[EXP121] what is not kept any more, or nowhere kept, is named by hash and size alone', async () => {
  const { zip, bucket, keys, deps, call, spec } = openRun()
  bucket.away = true
  expect((await call('GET', `/api/runs/${spec.run_id}/export?format=zip`)).status).toBe(503)
  bucket.away = false
  bucket.objects.delete(keys[1]!)
  const gone = await zip()
  expect([gone.check, await named(gone.bytes)]).toEqual([[true, true], []])
  expect(gone.detail).toContain('2 are named by hash and size only')
  const none = openRun()
  Object.assign(none.deps, { artifacts: null })
  expect((await none.zip()).check).toEqual([true, true])
  expect(await openArtifacts(deps, '00000000-0000-4000-8000-000000000009')).toBeUndefined()
})

test('[EXP121] more than one request can pack is named by hash and size alone', async () => {
  const { deps, spec } = openRun()
  const open = (artifacts: number, bytes: number) => openArtifacts(deps, spec.run_id, { artifacts, bytes })
  expect(await open(2, 6)).toBeDefined()
  expect([await open(1, 6), await open(2, 5)]).toEqual([undefined, undefined])
})

test('[EXP121] who may not read the items of gated data gets nothing of what their trials left', async () => {
  const app = openRun(true)
  const stranger = await app.zip()
  expect([await named(stranger.bytes), stranger.detail]).toEqual([[], 'no trial names any'])
  expect(await named((await app.zip(bearer(await giveKey(app, 'anna')))).bytes)).toHaveLength(2)
})
