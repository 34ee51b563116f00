import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Whom the fleet sends to which run: an agent's name, its session, the run. */
export type Sent = { run_id: string; session: string; agent_id: string }

/** What passes are made from: the Worker's master key, else the token that every agent of this service has. */
export function passSecret({ MASTER_KEY, AGENT_TOKEN }: { MASTER_KEY?: string | undefined; AGENT_TOKEN?: string | undefined }): string {
  return MASTER_KEY || AGENT_TOKEN || ''
}

const encoder = new TextEncoder()
/** Passes are asked for at every assignment; so many are remembered. */
const mostRemembered = 20_000

/**
 * Passes by which the fleet's object sends a session to a run, and the run's object knows that it did: nobody else can make one, and one
 * made for another run, session or name does not hold. Both objects make them from the same secret of the Worker.
 */
export function createPasses(secret: string) {
  const key = sha256(encoder.encode(`bench-pass|v1|${secret}`))
  const made = new Map<string, string>()
  const passOf = ({ run_id, session, agent_id }: Sent): string => {
    const text = JSON.stringify([run_id, session, agent_id])
    const known = made.get(text)
    if (known) return known
    if (made.size >= mostRemembered) made.clear()
    const pass = bytesToHex(hmac(sha256, key, encoder.encode(text)))
    made.set(text, pass)
    return pass
  }
  return {
    passOf,
    /** Whether the pass is the one for this run, session and name; the time it takes says nothing of where it differs. */
    holds(pass: string | undefined, sent: Sent): boolean {
      const expected = passOf(sent)
      if (pass?.length !== expected.length) return false
      let difference = 0
      for (let at = 0; at < expected.length; at++) difference |= pass.charCodeAt(at) ^ expected.charCodeAt(at)
      return difference === 0
    },
  }
}
