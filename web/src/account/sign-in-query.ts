import { query } from '@solidjs/router'
import { SignInStatus } from '#shared/contract/sign-in.ts'
import { ask } from '../api.ts'

/** Who is signed in. In a file of its own: every page asks it, and few ask the rest. */
export const getSignIn = query(() => ask(SignInStatus, '/api/auth/status'), 'sign-in')
