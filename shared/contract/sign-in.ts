import * as z from 'zod'
import { TeamPlace } from './team-place.ts'

export const SignedInUser = z.object({ id: z.string(), username: z.string().describe('The name at Chutes') })

/** Payer of a run's model calls. */
export const Payer = z.enum(['owner', 'operator'])

/** Sign-in status, with the fields of the predecessor. */
export const SignInStatus = z.object({
  idp_configured: z.boolean().describe('Whether sign-in is configured'),
  authenticated: z.boolean().describe('Whether you are signed in'),
  user: SignedInUser.nullable().describe('The signed-in user; null without a session'),
  has_invoke_scope: z.boolean().describe('Whether your account pays for your runs (scope `chutes:invoke`)'),
  teams: z.array(TeamPlace).default([]).describe('Your teams'),
  keeps_settings: z
    .boolean()
    .default(false)
    .describe('Whether keys at providers and defaults of yours are kept: you are signed in, or the local owner'),
  pays: Payer.nullable().describe('Payer of the next run; null if only free models can be run'),
})
export type SignInStatus = z.infer<typeof SignInStatus>

/** Remaining request quota of an account; null if Chutes does not return it. */
export const Quota = z.object({
  total: z.number().nullable().describe('Requests a day'),
  left: z.number().nullable().describe('Requests left until midnight UTC'),
})
export type Quota = z.infer<typeof Quota>

/** A browser session of a user. */
export const Session = z.object({
  id: z.string(),
  browser: z.string().describe('User-Agent header; may be empty'),
  created_at: z.string(),
  used_at: z.string().describe('Time of the last use, accurate to five minutes'),
  expires_at: z.string(),
  current: z.boolean().describe('Whether this request used the session'),
})
export const SessionList = z.object({ sessions: z.array(Session).describe('Browsers that are signed in') })
export type Session = z.infer<typeof Session>

/** Reasons for a failed sign-in, with the remedy. */
export const signInRefusals = {
  denied: { status: 403, text: 'You did not allow this service to sign you in. Begin again if you want to.' },
  state: { status: 400, text: 'This sign-in was not begun in this browser, or more than ten minutes ago. Begin again.' },
  code: {
    status: 400,
    text: 'Chutes does not take the code of this sign-in: it was used before, is too old or does not fit. Begin again.',
  },
  profile: {
    status: 403,
    text: 'Chutes does not say who you are, because you signed in without your profile (scopes openid and profile). Begin again and allow it.',
  },
  client: {
    status: 503,
    text: 'Chutes does not know this service. Its operator must look at CHUTES_CLIENT_ID, CHUTES_CLIENT_SECRET and the registered address.',
  },
  away: { status: 503, text: 'Chutes does not answer now. Try again in a minute.' },
} as const satisfies Record<string, { status: 400 | 403 | 503; text: string }>
export type SignInRefusal = keyof typeof signInRefusals

export const isSignInRefusal = (name: unknown): name is SignInRefusal => typeof name === 'string' && Object.hasOwn(signInRefusals, name)
