import type { RunSpec } from '#shared/contract/run.ts'
import { credentialContext, type SealPort } from './seal.ts'

/** How the owner of a run pays: with an API key, or with the account of a session. */
export type OwnPayment = { by: 'key'; key: string } | { by: 'session'; session_id: string }

/** Fields of `Principal` (`deps.ts`) that decide the payment. */
type Purse = { credential: string | null; account?: { session_id: string | null } }

/** Returns the principal's own payment; null if only the operator can pay. */
export function ownPayment({ credential, account }: Purse): OwnPayment | null {
  if (credential !== null) return { by: 'key', key: credential }
  return account?.session_id ? { by: 'session', session_id: account.session_id } : null
}

/**
 * Whether the operator pays for a user who has signed in without the scope `chutes:invoke`. Off unless
 * the operator names an amount a day, which the budget `operator:<owner_id>` keeps to.
 */
export function operatorPays({ session }: { session?: { invokes: boolean } }, config: { operator_pays_usd: number | null }): boolean {
  return session?.invokes === false && config.operator_pays_usd !== null
}

/** Prefix of a sealed session id. A key contains no blank, so the two cannot be confused. */
const sessionMark = 'session '

/** Seals a payment for one run. A session is sealed as its id because its tokens change. */
export function sealPayment(payment: OwnPayment, spec: RunSpec, seal: Pick<SealPort, 'seal'>): Promise<string> {
  return seal.seal(payment.by === 'key' ? payment.key : `${sessionMark}${payment.session_id}`, credentialContext(spec))
}

/** Opens a payment that `sealPayment` sealed. Throws `SealBroken`. */
export async function openPayment(sealed: string, spec: RunSpec, seal: Pick<SealPort, 'open'>): Promise<OwnPayment> {
  const text = await seal.open(sealed, credentialContext(spec))
  return text.startsWith(sessionMark) ? { by: 'session', session_id: text.slice(sessionMark.length) } : { by: 'key', key: text }
}
