import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { StreamedEvent } from '#shared/contract/event.ts'
import { RunId } from '#shared/contract/ids.ts'
import { questionNeeds } from '#shared/contract/resources.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { initialHead } from '#shared/run/apply.ts'
import { planTrials } from '#shared/run/plan.ts'
import { applyStreamed } from '#shared/run/stream.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { coordinatorContract, rightAnswer } from './coordinator.contract.ts'
import { openLocalRun } from './local-coordinator.ts'
import type { CoordinatorEvents } from './port.ts'
import { openRunFolder } from './run-folder.ts'

const out = mkdtempSync(join(tmpdir(), 'bench-local-'))
afterAll(() => rmSync(out, { recursive: true }))
const deaf: CoordinatorEvents = { onState: () => undefined, onDrop: () => undefined, onClosed: () => undefined }
const specOf = (...benchmarks: { name: string; items: number; epochs: number }[]) => ({
  ...testSpec({ benchmarks }),
  run_id: RunId.parse(crypto.randomUUID()),
})
const lines = <T>(dir: string, name: string): T[] =>
  readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line)) // each file is written as such lines

for (const { rule, name, check } of coordinatorContract) {
  test(`[${rule}] the local coordinator ${name}`, () =>
    check(async (items, events) => {
      const spec = specOf({ name: 'alpha', items, epochs: 1 })
      return openLocalRun({ spec, folder: openRunFolder(out, spec), now: Date.now, onEvent: () => undefined }, events).coordinator
    }))
}

test('[CLI26] the folder holds the plan, numbered events that fold to the state, and the records in the order of the plan', async () => {
  const spec = specOf({ name: 'alpha', items: 2, epochs: 2 }, { name: 'beta', items: 300, epochs: 1 })
  const folder = openRunFolder(out, spec)
  const run = openLocalRun({ spec, folder, now: Date.now, onEvent: () => undefined }, deaf)
  const leases = await run.coordinator.claim(1000)
  for (const lease of leases.toReversed()) run.coordinator.report({ ...rightAnswer(lease), answer: `ä${lease.ordinal}` })
  const pages: TrialRecord[][] = []
  for (const name of ['alpha', 'beta']) for await (const page of folder.trials(name)) pages.push(page.map(({ record }) => record))
  await run.coordinator.close()
  folder.saveHead(run.head())
  folder.close()

  expect(JSON.parse(readFileSync(join(folder.dir, 'spec.json'), 'utf8'))).toEqual(spec)
  const events = lines<StreamedEvent>(folder.dir, 'events.jsonl')
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1))
  const folded = events.reduce(applyStreamed, initialHead(spec))
  const { leased: _, ...state } = JSON.parse(readFileSync(join(folder.dir, 'head.json'), 'utf8'))
  expect({ status: state.status, done: state.done }).toEqual({ status: 'succeeded', done: 304 })
  expect(folded).toMatchObject(state)
  expect(pages.map((page) => page.length)).toEqual([4, 250, 50])
  expect(pages.flat().map(({ answer }) => answer)).toEqual(leases.map(({ ordinal }) => `ä${ordinal}`))
  expect(lines<TrialRecord>(folder.dir, 'records.jsonl')).toHaveLength(304)
})

test('[CLI26] a folder that cannot be written ends the run: the result is not counted and the executor is told', async () => {
  const spec = specOf({ name: 'alpha', items: 3, epochs: 1 })
  const full = new Error('ENOSPC: no space left on device')
  const closed = Promise.withResolvers<string>()
  const folder = {
    append(trials: readonly unknown[]) {
      if (trials.length > 0) throw full
    },
  }
  const events = { ...deaf, onClosed: (_: string, detail: string) => closed.resolve(detail) }
  const run = openLocalRun({ spec, folder, now: Date.now, onEvent: () => undefined }, events)
  const [lease] = await run.coordinator.claim(1)
  run.coordinator.report(rightAnswer(lease!))
  expect(await closed.promise).toBe(full.message)
  expect({ broken: run.broken(), done: run.head().done }).toEqual({ broken: full, done: 0 })
  expect(await run.coordinator.claim(1)).toEqual([])
  await run.coordinator.close()
})

test('[CLI26] a run that was closed takes nothing more, and its executor hears nothing more of it', async () => {
  const spec = specOf({ name: 'alpha', items: 3, epochs: 1 })
  const heard: string[] = []
  let appended = 0
  const folder = { append: () => void appended++ }
  const events = { ...deaf, onState: ({ status }: { status: string }) => void heard.push(status) }
  const run = openLocalRun({ spec, folder, now: Date.now, onEvent: () => undefined }, events)
  const [lease] = await run.coordinator.claim(1)
  run.command({ type: 'pause' })
  await run.coordinator.close()
  const before = { appended, heard: heard.length, seq: run.head().seq }
  run.coordinator.report(rightAnswer(lease!))
  run.command({ type: 'cancel' })
  expect(await run.coordinator.claim(1)).toEqual([])
  expect({ appended, heard: heard.length, seq: run.head().seq }).toEqual(before)
  expect(run.head()).toMatchObject({ status: 'paused', leased: 0 })
})

test('[CLI24] an executor is told how many trials are open: neither finished nor given out', async () => {
  const spec = specOf({ name: 'alpha', items: 4, epochs: 1 })
  const told: unknown[] = []
  const events = { ...deaf, onState: (state: unknown) => void told.push(state) }
  const run = openLocalRun({ spec, folder: { append: () => undefined }, now: Date.now, onEvent: () => undefined }, events)
  const [lease] = await run.coordinator.claim(2)
  run.coordinator.report(rightAnswer(lease!))
  await Promise.resolve()
  told.length = 0
  run.command({ type: 'pause' })
  await Promise.resolve()
  expect(told).toEqual([{ status: 'paused', concurrency: 8, open: 2 }])
  await run.coordinator.close()
})

test('[MACH67] an executor that makes images ready is told with each claim which items at machines come next', async () => {
  const spec = specOf({ name: 'alpha', items: 2, epochs: 1 }, { name: 'tasks', items: 6, epochs: 1 })
  const sandbox = { kinds: ['machine' as const], cpus: 1, memory_mb: 512, disk_mb: 512, images: [] }
  const benchmarks = spec.benchmarks.map((one) => ({ ...one, ...(one.name === 'tasks' && { needs: { ...questionNeeds, sandbox } }) }))
  const told: string[][] = []
  const planned = { ...spec, benchmarks }
  const folder = openRunFolder(out, planned)
  const onAhead: CoordinatorEvents['onAhead'] = (items) => void told.push(items.map(({ item_id }) => item_id))
  const run = openLocalRun({ spec: planned, folder, now: Date.now, onEvent: () => undefined }, { ...deaf, onAhead })
  const items = [...planTrials(planned)].filter(({ benchmark }) => benchmark === 'tasks').map(({ item_id }) => item_id)
  await run.coordinator.claim(1, undefined, { width: 1, working: 0 })
  await run.coordinator.claim(2, undefined, { width: 3, working: 1, ahead: 3 })
  await run.coordinator.claim(1, undefined, { width: 3, working: 2, ahead: 3 })
  expect(told).toEqual([items.slice(1, 4), items.slice(2, 5)])
  await run.coordinator.close()
  folder.close()
})
