import type { MatchRun } from '#shared/run/match/fleet.ts'
import type { ServerEnd } from './network.ts'

/** The fleet's shell as its host calls it. */
export type Fleet = {
  update(run: MatchRun, ended: boolean): void
  onMessage(socket: ServerEnd, text: string): Promise<void>
  onClose(socket: ServerEnd, code: number): void
}

// Named by text: what it imports names types of the Worker's platform, which is another world of types than this one.
const path: string = '../../edge/fleet/fleet-shell.ts'
export const { FleetShell } = (await import(path)) as { FleetShell: new (ports: unknown) => Fleet }
