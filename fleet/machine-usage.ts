import { statfs } from 'node:fs/promises'
import { cpus, freemem, totalmem } from 'node:os'
import type { MachineUsage } from '#shared/contract/machine-usage.ts'

/** Processor time since boot, in milliseconds over all processors. */
type CpuTimes = { idle: number; all: number }

/** Readings of the operating system. `disk` reads the file system of the data directory. */
export type MachineReadings = {
  cpu(): CpuTimes
  memory(): { free: number; all: number }
  disk(): Promise<{ free: number; all: number }>
}

/**
 * Measures the machine of an agent. `cpu_ratio` is the mean since the previous call, `disk_ratio` the reading that the previous call
 * began: `statfs` may wait for a network. Both are null until there is a second reading.
 */
export function measureMachine(readings: MachineReadings): () => MachineUsage {
  let before = readings.cpu()
  let disk_ratio: number | null = null
  let isReading = false
  const readDisk = (): void => {
    if (isReading) return
    isReading = true
    readings
      .disk()
      .then(({ free, all }) => {
        disk_ratio = ratioOf(all - free, all)
      })
      .catch(() => {
        disk_ratio = null
      })
      .finally(() => {
        isReading = false
      })
  }
  readDisk()
  return () => {
    const now = readings.cpu()
    const all = now.all - before.all
    const cpu_ratio = ratioOf(all - (now.idle - before.idle), all)
    if (all > 0) before = now
    const memory = readings.memory()
    readDisk()
    return { cpu_ratio, memory_ratio: ratioOf(memory.all - memory.free, memory.all), disk_ratio }
  }
}

/** Returns a ratio from 0 to 1 with three decimals; null if `all` is no positive number. */
function ratioOf(part: number, all: number): number | null {
  const ratio = part / all
  return all > 0 && Number.isFinite(ratio) ? Math.round(Math.min(1, Math.max(0, ratio)) * 1000) / 1000 : null
}

/** Reads this machine. A container reads the values of its host. */
export const machineReadings = (dataDir: string): MachineReadings => ({
  cpu() {
    const times = cpus().map((one) => one.times)
    const idle = times.reduce((sum, one) => sum + one.idle, 0)
    return { idle, all: times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq, idle) }
  },
  memory: () => ({ free: freemem(), all: totalmem() }),
  async disk() {
    const { bavail, blocks } = await statfs(dataDir)
    return { free: bavail, all: blocks }
  },
})
