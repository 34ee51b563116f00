import { expect, test } from 'vitest'
import type { Outcome } from '#shared/contract/failure.ts'
import type { SandboxKind } from '#shared/contract/resources.ts'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import { createLanes } from '../lanes/lanes.ts'
import { createSandboxes } from './open-sandbox.ts'
import type { SandboxProvider } from './resources.ts'

const spec: SandboxSpec = { image: null, cpus: 2, memory_mb: 4096, disk_mb: 100, network: false }
const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Two trials of an agent with room for so many CPUs, and what happens to their sandboxes. */
function start(cpus: number, broken = false) {
  const lanes = createLanes({
    calls: 1,
    sandbox: { cpus, memory_mb: 16_384, disk_mb: 1000 },
    elsewhere: { cpus: 2, memory_mb: 9000, disk_mb: 900 },
  })
  const told: string[] = []
  let made = 0
  const of = (kind: SandboxKind): SandboxProvider => ({
    async open() {
      const name = `${kind === 'docker' ? 'box' : kind} ${++made}`
      told.push(`${name} opens`)
      if (broken) return { ok: false, failure: { at: 'sandbox', reason: 'timeout', retryable: true, status: null, detail: '' } }
      const box = { exec: () => Promise.reject(new Error('unused')), read: async () => null, write: async () => 'written' as const }
      return {
        ok: true,
        value: {
          ...box,
          async [Symbol.asyncDispose]() {
            told.push(`${name} closes with ${lanes.load().sandbox.used.cpus} CPUs taken`)
          },
        },
      }
    },
  })
  const sandboxes = (['bwrap', 'docker', 'sandy'] as const).map((kind) => ({
    kind,
    lane: kind === 'sandy' ? ('elsewhere' as const) : ('sandbox' as const),
    provider: of(kind),
  }))
  const trial = (run_id: string, signal: AbortSignal = never, kinds: readonly SandboxKind[] = ['docker']) => {
    const opened = new AsyncDisposableStack()
    const waiting = () => {
      told.push(`${run_id} waits`)
      return () => void told.push(`${run_id} waits no more`)
    }
    return {
      open: createSandboxes({ sandboxes, lanes: lanes.of(run_id) }, kinds, opened, waiting, signal),
      close: () => opened.disposeAsync(),
    }
  }
  return { lanes, told, trial }
}
const ok = (outcome: Outcome<Sandbox>) => outcome.ok

test('[LANE17] a sandbox takes its part of the agent’s room until it is closed; the next trial waits for it and holds nothing', async () => {
  const { lanes, told, trial } = start(3)
  const [first, second] = [trial('one'), trial('two')]
  expect(ok(await first.open(spec))).toBe(true)
  expect(lanes.load()).toMatchObject({ sandbox: { used: { cpus: 2, memory_mb: 4196, disk_mb: 0 } } })
  const waits = second.open(spec)
  await settled()
  expect(lanes.load()).toMatchObject({ model: { waiting: 0 }, sandbox: { used: { cpus: 2 }, waiting: 1 } })
  await first.close()
  expect(ok(await waits)).toBe(true)
  await second.close()
  expect(lanes.load().sandbox).toEqual({ used: { cpus: 0, memory_mb: 0, disk_mb: 0 }, waiting: 0 })
  expect(told).toEqual([
    ...['box 1 opens', 'two waits'],
    ...['box 1 closes with 2 CPUs taken', 'two waits no more', 'box 2 opens', 'box 2 closes with 2 CPUs taken'],
  ])
})

test('[LANE17] who is given up while it waits leaves the queue, and a sandbox that does not open gives its room back', async () => {
  const { lanes, trial } = start(2)
  const first = trial('one')
  await first.open(spec)
  const abort = new AbortController()
  const second = trial('two', abort.signal)
  const waits = second.open(spec)
  abort.abort(new Error('dropped'))
  await expect(waits).rejects.toThrow('dropped')
  expect(lanes.load().sandbox.waiting).toBe(0)
  const broken = start(2, true)
  const third = broken.trial('three')
  expect(await third.open(spec)).toMatchObject({ ok: false, failure: { reason: 'timeout' } })
  await third.close()
  expect(broken.lanes.load().sandbox.used.cpus).toBe(0)
})

