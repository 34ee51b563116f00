import { expect, test } from 'vitest'
import { DatabaseAway } from '#db/store.ts'
import { createSeal, credentialContext } from '../auth/seal.ts'
import { exampleSpec } from '../testing/example-records.ts'
import { emptyRecord, memoryStore } from '../testing/memory-store.ts'
import { openCredential } from './run-credential.ts'

const seal = createSeal(`v1:${btoa('k'.repeat(32))}`)

test('[AGENT3] an agent gets the key sealed with the run, and none when the run has none of its own', async () => {
  const record = emptyRecord()
  const spec = exampleSpec({ own_credential: true })
  record.credentials.set(spec.run_id, await seal.seal('cpk_own', credentialContext(spec)))
  expect(await openCredential(spec, memoryStore(record), seal)).toBe('cpk_own')
  record.away = true
  expect(await openCredential(exampleSpec(), memoryStore(record), seal)).toBeNull()
})

test('[AGENT3] a key that cannot be had is an error, never the agent’s own key', async () => {
  const record = emptyRecord()
  const spec = exampleSpec({ own_credential: true })
  await expect(openCredential(spec, memoryStore(record), seal)).rejects.toThrow('not in the record')
  const foreign = exampleSpec({ run_id: '22222222-2222-4222-8222-222222222222' })
  record.credentials.set(spec.run_id, await seal.seal('cpk_own', credentialContext(foreign)))
  await expect(openCredential(spec, memoryStore(record), seal)).rejects.toThrow()
  record.away = true
  await expect(openCredential(spec, memoryStore(record), seal)).rejects.toThrow(DatabaseAway)
})
