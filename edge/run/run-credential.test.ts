import { expect, test } from 'vitest'
import { DatabaseAway } from '#db/store.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createSeal, credentialContext } from '../auth/seal.ts'
import type { TokenAnswer } from '../sign-in/session-tokens.ts'
import { exampleSpec } from '../testing/example-records.ts'
import { noBudgets } from '../testing/memory-budgets.ts'
import { emptyRecord, memoryStore } from '../testing/memory-store.ts'
import type { AgentSocket } from './agent-socket.ts'
import { isOwedKey, KeyGone, openCredential, TokenAway } from './run-credential.ts'
import { RunShell } from './run-shell.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const seal = createSeal(`v1:${btoa('k'.repeat(32))}`)
const spec = exampleSpec({ own_credential: true })
const log = () => undefined
const noSessions = { token: async () => ({ is: 'gone' }) as const }
const hour = 3_600_000

/** Ports of `openCredential` over this record and these sessions. */
const ports = (record = emptyRecord(), sessions: { token(id: string): Promise<TokenAnswer> } = noSessions) => ({
  store: memoryStore(record),
  seal,
  sessions,
  mayAsk: () => true,
  log,
})

test('[AGENT3] an agent gets the key sealed with the run, from its object or else from the record', async () => {
  const record = emptyRecord()
  record.credentials.set(spec.run_id, await seal.seal('cpk_own', credentialContext(spec)))
  expect(await openCredential(spec, undefined, ports(record), 0)).toEqual({ key: 'cpk_own', until_ms: null })
  record.away = true
  const newer = await seal.seal('cpk_new', credentialContext(spec))
  expect(await openCredential(spec, newer, ports(record), 0)).toEqual({ key: 'cpk_new', until_ms: null })
})

test('[AGENT3] a key that cannot be had is an error, never the agent’s own key', async () => {
  const record = emptyRecord()
  await expect(openCredential(spec, undefined, ports(record), 0)).rejects.toThrow(KeyGone)
  const foreign = exampleSpec({ run_id: '22222222-2222-4222-8222-222222222222' })
  record.credentials.set(spec.run_id, await seal.seal('cpk_own', credentialContext(foreign)))
  await expect(openCredential(spec, undefined, ports(record), 0)).rejects.toThrow(KeyGone)
  record.away = true
  await expect(openCredential(spec, undefined, ports(record), 0)).rejects.toThrow(DatabaseAway)
})

test('[SIGN12] a run that a session pays is asked with the token that the session has now, and with nobody else’s where it has none', async () => {
  const sealed = await seal.seal('session s-1', credentialContext(spec))
  const answering = (answer: TokenAnswer) => ports(emptyRecord(), { token: async (id) => (id === 's-1' ? answer : expect.unreachable()) })
  const token = { is: 'token', access_token: 'cak_1', until_ms: 99 } as const
  expect(await openCredential(spec, sealed, answering(token), 0)).toEqual({ key: 'cak_1', until_ms: 99 })
  await expect(openCredential(spec, sealed, answering({ is: 'away', why: 'idp.example answers 500' }), 0)).rejects.toThrow(TokenAway)
  await expect(openCredential(spec, sealed, answering({ is: 'gone' }), 0)).rejects.toThrow(/signs in again/)
})

test('[AGENT40] a session is owed the key once, by a run that brings one and hands out work', () => {
  const held = { session: 'session-1', agent_id: 'a' }
  expect(isOwedKey(spec, { status: 'queued' }, held, 0)).toBe(true)
  expect(isOwedKey(spec, { status: 'running' }, held, 0)).toBe(true)
  expect(isOwedKey(exampleSpec(), { status: 'running' }, held, 0)).toBe(false)
  expect(isOwedKey(spec, { status: 'running' }, { ...held, keyed: true }, hour * 99)).toBe(false)
  for (const status of ['paused', 'succeeded', 'failed', 'canceled', 'incomplete'] as const)
    expect(isOwedKey(spec, { status }, held, 0)).toBe(false)
})

test('[SIGN12] a key that ends is owed again four minutes before, or in the last third of a shorter life', () => {
  const held = (life: number) => ({ session: 's', agent_id: 'a', keyed: true, key_ends: { since_ms: 0, until_ms: life } })
  const owed = (life: number, nowMs: number) => isOwedKey(spec, { status: 'running' }, held(life), nowMs)
  expect([owed(hour, hour - 240_000), owed(hour, hour - 239_999)]).toEqual([false, true])
  expect([owed(3000, 2000), owed(3000, 2001)]).toEqual([false, true])
  expect(isOwedKey(spec, { status: 'paused' }, held(hour), hour)).toBe(false)
})

test('[SIGN12] an agent that works on gets each new token with a state, in time and once; while it cannot be had the old one stays', async () => {
  const clock = handClock(Date.parse('2026-01-01T00:00:00Z'))
  let answer: TokenAnswer = { is: 'token', access_token: 'cak_1', until_ms: clock.now() + hour }
  const told: { type: string; credential?: string }[] = []
  const asked: (string | undefined)[] = []
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
    store: memoryStore(emptyRecord()),
    clock,
    sockets: () => [socket],
    openedMs: () => 0,
    fleet: { update: async () => undefined, tell: async () => undefined },
    passes: { holds: () => true },
    seal: { open: async (sealed) => sealed },
    sessions: {
      async token(_id, refused) {
        asked.push(refused)
        return answer
      },
    },
    mayAsk: () => true,
    budgets: noBudgets,
    log,
  })
  await shell.create({ ...testSpec(), own_credential: true }, 'session s-1')
  const say = async (frame: object) => {
    told.length = 0
    await shell.onMessage(socket, JSON.stringify(frame))
    return told.map(({ type, credential }) => `${type} ${credential ?? '–'}`)
  }
  await say({ type: 'hello', ...spoken, agent_id: 'a', session: 'session-1', holding: [] })
  expect(await say({ type: 'renew' })).toEqual(['state –'])
  expect(await say({ type: 'claim', ask: 1, count: 1 })).toEqual(['leases cak_1'])
  expect(await say({ type: 'renew' })).toEqual(['state –'])
  await clock.to(clock.now() + hour - 100_000)
  answer = { is: 'away', why: 'idp.example does not answer' }
  expect(await say({ type: 'renew' })).toEqual(['state –'])
  answer = { is: 'token', access_token: 'cak_2', until_ms: clock.now() + hour }
  expect(await say({ type: 'renew' })).toEqual(['state cak_2'])
  expect(await say({ type: 'renew' })).toEqual(['state –'])
  // A refused token is replaced before its expiry.
  answer = { is: 'token', access_token: 'cak_2b', until_ms: clock.now() + hour }
  expect(await say({ type: 'renew', refused: 'f'.repeat(64) })).toEqual(['state cak_2b'])
  expect(asked.at(-1)).toBe('f'.repeat(64))
  answer = { is: 'gone' }
  await clock.to(clock.now() + hour)
  await say({ type: 'renew' })
  expect(shell.head()).toMatchObject({ status: 'paused', parked: { detail: expect.stringContaining('signs in again') } })
  answer = { is: 'token', access_token: 'cak_3', until_ms: clock.now() + 9 * hour }
  await shell.command({ type: 'resume' }, 'session s-2')
  expect(await say({ type: 'claim', ask: 2, count: 1 })).toEqual(['leases cak_3'])
  // A key from the owner replaces a token that is still valid.
  await shell.command({ type: 'pause' })
  await shell.command({ type: 'resume' }, 'cpk_own')
  expect(await say({ type: 'claim', ask: 3, count: 1 })).toEqual(['leases cpk_own'])
})
