/** Name of the cookie that stores the session secret. */
export const sessionCookie = 'chutes_bench_runner_session'
/** Name of the same cookie in the predecessor's front end. */
const formerSessionCookie = 'bench_session'
/** Name of the cookie that stores the sealed sign-in flow. */
export const flowCookie = 'chutes_bench_runner_sign_in'

/** Lifetime of a session in days. */
export const sessionDays = 30

/** Form of a session secret: 32 random bytes in hex. */
const sessionSecret = /^[0-9a-f]{64}$/

/** Reads the session secret of a `Cookie` header; null without a well-formed secret. */
export function readSessionSecret(header: string | null): string | null {
  const cookies = readCookies(header)
  const secret = cookies.get(sessionCookie) ?? cookies.get(formerSessionCookie)
  return secret !== undefined && sessionSecret.test(secret) ? secret : null
}

/** Parses a `Cookie` header. Of two cookies with one name, the first wins: its path is longer. */
export function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').slice(0, 16_384).split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(at, 0)).trim()
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim())
  }
  return cookies
}

/** Builds a `Set-Cookie` value with HttpOnly and SameSite=Lax. `secure` is false for plain HTTP on loopback. */
export function setCookie(
  name: string,
  value: string,
  { seconds, secure, path = '/' }: { seconds: number; secure: boolean; path?: string },
): string {
  return [`${name}=${value}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])].join('; ')
}

/** Builds a `Set-Cookie` value that deletes a cookie. */
export const clearCookie = (name: string, options: { secure: boolean; path?: string }): string =>
  setCookie(name, '', { ...options, seconds: 0 })
