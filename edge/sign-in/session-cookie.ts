/** Holds a session's secret in the browser. */
export const sessionCookie = 'chutes_bench_runner_session'
/** The same as the predecessor's front end sends it from its own server. */
const formerSessionCookie = 'bench_session'
/** Holds what a sign-in that is under way must remember. */
export const flowCookie = 'chutes_bench_runner_sign_in'

/** Days until a session ends that nobody ends before. */
export const sessionDays = 30

/** A session's secret: 32 random bytes in hex. */
const sessionSecret = /^[0-9a-f]{64}$/

/** The secret of the session that a request comes with; null where it brings none that could be one. */
export function readSessionSecret(header: string | null): string | null {
  const cookies = readCookies(header)
  const secret = cookies.get(sessionCookie) ?? cookies.get(formerSessionCookie)
  return secret !== undefined && sessionSecret.test(secret) ? secret : null
}

/** The cookies of a `Cookie` header by name; of one that comes twice the first, which has the longer path. */
export function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').slice(0, 16_384).split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(at, 0)).trim()
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim())
  }
  return cookies
}

/** A `Set-Cookie` that scripts cannot read and other sites do not send along. `secure` is false on plain HTTP only, which a loopback address may be. */
export function setCookie(
  name: string,
  value: string,
  { seconds, secure, path = '/' }: { seconds: number; secure: boolean; path?: string },
): string {
  return [`${name}=${value}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])].join('; ')
}

/** A `Set-Cookie` that takes a cookie away. */
export const clearCookie = (name: string, options: { secure: boolean; path?: string }): string =>
  setCookie(name, '', { ...options, seconds: 0 })
