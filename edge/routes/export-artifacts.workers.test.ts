import { reset, env as testEnv } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { blobSource } from '#shared/export/byte-source.ts'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { verifyBundle } from '#shared/export/verify.ts'
import { openR2Bucket } from '../adapters/r2-bucket.ts'
import { keyOf } from '../artifacts/bucket.ts'
import type { Env } from '../objects/env.ts'
import { openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleSpec, exampleTrials } from '../testing/example-records.ts'

afterEach(() => reset())

const env = testEnv as unknown as Env // bindings of objects/testing/wrangler.toml
const openSha256 = () => createHash('sha256')

test('[EXP120] 60 MB that a trial left go from a real bucket into the ZIP, which verifies', async () => {
  const app = openApp()
  const spec = exampleSpec()
  const bytes = new Uint8Array(60_000_000).map((_, at) => at % 251)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const large = { name: 'large.bin', kind: 'file', media_type: 'application/octet-stream', bytes: bytes.length, sha256 } as const
  await env.ARTIFACTS!.put(keyOf(spec.run_id, sha256), bytes)
  Object.assign(app.deps, { artifacts: openR2Bucket(env.ARTIFACTS!), openSha256 })
  app.deps.signer = openSigningKey(btoa('\x07'.repeat(32)))
  const [first, ...others] = exampleTrials()
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  app.record.trials.set(spec.run_id, [{ ...first!, record: { ...first!.record, artifacts: [large] } }, ...others])
  const response = await app.call('GET', `/api/runs/${spec.run_id}/export?format=zip`)
  expect(response.status).toBe(200)
  const { checks } = await verifyBundle(blobSource(await response.blob()), { trustedKeys: [], openSha256 })
  expect(checks.find(({ name }) => name === 'artifacts')).toMatchObject({ ok: true })
  expect(checks.find(({ name }) => name === 'artifacts')).not.toHaveProperty('partial', true)
})
