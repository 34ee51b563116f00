import { EncryptJWT, jwtDecrypt } from 'jose'
import * as z from 'zod'

/** Lifetime of a sign-in flow in seconds. */
export const flowSeconds = 600

/** State of a sign-in flow. Only the holder of the sealed flow can finish the sign-in. */
export const Flow = z.object({
  state: z.string().min(16),
  verifier: z.string().min(43),
  redirect_uri: z.string(),
  return_to: z.string(),
})
export type Flow = z.infer<typeof Flow>

/** Seals a flow for the browser, and opens the flow within `flowSeconds`. */
export type FlowSeal = {
  seal(flow: Flow, now: Date): Promise<string>
  /** Returns undefined for a forged, changed or expired flow. */
  open(sealed: string, now: Date): Promise<Flow | undefined>
}

const issuer = 'chutes-bench-runner'
const audience = 'sign-in'

/** Seals flows as encrypted JWTs (RFC 7519, `dir` with A256GCM) with a key derived from MASTER_KEY. */
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

/** Makes a code verifier of 256 bits and its challenge (RFC 7636, S256). */
export async function newVerifier(
  random: () => Uint8Array = () => crypto.getRandomValues(new Uint8Array(32)),
): Promise<{ verifier: string; challenge: string }> {
  const verifier = base64Url(random())
  return { verifier, challenge: await challengeOf(verifier) }
}

/** Computes the S256 challenge of a verifier. */
export async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
