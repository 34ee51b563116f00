import * as z from 'zod'
import { DatabaseAway } from '#db/store.ts'
import type { Deps } from '../deps.ts'

export const Maintenance = z.strictObject({ mode: z.boolean(), message: z.string().max(500) })
/** Request body. Without a message, pages show a default sentence. */
export const SetMaintenance = Maintenance.extend({ message: Maintenance.shape.message.nullish() })
export type Maintenance = z.infer<typeof Maintenance>

export const maintenanceSetting = 'maintenance'

/** Whether new runs are refused: the operator's configuration wins, then what an admin set. */
export async function readMaintenance(deps: Pick<Deps, 'config' | 'store'>): Promise<Maintenance> {
  if (deps.config.maintenance.mode) return deps.config.maintenance
  const stored = Maintenance.safeParse(await deps.store.readSetting(maintenanceSetting))
  return stored.success ? stored.data : deps.config.maintenance
}

/** The same for the status page, which must answer while the database is away. */
export async function peekMaintenance(deps: Pick<Deps, 'config' | 'store'>): Promise<Maintenance> {
  try {
    return await readMaintenance(deps)
  } catch (error) {
    if (error instanceof DatabaseAway) return deps.config.maintenance
    throw error
  }
}
