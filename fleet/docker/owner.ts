import { readFileSync, readlinkSync } from 'node:fs'
import type { SandboxTrial } from '../sandbox/trial-name.ts'

/** Labels of our containers: whose they are, and the process that holds them. */
export const ownerLabel = 'chutes-bench.owner'
const processLabel = 'chutes-bench.process'
const placeLabel = 'chutes-bench.place'

/** A process by its number and when it began, in the machine's ticks, and where that number counts: a boot of a machine, a namespace of it. */
export type Holder = { process: string; place: string }

/** This process, as labels name it. */
export function ownHolder(): Holder {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return { process: describeProcess(process.pid) ?? String(process.pid), place: `${boot} ${readlinkSync('/proc/self/ns/pid')}` }
}

export const labelsOf = (owner: string, { process, place }: Holder): Record<string, string> => ({
  [ownerLabel]: owner,
  [processLabel]: process,
  [placeLabel]: place,
})

/** Labels of a container that was made for a trial. One that was ready before has its name only: Docker changes no label. */
export const trialLabelsOf = ({ run_id, benchmark, item_id, epoch, ordinal, attempt }: SandboxTrial): Record<string, string> => ({
  'chutes-bench.run': run_id,
  'chutes-bench.benchmark': benchmark,
  'chutes-bench.item': item_id,
  'chutes-bench.epoch': String(epoch),
  'chutes-bench.trial': String(ordinal),
  'chutes-bench.attempt': String(attempt),
})

/** How long a container that was made but never began may stand, in seconds, where its maker cannot be seen. */
const beginning_s = 600

/**
 * Whether a container's agent is no more. It is not where the process that its labels name is gone or another. One of another machine or
 * namespace cannot be seen: its container is an orphan only when it does not run, and is not just beginning. `owner`: whoever has this name now
 * is the only one of it, so that what others of the name left on this machine is nobody's. An agent in a
 * container that is started anew has another namespace.
 */
export function isOrphan(
  { labels, state, age_s }: { labels: Readonly<Record<string, string>>; state: string; age_s: number },
  { owner, holder, isAlive }: { owner: string; holder: Holder; isAlive(process: string): boolean },
): boolean {
  if (labels[processLabel] === holder.process && labels[placeLabel] === holder.place) return false
  if (labels[placeLabel] === holder.place) return labels[ownerLabel] === owner || !isAlive(labels[processLabel] ?? '')
  if (labels[ownerLabel] === owner && bootOf(labels[placeLabel]) === bootOf(holder.place)) return true
  return state !== 'running' && age_s > beginning_s
}

/** The boot of a machine in a place. */
const bootOf = (place = ''): string => place.split(' ')[0]!

/** Whether the process of a label lives. */
export const isAlive = (process: string): boolean => process !== '' && describeProcess(Number(process.split(' ')[0])) === process

/** A process's number and beginning; null where there is none. Source: proc(5), field 22 of `stat`, after the name in parentheses. */
function describeProcess(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid} ${text.slice(text.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return null
  }
}
