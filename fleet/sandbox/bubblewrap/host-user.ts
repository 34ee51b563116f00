import type { Owner } from './workspace-files.ts'

/** Ids that no distribution gives out (systemd's list of UIDs and GIDS): 2^24 of them. */
const firstId = 1_879_048_192
const perProcess = 256
let given = 0

/**
 * Who a sandbox is on the host: for an agent that is root a user without rights and, among 256, without fellows; null: the agent's own, as only
 * root can become another. Never root, whose id would stay that of the host's root however a namespace shows it.
 */
export function nextHostUser(agentUid: number, pid: number): Owner | null {
  if (agentUid !== 0) return null
  const id = firstId + (pid % 65_536) * perProcess + (given++ % perProcess)
  return { uid: id, gid: id }
}
