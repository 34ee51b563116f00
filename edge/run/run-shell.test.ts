import { expect, test } from 'vitest'
import { DatabaseAway, type DrainBatch, type DrainOutcome } from '#db/store.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { leaseMs } from '#shared/run/lease.ts'
import { handClock, settled } from '#shared/run/testing/hand-clock.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import type { RunProgress } from '#shared/telemetry/run-progress.ts'
import { noBudgets } from '../testing/memory-budgets.ts'
import { emptyRecord, memoryStore } from '../testing/memory-store.ts'
import type { AgentSocket } from './agent-socket.ts'
import type { RunPorts } from './run-ports.ts'
import { RunShell } from './run-shell.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const startMs = Date.parse('2026-01-01T00:00:00Z')

/** A run whose one agent holds trials and is silent from then on, over a record that answers as told; `ring` is its alarm as the platform has it. */
async function silentAgent(drain: RunPorts['store']['drain'], trials = 3, update: RunPorts['fleet']['update'] = async () => undefined) {
  const progress: RunProgress[] = []
  const clock = handClock(startMs)
  const storage = openSqliteStorage()
  const alarm = { at: null as number | null, ringing: false }
  let kept: unknown = null
  const socket: AgentSocket = {
    send: () => undefined,
    close: () => undefined,
    serializeAttachment: (one) => {
      kept = one
    },
    deserializeAttachment: () => kept,
  }
  const set = async (at: number | null): Promise<void> => {
    alarm.at = at
  }
  const shell = new RunShell({
    storage: {
      ...storage,
      setAlarm: set,
      deleteAlarm: () => set(null),
      async deleteAll() {
        alarm.at = null // an alarm goes with the rest
        await storage.deleteAll()
      },
    },
    store: { ...memoryStore(emptyRecord()), drain },
    clock,
    sockets: () => [socket],
    openedMs: () => 0,
    fleet: { update, tell: async (one) => void progress.push(one) },
    passes: { holds: () => true },
    seal: { open: async (sealed) => sealed },
    sessions: { token: async () => ({ is: 'gone' }) },
    mayAsk: () => true,
    budgets: noBudgets,
    log: (level) => void (level === 'error' && expect.unreachable()),
  })
  const spec = testSpec()
  await shell.create(spec)
  const join = async (session: string): Promise<void> => {
    kept = null // a new connection
    await shell.onMessage(socket, JSON.stringify({ type: 'hello', ...spoken, agent_id: 'agent', session, holding: [] }))
    await shell.onMessage(socket, JSON.stringify({ type: 'claim', ask: 1, count: trials, begins: true }))
  }
  await join('session-1')
  const until = async (ms: number): Promise<void> => {
    while (clock.now() < startMs + ms) {
      if (alarm.at !== null && alarm.at <= clock.now() && !alarm.ringing) {
        alarm.at = null
        alarm.ringing = true
        void shell.onAlarm().then(() => {
          alarm.ringing = false
        })
        await settled()
      }
      await clock.to(clock.now() + 50)
    }
  }
  return { shell, until, join, alarm, progress }
}

test.each([
  ['is not answered', () => new Promise<never>(() => undefined)],
  ['fails, ever more rarely asked', () => Promise.reject(new DatabaseAway('away'))],
])('[RUN101] leases run out in time while a batch %s', async (_name, drain) => {
  const { shell, until } = await silentAgent(drain)
  await until(leaseMs - 100)
  expect(shell.head()).toMatchObject({ leased: 3 })
  await until(leaseMs + 1500)
  expect(shell.head()).toMatchObject({ leased: 0, lost: 3, agents: {} })
})

test('[OBS9] a run whose record is away tells how long its oldest event has waited', async () => {
  const { until, progress } = await silentAgent(() => Promise.reject(new DatabaseAway('away')))
  expect(progress).toMatchObject([{ status: 'queued', sums: [], viewers: 0 }])
  await until(60_000)
  const lags = progress.map(({ drain_lag_ms }) => drain_lag_ms)
  expect(lags).toEqual([...lags].sort((a, b) => a - b))
  expect(lags.at(-1)).toBeGreaterThanOrEqual(30_000)
  expect(progress.length).toBeLessThan(10)
  expect(progress.every(({ alarm_late_ms }) => alarm_late_ms <= 50)).toBe(true)
})

test('[RUN102] a run that gave its storage back while no alarm waited for that is woken in time once it is retried', async () => {
  const answers: (() => void)[] = []
  const drain = async ({ head }: DrainBatch): Promise<DrainOutcome> => {
    if (head.status === 'failed') await new Promise<void>((resolve) => answers.push(resolve))
    return { written: 0, conflicts: [] }
  }
  const { shell, until, join, alarm } = await silentAgent(drain, 10)
  const round = leaseMs + 2000
  await until(round)
  await join('session-2')
  await until(2 * round)
  await join('session-3')
  await until(3 * round)
  expect(shell.head()).toMatchObject({ status: 'failed', done: 10 }) // three agents vanished with every trial
  expect([answers.length, alarm.at]).toEqual([1, expect.any(Number)])
  answers[0]!()
  await until(3 * round + 50)
  expect(alarm.at).toBeNull()
  await until(5 * round)
  await shell.command({ type: 'retry_failed' })
  await join('session-4')
  expect(shell.head()).toMatchObject({ status: 'running', leased: 10 })
  await until(6 * round)
  expect(shell.head()).toMatchObject({ leased: 0, agents: {} })
})

test('[FLEET72] a run that ends at an alarm tells the fleet, again and again while it is away', async () => {
  const heard: boolean[] = []
  let away = false
  const update: RunPorts['fleet']['update'] = async (_run, ended) => {
    if (away) throw new Error('the fleet is away')
    heard.push(ended)
  }
  const { shell, until, join, alarm } = await silentAgent(async () => ({ written: 0, conflicts: [] }), 10, update)
  const round = leaseMs + 2000
  for (const n of [1, 2]) {
    await until(n * round)
    await join(`session-${n + 1}`)
  }
  expect(heard).toEqual([false])
  away = true
  await until(3 * round)
  expect(shell.head()).toMatchObject({ status: 'failed' }) // three agents vanished with every trial
  away = false
  await until(3 * round + 31_000)
  expect(heard).toEqual([false, true])
  await until(4 * round + 31_000)
  expect(alarm.at).toBeNull()
})

test('[API430] [TEAM13] a run that turns private ends the streams of strangers at once, and the fleet hears who may know of it', async () => {
  const heard: (string | undefined)[] = []
  const { shell } = await silentAgent(
    async () => 'written' as never,
    3,
    async (run) => void heard.push(run.visibility),
  )
  const closed: string[] = []
  const pipe = (name: string) => ({ write: async () => undefined, close: async () => void closed.push(name) })
  for (const audience of ['owner', 'operator', 'stranger'] as const) shell.follow(pipe(audience), null, audience, true)
  await shell.changeReaders('link')
  expect([closed, shell.spec()?.visibility]).toEqual([[], 'link'])
  await shell.changeReaders('private')
  await shell.changeReaders('private')
  expect([closed, shell.spec()?.visibility, heard.slice(-2)]).toEqual([['stranger'], 'private', ['link', 'private']])
  const told = heard.length
  await shell.changeReaders('members')
  expect([closed.toSorted(), shell.spec()?.visibility, heard.length]).toEqual([['operator', 'owner', 'stranger'], 'private', told])
})
