import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { CommandAgent } from '../contract/command-agent.ts'

/** Tells one command from another: 12 hex digits of a SHA-256 over both of its parts. */
export const agentVersion = ({ command, install }: CommandAgent): string =>
  bytesToHex(sha256(new TextEncoder().encode(JSON.stringify([command, install ?? null])))).slice(0, 12)

const mostShown = 80

/** A command in a line, cut where it is long: `agent 0123456789ab: my-agent --task …`. */
export function agentText(agent: CommandAgent): string {
  const line = agent.command.replace(/\s+/g, ' ')
  return `agent ${agentVersion(agent)}: ${line.length > mostShown ? `${line.slice(0, mostShown)}…` : line}`
}
