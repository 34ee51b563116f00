import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { openSeal } from './auth/seal.ts'
import { readConfig } from './config.ts'
import { openStore } from './objects/open-store.ts'
import { openApp } from './testing/call-app.ts'

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string // PEM is text
const whole = {
  DATABASE_URL: 'postgres://user:password@host/name',
  MASTER_KEY: `v1:${btoa('\x01'.repeat(32))}`,
  AGENT_TOKEN: 'agent-token-0123456789',
  ADMIN_SECRET: 'admin-secret-0123456789',
  BENCH_SIGNING_PRIVATE_KEY: pem,
  PROVIDERS: '[{"id":"chutes","label":"Chutes","kind":"chutes","base_url":"https://llm.chutes.ai/v1","models":[]}]',
}
const off = (changes: Record<string, string | undefined>) =>
  readConfig({ ...whole, ...changes }).faults.map(({ variable, detail }) => `${variable} ${detail}`)

test('[API103] a variable that is missing or does not read turns off one thing, and is named without its text', () => {
  expect(off({})).toEqual([])
  for (const name of Object.keys(whole)) expect(off({ [name]: undefined })).toEqual([`${name} is not set`])
  const broken = {
    DATABASE_URL: 'mysql://secret-text',
    MASTER_KEY: 'v1:secret-text',
    AGENT_TOKEN: 'secret-text',
    ADMIN_SECRET: 'secret-text',
    BENCH_SIGNING_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----',
    PROVIDERS: '[{"id":"secret-text"',
    SAMPLES: '{"x":"secret-text"}',
    DATA_OVERRIDES: 'secret-text',
    PUBLIC_URL: 'secret-text',
  }
  for (const [name, text] of Object.entries(broken)) {
    const faults = off({ [name]: text })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^${name} does not read: `))
    expect(faults[0]).not.toContain('secret-text')
  }
  expect(off({ PROVIDERS: `[${'1,2'.repeat(2)}]` })[0]).toContain('PROVIDERS does not read')
})

test('[API103] health names the faults, or answers 503 with the one that leaves no record', async () => {
  const { faults } = readConfig({ ...whole, BENCH_SIGNING_PRIVATE_KEY: undefined })
  const app = openApp({ config: { faults } })
  expect(await (await app.call('GET', '/api/health')).json()).toEqual({
    status: 'healthy',
    faults: [{ variable: 'BENCH_SIGNING_PRIVATE_KEY', detail: 'is not set', off: 'signed ZIP exports' }],
  })
  const bare = openApp({ config: { faults: readConfig({}).faults } })
  const answer = await bare.call('GET', '/api/health')
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    503,
    'DATABASE_URL is not set: everything that needs the record is off.',
  ])
})

test('[API103] a service without any variable answers what needs none, and 503 or 401 for the rest', async () => {
  const app = openApp({ config: readConfig({}) })
  app.deps.store = openStore({})
  app.deps.seal = openSeal(undefined)
  expect((await app.call('GET', '/api/benchmarks')).status).toBe(200)
  expect(await (await app.call('GET', '/api/status')).json()).toMatchObject({ demo: false, agents: 0 })
  expect((await app.call('GET', '/api/runs')).status).toBe(503)
  expect((await app.call('GET', '/api/exports/public-key')).status).toBe(503)
  expect((await app.call('POST', '/api/admin/sync-models', { headers: { 'x-admin-secret': '' } })).status).toBe(401)
  await expect(openSeal('v1:x').seal('a', 'b')).rejects.toThrow('MASTER_KEY')
})

test('[EXP6] a signing key is read in every form in which a variable can hold it', () => {
  const { fingerprint } = openSigningKey(pem)
  const escaped = pem.replaceAll('\n', '\\n')
  const wrapped = btoa(pem).replace(/.{40}/g, '$&\n')
  for (const text of [pem, escaped, pem.replaceAll('\n', ' '), btoa(pem), wrapped])
    expect(openSigningKey(text).fingerprint).toBe(fingerprint)
  for (const text of ['-----BEGIN PRIVATE KEY-----', btoa('-----BEGIN PRIVATE KEY-----'), '']) expect(() => openSigningKey(text)).toThrow()
})
