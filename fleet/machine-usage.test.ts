import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { MachineUsage } from '#shared/contract/machine-usage.ts'
import { type MachineReadings, machineReadings, measureMachine } from './machine-usage.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('[OPS16] the use of the machine is measured between two readings, and what cannot be read is null', async () => {
  const cpu = { idle: 100, all: 200 }
  const disk = { free: 30, all: 40 }
  let isMounted = true
  const readings: MachineReadings = {
    cpu: () => ({ ...cpu }),
    memory: () => ({ free: 25, all: 100 }),
    disk: async () => {
      if (!isMounted) throw new Error('ENOENT')
      return { ...disk }
    },
  }
  const usage = measureMachine(readings)
  expect(usage()).toEqual({ cpu_ratio: null, memory_ratio: 0.75, disk_ratio: null })
  await settled()
  Object.assign(cpu, { idle: 160, all: 300 })
  expect(usage()).toEqual({ cpu_ratio: 0.4, memory_ratio: 0.75, disk_ratio: 0.25 })
  isMounted = false
  await settled()
  usage()
  await settled()
  expect(usage()).toEqual({ cpu_ratio: null, memory_ratio: 0.75, disk_ratio: null })
})

test('[OPS16] this machine has readings', async () => {
  const readings = machineReadings(tmpdir())
  const usage = measureMachine(readings)
  await readings.disk()
  const { memory_ratio, ...rest } = MachineUsage.parse(usage())
  expect(memory_ratio).toBeGreaterThan(0)
  expect(rest).toMatchObject({ cpu_ratio: expect.toSatisfy((value) => value === null || value >= 0) })
})
