import { expect, test } from 'vitest'
import { createSeal, credentialContext, parseMasterKeys, SealBroken } from './seal.ts'

const keys = { v1: new Uint8Array(32).fill(1), v2: new Uint8Array(32).fill(2) }
const context = credentialContext({ owner_id: 'anna', run_id: 'r1' })

test('[AUTH2] a sealed secret opens in its own context and shows nothing of itself', async () => {
  const seal = createSeal({ current: 'v2', keys })
  const sealed = await seal.seal('cpk_secret', context)
  expect(sealed).toMatch(/^v2\.[\w-]+\.[\w-]+$/)
  expect(sealed).not.toContain('cpk_')
  expect(await seal.open(sealed, context)).toBe('cpk_secret')
  expect(await seal.seal('cpk_secret', context)).not.toBe(sealed)
})

test('[AUTH2] a secret moved to another owner, run or key version, or changed in any byte, does not open', async () => {
  const seal = createSeal({ current: 'v1', keys })
  const sealed = await seal.seal('cpk_secret', context)
  await expect(seal.open(sealed, credentialContext({ owner_id: 'anna', run_id: 'r2' }))).rejects.toBeInstanceOf(SealBroken)
  await expect(seal.open(sealed, credentialContext({ owner_id: 'bob', run_id: 'r1' }))).rejects.toBeInstanceOf(SealBroken)
  await expect(seal.open(sealed.replace('v1.', 'v2.'), context)).rejects.toBeInstanceOf(SealBroken)
  await expect(seal.open(`v9${sealed.slice(2)}`, context)).rejects.toBeInstanceOf(SealBroken)
  const [version, iv, text] = sealed.split('.') as [string, string, string]
  for (let at = 0; at < text.length; at++) {
    const changed = text.slice(0, at) + (text[at] === 'A' ? 'Q' : 'A') + text.slice(at + 1)
    await expect(seal.open([version, iv, changed].join('.'), context)).rejects.toBeInstanceOf(SealBroken)
  }
})

test('[AUTH2] after a rotation old seals still open, and new ones carry the new version', async () => {
  const old = await createSeal({ current: 'v1', keys: { v1: keys.v1 } }).seal('cpk_secret', context)
  const seal = createSeal(parseMasterKeys(`v2:${btoa('\x02'.repeat(32))},v1:${btoa('\x01'.repeat(32))}`))
  expect(await seal.open(old, context)).toBe('cpk_secret')
  expect(await seal.seal('x', context)).toMatch(/^v2\./)
  expect(await createSeal(btoa('\x01'.repeat(32))).open(old, context)).toBe('cpk_secret')
})

test('[AUTH2] master keys of another form are refused', () => {
  for (const text of ['', 'v1', 'v1:', 'x,y', `v1:${btoa('short')}`, `:${btoa('\x01'.repeat(32))}`, 'v1:!!!'])
    expect(() => parseMasterKeys(text)).toThrow(SealBroken)
})
