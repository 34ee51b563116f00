import * as z from 'zod'
import type { Env } from '../objects/env.ts'

/** Configuration of Sign in with Chutes. */
export type SignInConfig = {
  client_id: string
  /** Null for a public client. Chutes refreshes tokens only with a secret. */
  client_secret: string | null
  /** URL of the identity provider; its discovery document names the endpoints. */
  idp_url: string
  /** Origin of another front end that receives the callback; empty for the pages of this service. */
  frontend_url: string
}

const chutesIdpUrl = 'https://idp.chutes.ai'
const WebAddress = z.url({ protocol: /^https?$/ })

const checkAddress = (text: string): void => {
  if (!WebAddress.safeParse(text).success) throw new Error('it is no http(s):// address')
}

/** Checks of the variables, and the feature that an invalid value turns off. */
export const signInVariables = {
  CHUTES_IDP_URL: { off: 'another identity provider than Chutes', needed: false, check: checkAddress },
  FRONTEND_URL: { off: 'a front end at another address', needed: false, check: checkAddress },
}

/** Reads the configuration. Returns null without CHUTES_CLIENT_ID: sign-in is then off. */
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
