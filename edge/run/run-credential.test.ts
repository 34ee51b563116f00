import { expect, test } from 'vitest'
import { DatabaseAway } from '#db/store.ts'
import { createSeal, credentialContext } from '../auth/seal.ts'
import { exampleSpec } from '../testing/example-records.ts'
import { emptyRecord, memoryStore } from '../testing/memory-store.ts'
import { isOwedKey, KeyGone, openCredential } from './run-credential.ts'

const seal = createSeal(`v1:${btoa('k'.repeat(32))}`)
const spec = exampleSpec({ own_credential: true })

test('[AGENT3] an agent gets the key sealed with the run, from its object or else from the record', async () => {
  const record = emptyRecord()
  record.credentials.set(spec.run_id, await seal.seal('cpk_own', credentialContext(spec)))
  expect(await openCredential(spec, undefined, memoryStore(record), seal)).toBe('cpk_own')
  record.away = true
  expect(await openCredential(spec, await seal.seal('cpk_new', credentialContext(spec)), memoryStore(record), seal)).toBe('cpk_new')
})

test('[AGENT3] a key that cannot be had is an error, never the agent’s own key', async () => {
  const record = emptyRecord()
  await expect(openCredential(spec, undefined, memoryStore(record), seal)).rejects.toThrow(KeyGone)
  const foreign = exampleSpec({ run_id: '22222222-2222-4222-8222-222222222222' })
  record.credentials.set(spec.run_id, await seal.seal('cpk_own', credentialContext(foreign)))
  await expect(openCredential(spec, undefined, memoryStore(record), seal)).rejects.toThrow(KeyGone)
  record.away = true
  await expect(openCredential(spec, undefined, memoryStore(record), seal)).rejects.toThrow(DatabaseAway)
})

test('[AGENT40] a session is owed the key once, by a run that brings one and hands out work', () => {
  const held = { session: 'session-1', agent_id: 'a' }
  expect(isOwedKey(spec, { status: 'queued' }, held)).toBe(true)
  expect(isOwedKey(spec, { status: 'running' }, held)).toBe(true)
  expect(isOwedKey(exampleSpec(), { status: 'running' }, held)).toBe(false)
  expect(isOwedKey(spec, { status: 'running' }, { ...held, keyed: true })).toBe(false)
  for (const status of ['paused', 'succeeded', 'failed', 'canceled', 'incomplete'] as const)
    expect(isOwedKey(spec, { status }, held)).toBe(false)
})
