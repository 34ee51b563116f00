import type { Outcome } from '../contract/failure.ts'
import type { Machine } from '../solvers/machine.ts'
import { machineGone } from './machine-spec.ts'

/** What a terminal of terminus is made of while nothing runs in it, and what has ended and is not yet gone. */
const terminals = [/^tmux(: server)?( |$)/, /^bash --login$/, /^-(ba)?sh$/, /^(sh -c )?cat( > \/tmp\/terminus\.pane)?$/, /<defunct>$/]

/** How many commands evidence tells, and how long each may be. */
const most = { commands: 20, chars: 200 }

/** Processes that were left: the command lines of those that are more than a terminal where nothing runs, as many as evidence tells. `alone`: there are none at all. */
export type LeftRunning = { commands: string[]; alone: boolean }

/** Looks what runs in a machine but its first program. */
export async function leftRunning(machine: Machine): Promise<Outcome<LeftRunning>> {
  const found = await machine.processes()
  if (found === null) return machineGone('tell its processes', 'unavailable')
  const others = found.filter((command) => !terminals.some((one) => one.test(command)))
  const commands = others.slice(0, most.commands).map((command) => command.slice(0, most.chars))
  return { ok: true, value: { commands, alone: found.length === 0 } }
}
