import { DatabaseAway } from '#db/store.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import type { RunsPort } from '../../deps.ts'
import { noBudgets } from '../../testing/memory-budgets.ts'
import type { MemoryDeps } from '../../testing/memory-deps.ts'
import type { RunPorts } from '../run-ports.ts'
import { RunShell } from '../run-shell.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

type Kept = { ports: RunPorts; shell: RunShell; alarm: { at: number | null } }

/**
 * Objects of imported runs as the platform has them: the real shell over SQLite, whose results leave for the record of the tests. `kill` loses what is in
 * memory alone, `ring` wakes an object, `told` is what the fleet heard.
 */
export function liveImports({ deps, record }: Pick<MemoryDeps, 'deps' | 'record'>) {
  const clock = handClock(deps.now().getTime())
  const objects = new Map<string, Kept>()
  const told: unknown[] = []
  const object = (run_id: string): Kept => {
    const known = objects.get(run_id)
    if (known) return known
    const alarm = { at: null as number | null }
    const set = async (at: number | null): Promise<void> => {
      alarm.at = at
    }
    const ports: RunPorts = {
      storage: { ...openSqliteStorage(), setAlarm: set, deleteAlarm: () => set(null) },
      store: {
        ...deps.store,
        // As the real record, which refuses results of a run that it does not know.
        drain: async (batch) => {
          if (!record.runs.has(batch.run_id)) throw new DatabaseAway('no such run')
          return deps.store.drain(batch)
        },
      },
      clock,
      sockets: () => [],
      openedMs: () => 0,
      fleet: { update: async (run) => void told.push(run), tell: async (progress) => void told.push(progress) },
      passes: { holds: () => false },
      seal: { open: async (sealed) => sealed },
      sessions: { token: async () => ({ is: 'gone' }) },
      mayAsk: () => true,
      budgets: noBudgets,
      log: () => undefined,
    }
    const kept: Kept = { ports, alarm, shell: new RunShell(ports) }
    objects.set(run_id, kept)
    return kept
  }
  const own: Pick<RunsPort, 'create' | 'takeIn' | 'head' | 'command'> = {
    create: (spec, sealed) => object(spec.run_id).shell.create(spec, sealed),
    takeIn: (spec, batch) => object(spec.run_id).shell.takeIn(spec, structuredClone(batch)),
    head: async (run_id) => object(run_id).shell.head() ?? undefined,
    command: async (run_id, command) => (await object(run_id).shell.command(command)) ?? undefined,
  }
  Object.assign(deps.runs, own)
  return {
    own,
    told,
    clock,
    alarmOf: (run_id: string) => object(run_id).alarm.at,
    ring: (run_id: string) => object(run_id).shell.onAlarm(),
    kill(): void {
      for (const kept of objects.values()) kept.shell = new RunShell(kept.ports)
    },
  }
}
