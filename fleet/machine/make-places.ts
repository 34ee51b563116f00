import { setTimeout as wait } from 'node:timers/promises'
import type { Container } from 'dockerode'
import type { Machine } from '#shared/solvers/machine.ts'
import { isOpenFolder } from './transfer.ts'

/** How long the first program of a machine is given for it, in milliseconds between looks. */
const pauses_ms = [0, 4, 8, 16, 32, 64, 128]

/**
 * Sees to it that folders are there into which everybody may write; null, or what went wrong. A machine's first program makes them where it may (`isRoots`),
 * as a command in it costs twenty times as much as a look; where it has not, a command does. Throws where the engine does not answer.
 */
export async function makePlaces(
  { container, exec }: { container: Container; exec: Machine['exec'] },
  places: readonly string[],
  isRoots: boolean,
): Promise<string | null> {
  if (places.length === 0) return null
  for (const pause_ms of isRoots ? pauses_ms : []) {
    await wait(pause_ms)
    if (await areThere(container, places)) return null
  }
  const argv = ['sh', '-c', 'mkdir -p "$@" && chmod 777 "$@"', 'sh', ...places] as const
  const { end, exit_code, head } = await exec({ argv, user: 'root', timeout_ms: 60_000, head_bytes: 2000, tail_bytes: 0 })
  return end === 'exited' && exit_code === 0 ? null : `${end} ${new TextDecoder().decode(head)}`.trim()
}

/** The last is made last, and an image may have had any of them. */
async function areThere(container: Container, places: readonly string[]): Promise<boolean> {
  for (const place of places.toReversed()) if (!(await isOpenFolder(container, place))) return false
  return true
}
