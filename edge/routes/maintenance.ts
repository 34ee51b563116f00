import * as z from 'zod'
import { DatabaseAway } from '#db/store.ts'
import { Timestamp } from '#shared/contract/ids.ts'
import type { Deps } from '../deps.ts'

/** `until`: when maintenance ends by itself; null where somebody ends it. */
export const Maintenance = z.strictObject({
  mode: z.boolean(),
  message: z.string().max(500),
  until: Timestamp.nullable().default(null),
})
/** Request body. Without a message, pages show a default sentence. */
export const SetMaintenance = Maintenance.extend({
  message: Maintenance.shape.message.nullish(),
  until: z.iso.datetime({ offset: true }).nullish(),
})
export type Maintenance = z.infer<typeof Maintenance>

export const maintenanceSetting = 'maintenance'

/** Whether new runs are refused: the operator's configuration wins, then what an admin set. */
export async function readMaintenance(deps: Pick<Deps, 'config' | 'store' | 'now'>): Promise<Maintenance> {
  const configured = { ...deps.config.maintenance, until: null }
  if (configured.mode) return configured
  const stored = Maintenance.safeParse(await deps.store.readSetting(maintenanceSetting))
  if (!stored.success) return configured
  const { until } = stored.data
  return until !== null && Date.parse(until) <= deps.now().getTime() ? { ...stored.data, mode: false } : stored.data
}

/** The same for the status page, which must answer while the database is away. */
export async function peekMaintenance(deps: Pick<Deps, 'config' | 'store' | 'now'>): Promise<Maintenance> {
  try {
    return await readMaintenance(deps)
  } catch (error) {
    if (error instanceof DatabaseAway) return { ...deps.config.maintenance, until: null }
    throw error
  }
}
