import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The secret by which the fleet knows that an agent is the one that first had its name: made once, kept in the data directory, readable by
 * its owner only. Where nothing can be written it lasts as long as the process, and `note` hears what that means.
 */
export function agentSecret(dataDir: string, agentId: string, note: (sentence: string) => void): string {
  const file = join(dataDir, 'agents', `${agentId}.secret`)
  const known = read(file)
  if (known) return known
  const secret = randomBytes(32).toString('base64url')
  try {
    mkdirSync(join(dataDir, 'agents'), { recursive: true })
    writeFileSync(file, secret, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // Another process of this name was faster; it is the same agent then.
    const other = read(file)
    if (other) return other
    note(`${file} cannot be written (${error instanceof Error ? error.message : error}): after a restart this agent needs another --name.`)
  }
  return secret
}

/** Name of an agent at Docker engines: the same after a restart, and nobody else's. */
export const ownerOf = (secret: string): string => createHash('sha256').update(`owner ${secret}`).digest('hex').slice(0, 32)

function read(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text.length >= 16 ? text : undefined
  } catch {
    return undefined
  }
}
