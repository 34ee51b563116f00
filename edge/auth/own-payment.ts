import type { RunSpec } from '#shared/contract/run.ts'
import type { ScopeName } from '#shared/contract/scopes.ts'
import type { SignInStatus } from '#shared/contract/sign-in.ts'
import { credentialContext, type SealPort } from './seal.ts'

/** How the owner of a run pays: with an API key, with the account of a session, or with a saved key of a provider. */
export type OwnPayment = { by: 'key'; key: string } | { by: 'session'; session_id: string } | { by: 'provider key'; key_id: string }

/** Fields of `Principal` (`deps.ts`) that decide the payment. */
type Purse = { credential: string | null; account?: { session_id: string | null } }

/** Returns the principal's own payment; null if only the operator can pay. */
export function ownPayment({ credential, account }: Purse): Exclude<OwnPayment, { by: 'provider key' }> | null {
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

/** Who pays for the runs of this principal; null where only free models can be run. */
export function payerOf(
  principal: Purse & { scopes: readonly ScopeName[]; session?: { invokes: boolean } },
  config: { operator_pays_usd: number | null },
): SignInStatus['pays'] {
  if (!principal.scopes.includes('runs:write')) return null
  if (ownPayment(principal)) return 'owner'
  return principal.account && !operatorPays(principal, config) ? null : 'operator'
}

/** Prefixes of sealed ids. A key contains no blank, so that none is taken for another. */
const marks = { session: 'session ', 'provider key': 'provider-key ' } as const

/** Seals a payment for one run. For a session or a saved key the id is sealed, because tokens and keys change. */
export function sealPayment(payment: OwnPayment, spec: RunSpec, seal: Pick<SealPort, 'seal'>): Promise<string> {
  return seal.seal(textOf(payment), credentialContext(spec))
}

function textOf(payment: OwnPayment): string {
  switch (payment.by) {
    case 'key':
      return payment.key
    case 'session':
      return `${marks.session}${payment.session_id}`
    case 'provider key':
      return `${marks['provider key']}${payment.key_id}`
  }
}

/** Opens a payment that `sealPayment` sealed. Throws `SealBroken`. */
export async function openPayment(sealed: string, spec: RunSpec, seal: Pick<SealPort, 'open'>): Promise<OwnPayment> {
  const text = await seal.open(sealed, credentialContext(spec))
  if (text.startsWith(marks.session)) return { by: 'session', session_id: text.slice(marks.session.length) }
  if (text.startsWith(marks['provider key'])) return { by: 'provider key', key_id: text.slice(marks['provider key'].length) }
  return { by: 'key', key: text }
}
