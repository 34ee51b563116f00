import { EncryptJWT, jwtDecrypt } from 'jose'
import * as z from 'zod'

/** Seconds that somebody may take to sign in. */
export const flowSeconds = 600

/** What a sign-in that is under way must remember: who may finish it is whoever has it. */
export const Flow = z.object({
  state: z.string().min(16),
  verifier: z.string().min(43),
  redirect_uri: z.string(),
  return_to: z.string(),
})
export type Flow = z.infer<typeof Flow>

/** Seals flows for the browser that began them, and opens them within `flowSeconds`. */
export type FlowSeal = {
  seal(flow: Flow, now: Date): Promise<string>
  /** Undefined for what was not sealed here, was changed, or is too old. */
  open(sealed: string, now: Date): Promise<Flow | undefined>
}

const issuer = 'chutes-bench-runner'
const audience = 'sign-in'

/** Seals with a key of its own that the deployment's MASTER_KEY gives; encrypted JWT (RFC 7519, `dir` with A256GCM). */
export function createFlowSeal(master_key: string): FlowSeal {
  const key = async () => new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`bench-sign-in|v1|${master_key}`)))
  return {
    async seal(flow, now) {
      const seconds = Math.floor(now.getTime() / 1000)
      return new EncryptJWT({ flow })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + flowSeconds)
        .encrypt(await key())
    },
    async open(sealed, now) {
      try {
        const { payload } = await jwtDecrypt(sealed, await key(), {
          ...{ issuer, audience, currentDate: now, requiredClaims: ['exp'] },
          ...{ keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
        })
        return Flow.safeParse(payload.flow).data
      } catch {
        return undefined
      }
    },
  }
}

/** A new code verifier of 256 bits and the challenge that stands for it (RFC 7636, S256). */
export async function newVerifier(
  random: () => Uint8Array = () => crypto.getRandomValues(new Uint8Array(32)),
): Promise<{ verifier: string; challenge: string }> {
  const verifier = base64Url(random())
  return { verifier, challenge: await challengeOf(verifier) }
}

/** The S256 challenge of a verifier. */
export async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
