import * as z from 'zod'

const ratio = z.number().min(0).max(1).nullable()

/** Part of an agent's machine that is in use, by all programs: from 0 to 1, null if the agent cannot read the value. */
export const MachineUsage = z.object({ cpu_ratio: ratio, memory_ratio: ratio, disk_ratio: ratio })
export type MachineUsage = z.infer<typeof MachineUsage>
