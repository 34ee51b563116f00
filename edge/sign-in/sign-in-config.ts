import * as z from 'zod'
import type { Env } from '../objects/env.ts'

/** How people sign in here with their account at Chutes. */
export type SignInConfig = {
  client_id: string
  /** Null for a public client: its tokens are not refreshed, because Chutes asks for the secret then. */
  client_secret: string | null
  /** Where the identity provider is; its discovery document names the rest. */
  idp_url: string
  /** Address of a front end elsewhere to which browsers come back; empty: they come back to this service. */
  frontend_url: string
}

const chutesIdpUrl = 'https://idp.chutes.ai'
const WebAddress = z.url({ protocol: /^https?$/ })

const checkAddress = (text: string): void => {
  if (!WebAddress.safeParse(text).success) throw new Error('it is no http(s):// address')
}

/** What each variable turns off when it does not read. */
export const signInVariables = {
  CHUTES_IDP_URL: { off: 'another identity provider than Chutes', needed: false, check: checkAddress },
  FRONTEND_URL: { off: 'a front end at another address', needed: false, check: checkAddress },
}

/** Reads the variables of Sign in with Chutes; null where no client id is set, and nobody signs in then. */
export function readSignIn(env: Partial<Env>): SignInConfig | null {
  const client_id = env.CHUTES_CLIENT_ID?.trim()
  if (!client_id) return null
  return {
    client_id,
    client_secret: env.CHUTES_CLIENT_SECRET?.trim() || null,
    idp_url: address(env.CHUTES_IDP_URL) ?? chutesIdpUrl,
    frontend_url: address(env.FRONTEND_URL) ?? '',
  }
}

function address(text: string | undefined): string | undefined {
  const { success, data } = WebAddress.safeParse(text?.trim())
  return success ? data.replace(/\/+$/, '') : undefined
}