test('[LANE18] a sandbox beyond the agent’s room is refused for good, one beside others of its trial for now, with what there is', async () => {
  const { trial, lanes } = start(3)
  const mine = trial('one')
  expect(await mine.open({ ...spec, cpus: 4 })).toEqual({
    ok: false,
    failure: {
      ...{ at: 'sandbox', reason: 'unavailable', retryable: false, status: null },
      detail:
        'A sandbox of 4 CPUs, 4,096 MB of memory and 100 MB of disk is more than this agent has for sandboxes: 3 CPUs, 16,384 MB of memory and 1,000 MB of disk.',
    },
  })
  expect(ok(await mine.open(spec))).toBe(true)
  expect(await mine.open(spec)).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: true } })
  expect(ok(await mine.open({ ...spec, cpus: 1 }))).toBe(true)
  await mine.close()
  expect(lanes.load().sandbox.used.cpus).toBe(0)
})

test('[LANE21] a sandbox is of the first kind that a benchmark may have, that can be as asked, and that has room now', async () => {
  const { trial, told, lanes } = start(3)
  const kinds = ['sandy', 'bwrap'] as const
  const [one, two, three] = ['one', 'two', 'three'].map((run_id) => trial(run_id, never, kinds))
  expect(ok(await one!.open(spec))).toBe(true)
  expect(ok(await two!.open({ ...spec, memory_mb: 1024 }))).toBe(true)
  expect(told).toEqual(['bwrap 1 opens', 'sandy 2 opens'])
  expect(lanes.load()).toMatchObject({ sandbox: { used: { cpus: 2 } }, elsewhere: { used: { cpus: 2, disk_mb: 100 } } })
  const waits = three!.open(spec)
  await settled()
  expect(lanes.load()).toMatchObject({ sandbox: { waiting: 1 }, elsewhere: { waiting: 0 } })
  await two!.close()
  await one!.close()
  expect(ok(await waits)).toBe(true)
  await three!.close()
  const imaged = trial('four', never, ['bwrap', 'docker'])
  expect(ok(await imaged.open({ ...spec, image: 'python:3' }))).toBe(true)
  expect(told.at(-1)).toBe('box 4 opens')
  await imaged.close()
  expect(await trial('five', never, ['bwrap']).open({ ...spec, image: 'python:3' })).toMatchObject({
    failure: {
      ...{ at: 'sandbox', reason: 'unavailable', retryable: true },
      detail: "This agent's sandboxes (bwrap) have no images: the trial needs another agent.",
    },
  })
})

test('[LANE21] a benchmark that may have none of the kinds that an agent has goes to another agent', async () => {
  const { lanes } = start(3)
  const waiting = () => () => undefined
  const open = createSandboxes({ sandboxes: [], lanes: lanes.of('one') }, ['docker', 'sandy'], new AsyncDisposableStack(), waiting, never)
  expect(await open(spec)).toMatchObject({
    failure: { retryable: true, detail: expect.stringContaining('no sandbox of a kind that will do (docker, sandy)') },
  })
})

test('[LANE20] files in memory take memory of the lane, and no disk', async () => {
  const { trial, lanes } = start(3)
  const mine = trial('one', never, ['bwrap'])
  expect(ok(await mine.open(spec))).toBe(true)
  expect(lanes.load().sandbox.used).toEqual({ cpus: 2, memory_mb: 4196, disk_mb: 0 })
  await mine.close()
  expect(await mine.open({ ...spec, memory_mb: 16_300 })).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: false } })
})

test('[LANE17] of two sandboxes that a trial asks for at once only one waits', async () => {
  const { trial, lanes } = start(3)
  const other = trial('one')
  await other.open(spec)
  const mine = trial('two')
  const both = [mine.open(spec), mine.open(spec)]
  await settled()
  expect(lanes.load().sandbox.waiting).toBe(1)
  await other.close()
  expect((await Promise.all(both)).map(ok)).toEqual([true, false])
  await mine.close()
})
