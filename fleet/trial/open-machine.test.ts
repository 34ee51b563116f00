import { expect, test } from 'vitest'
import type { Machine, MachineSpec } from '#shared/solvers/machine.ts'
import { createLanes } from '../lanes/lanes.ts'
import { createMachines } from './open-machine.ts'
import type { MachineProvider } from './resources.ts'

const spec: MachineSpec = {
  image: { type: 'named', name: 'bench/base:bookworm', pull_timeout_ms: 1000 },
  cpus: null,
  memory_mb: 2000,
  storage_mb: null,
  network: 'none',
  env: {},
  workdir: null,
  healthcheck: null,
}
const needs = { cpus: 1, memory_mb: 500, disk_mb: 100 }
const settled = () => new Promise((resolve) => setImmediate(resolve))

function start({ broken = false } = {}) {
  const lanes = createLanes({ calls: 1, sandbox: { cpus: 3, memory_mb: 5000, disk_mb: 1000 } })
  const told: string[] = []
  const warmed: string[] = []
  const machines: MachineProvider = {
    warm: (image) => void warmed.push(image.type === 'named' ? image.name : 'built'),
    async open() {
      if (broken) return { ok: false, failure: { at: 'sandbox', reason: 'timeout', retryable: true, status: null, detail: '' } }
      const machine = { stop: async () => void told.push('stopped') } as Machine // nothing else of it is used here
      return { ok: true, value: { ...machine, [Symbol.asyncDispose]: async () => void told.push('closed') } }
    },
  }
  const trial = (run_id: string, there: MachineProvider | null = machines) => {
    const opened = new AsyncDisposableStack()
    const waiting = () => {
      told.push(`${run_id} waits`)
      return () => void told.push(`${run_id} goes on`)
    }
    const open = createMachines({ machines: there, lanes: lanes.of(run_id) }, needs, opened, waiting, new AbortController().signal)
    return { open, close: () => opened.disposeAsync() }
  }
  return { lanes, told, warmed, trial }
}

test('[LANE23] a machine takes its own sizes, its card’s where it names none, until it is stopped or closed, once; the next trial waits for it', async () => {
  const { lanes, told, trial } = start()
  const [one, two] = [trial('one'), trial('two')]
  const machine = await one.open({ ...spec, cpus: 2 })
  expect(lanes.load().sandbox.used).toEqual({ cpus: 2, memory_mb: 2000, disk_mb: 100 })
  const large = two.open({ ...spec, cpus: 2, storage_mb: 500 })
  await settled()
  expect(lanes.load().sandbox.waiting).toBe(1)
  if (machine.ok) await machine.value.stop()
  expect((await large).ok).toBe(true)
  expect(told).toEqual(['two waits', 'stopped', 'two goes on'])
  await one.close()
  expect(lanes.load().sandbox.used).toEqual({ cpus: 2, memory_mb: 2000, disk_mb: 50 })
  await two.close()
  expect(lanes.load().sandbox.used.cpus).toBe(0)
})

test('[LANE23] a machine beside another of its trial is there at once or not at all, and after that has stopped it waits its turn again', async () => {
  const { told, trial } = start()
  const one = trial('one')
  const first = await one.open(spec)
  expect((await one.open({ ...spec, cpus: 2 })).ok).toBe(true)
  expect(await one.open(spec)).toMatchObject({ failure: { retryable: true, detail: expect.stringContaining('beside') } })
  expect(await one.open({ ...spec, cpus: 4 })).toMatchObject({
    failure: { retryable: false, detail: expect.stringContaining('3 CPUs, 5,000 MB') },
  })
  if (first.ok) await first.value.stop()
  expect(told).toEqual(['one waits', 'one goes on', 'stopped'].slice(2))
  await one.close()
})

test('[LANE23] one that could not be opened takes nothing, and an agent without an engine is not the place for the trial', async () => {
  const { lanes, trial } = start({ broken: true })
  const one = trial('one')
  expect(await one.open(spec)).toMatchObject({ failure: { reason: 'timeout' } })
  expect(lanes.load().sandbox.used.cpus).toBe(0)
  expect(await trial('two', null).open(spec)).toMatchObject({ failure: { at: 'sandbox', reason: 'unavailable', retryable: true } })
})

test('[MACH64] the image of a trial that waits for its turn is fetched ahead, of one that has room or never will it is not', async () => {
  const { warmed, trial } = start()
  const [one, two, three] = [trial('one'), trial('two'), trial('three')]
  expect((await one.open({ ...spec, cpus: 3 })).ok).toBe(true)
  expect(await three.open({ ...spec, cpus: 4 })).toMatchObject({ ok: false })
  expect(warmed).toEqual([])
  const waits = two.open({ ...spec, image: { type: 'named', name: 'waits:1', pull_timeout_ms: 1000 } })
  await settled()
  expect(warmed).toEqual(['waits:1'])
  await one.close()
  expect((await waits).ok).toBe(true)
  await Promise.all([two.close(), three.close()])
})
