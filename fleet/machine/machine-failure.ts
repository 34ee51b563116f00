import type { Failure, failureReasons, Outcome } from '#shared/contract/failure.ts'

type Reason = (typeof failureReasons.sandbox)[number]

/** A machine that cannot be had. `detail` says who must act; what is long is cut in front, as logs end with what matters. */
export function refusedMachine(reason: Reason, retryable: boolean, detail: string, status: number | null = null): Outcome<never> {
  return { ok: false, failure: machineFailure(reason, retryable, detail, status) }
}

function machineFailure(reason: Reason, retryable: boolean, detail: string, status: number | null): Failure {
  return { at: 'sandbox', reason, retryable, status, detail: detail.slice(0, 2000) }
}

/** The end of a log in at most so many characters, for the detail of a failure. */
export const endOf = (log: string, most = 1500): string => {
  const text = log.trimEnd()
  return text.length <= most ? text : `…${text.slice(-most)}`
}

/**
 * What a registry's refusal means, in a sentence of ours: the engine's own words tell what stands at an address. They are read here and nowhere else: `toomanyrequests`,
 * `unauthorized`, `denied` and `manifest unknown` are the registries' own codes. Source: the OCI distribution specification, Docker's
 * `translatePullError`.
 */
export function pullRefusal(name: string, { status, words }: { status: number | null; words: string }, loggedIn: boolean): Outcome<never> {
  const said = name.slice(0, 300)
  if (status === 429 || /toomanyrequests|too many requests|\b429\b|rate limit/i.test(words))
    return refusedMachine(
      'unavailable',
      true,
      `${said}: the registry lets nobody pull more for now. The operator can log in or name a mirror.`,
      429,
    )
  if (
    /incorrect username or password|authentication required|no basic auth|unauthorized|\b401\b/i.test(words) &&
    !/pull access denied/i.test(words)
  )
    return refusedMachine(
      'denied',
      false,
      `${said}: the registry refuses the login. The operator must give the agent a login that it takes.`,
      401,
    )
  if (/pull access denied|denied|\b403\b/i.test(words)) {
    const who = loggedIn ? 'the operator’s login may not pull it' : 'it takes a login, which the operator can give the agent'
    return refusedMachine('image-missing', false, `${said}: there is no such image, or ${who}.`, 404)
  }
  if (status === 404 || /manifest unknown|name unknown|not found|no such image|\b404\b/i.test(words))
    return refusedMachine('image-missing', false, `${said}: there is no such image. Whoever made the task must name another.`, 404)
  return refusedMachine('unavailable', true, `${said}: the engine could not pull it.`)
}
