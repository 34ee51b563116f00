import type { RunSpec } from '#shared/contract/run.ts'
import { credentialContext, type SealPort } from './seal.ts'

/** How the owner of a run pays for it: with a key of his own, or with the account of a session. */
export type OwnPayment = { by: 'key'; key: string } | { by: 'session'; session_id: string }

/** What a principal (`Principal` of `deps.ts`) has to pay with. */
type Purse = { credential: string | null; account?: { session_id: string | null } }

/** What a principal can pay with; null where only the operator of the service can. */
export function ownPayment({ credential, account }: Purse): OwnPayment | null {
  if (credential !== null) return { by: 'key', key: credential }
  return account?.session_id ? { by: 'session', session_id: account.session_id } : null
}

/** A blank stands in no key. */
const sessionMark = 'session '

/** Seals it for one run: a key as it is, a session as its id, because its tokens change. */
export function sealPayment(payment: OwnPayment, spec: RunSpec, seal: Pick<SealPort, 'seal'>): Promise<string> {
  return seal.seal(payment.by === 'key' ? payment.key : `${sessionMark}${payment.session_id}`, credentialContext(spec))
}

/** Opens what `sealPayment` sealed. Throws `SealBroken`. */
export async function openPayment(sealed: string, spec: RunSpec, seal: Pick<SealPort, 'open'>): Promise<OwnPayment> {
  const text = await seal.open(sealed, credentialContext(spec))
  return text.startsWith(sessionMark) ? { by: 'session', session_id: text.slice(sessionMark.length) } : { by: 'key', key: text }
}
