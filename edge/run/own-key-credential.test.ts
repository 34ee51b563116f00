import { expect, test } from 'vitest'
import type { StoredProviderKey } from '#db/store.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createSeal, credentialContext, providerKeyContext } from '../auth/seal.ts'
import { exampleSpec } from '../testing/example-records.ts'
import { noBudgets } from '../testing/memory-budgets.ts'
import { emptyRecord, memoryStore } from '../testing/memory-store.ts'
import type { AgentSocket } from './agent-socket.ts'
import { KeyGone, openCredential, savedKeyMs } from './run-credential.ts'
import { RunShell } from './run-shell.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const seal = createSeal(`v1:${btoa('k'.repeat(32))}`)
const own_provider = { id: 'openrouter', label: 'OpenRouter', kind: 'openrouter' as const, base_url: 'https://openrouter.ai/api/v1' }
const log = () => undefined
const sessions = { token: async () => ({ is: 'token', access_token: 'cak_1', until_ms: 99 }) as const }
const at = '2026-01-01T00:00:00.000Z'

/** A key of this owner, as it is stored. */
async function stored(owner_id: string, secret: string, changes: Partial<StoredProviderKey> = {}): Promise<StoredProviderKey> {
  const named = { owner_id, provider: own_provider.id, label: own_provider.label, kind: own_provider.kind, base_url: own_provider.base_url }
  const sealed = await seal.seal(secret, providerKeyContext(named))
  return {
    ...named,
    id: 'k1',
    sealed,
    last4: secret.slice(-4),
    verdict: 'good',
    models: [],
    asked_at: at,
    created_at: at,
    used_at: null,
    ...changes,
  }
}

test('[OWNKEY7] a saved key opens for runs of its owner, for the address of the run, while that is allowed', async () => {
  const spec = exampleSpec({ own_credential: true, own_provider })
  const open = async (key: StoredProviderKey, { allowed = true, of = spec, text = 'provider-key k1' } = {}) => {
    const record = emptyRecord()
    record.providerKeys.set(key.id, key)
    const ports = { store: memoryStore(record), seal, sessions, mayAsk: () => allowed }
    const opened = await openCredential(of, await seal.seal(text, credentialContext(of)), ports, 1000)
    return { ...opened, used_at: record.providerKeys.get(key.id)!.used_at }
  }
  const key = await stored(spec.owner_id, 'sk-or-mine')
  const used_at = '1970-01-01T00:00:01.000Z'
  expect(await open(key)).toEqual({ key: 'sk-or-mine', until_ms: 1000 + savedKeyMs, used_at })
  const gone =
    'The OpenRouter key that pays for this run was deleted, or may not be used here any more. Its owner saves a key for the same address under Settings and resumes the run.'
  await expect(open(key, { allowed: false })).rejects.toThrow(gone)
  await expect(open(key, { text: 'provider-key k2' })).rejects.toThrow(gone)
  await expect(open(await stored('another', 'sk-or-theirs'))).rejects.toThrow(gone)
  // A row that names another owner than it was sealed for, and one for another address.
  await expect(open({ ...(await stored('another', 'sk-or-theirs')), owner_id: spec.owner_id })).rejects.toThrow(KeyGone)
  await expect(open({ ...key, base_url: 'https://gw.example/v1' })).rejects.toThrow(gone)
  await expect(open(key, { of: exampleSpec({ own_credential: true }) })).rejects.toThrow(KeyGone)
  // What pays at Chutes pays nowhere else.
  await expect(open(key, { text: 'session s-1' })).rejects.toThrow(gone)
  await expect(open(key, { text: 'cpk_own' })).rejects.toThrow(gone)
})

test('[OWNKEY7] agents hear of a replaced key within minutes; a deleted one parks the run until its owner saves another and resumes it', async () => {
  const clock = handClock(Date.parse(at))
  const spec = { ...testSpec(), own_credential: true, own_provider }
  const record = emptyRecord()
  record.providerKeys.set('k1', await stored(spec.owner_id, 'sk-or-1'))
  const told: { type: string; credential?: string }[] = []
  let kept: unknown = null
  const socket: AgentSocket = {
    send: (text) => void told.push(JSON.parse(text)),
    close: () => expect.unreachable(),
    serializeAttachment: (one) => {
      kept = one
    },
    deserializeAttachment: () => kept,
  }
  const shell = new RunShell({
    storage: { ...openSqliteStorage(), setAlarm: async () => undefined, deleteAlarm: async () => undefined },
    store: memoryStore(record),
    clock,
    sockets: () => [socket],
    openedMs: () => 0,
    fleet: { update: async () => undefined, tell: async () => undefined },
    passes: { holds: () => true },
    seal,
    sessions,
    mayAsk: () => true,
    budgets: noBudgets,
    log,
  })
  const payment = () => seal.seal('provider-key k1', credentialContext(spec))
  await shell.create(spec, await payment())
  const say = async (frame: object) => {
    told.length = 0
    await shell.onMessage(socket, JSON.stringify(frame))
    return told.map(({ type, credential }) => `${type} ${credential ?? '–'}`)
  }
  await say({ type: 'hello', ...spoken, agent_id: 'a', session: 'session-1', holding: [] })
  expect(await say({ type: 'claim', ask: 1, count: 1 })).toEqual(['leases sk-or-1'])
  record.providerKeys.set('k1', await stored(spec.owner_id, 'sk-or-2'))
  expect(await say({ type: 'renew' })).toEqual(['state –'])
  // A refused key is looked up at once.
  expect(await say({ type: 'renew', refused: 'f'.repeat(64) })).toEqual(['state sk-or-2'])
  await clock.to(clock.now() + savedKeyMs)
  expect(await say({ type: 'renew' })).toEqual(['state sk-or-2'])
  record.providerKeys.delete('k1')
  await clock.to(clock.now() + savedKeyMs)
  await say({ type: 'renew' })
  expect(shell.head()).toMatchObject({ status: 'paused', parked: { detail: expect.stringContaining('Its owner saves a key') } })
  record.providerKeys.set('k1', await stored(spec.owner_id, 'sk-or-3'))
  await shell.command({ type: 'resume' }, await payment())
  expect(await say({ type: 'claim', ask: 2, count: 1 })).toEqual(['leases sk-or-3'])
})
