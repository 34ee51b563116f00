import * as z from 'zod'
import { foreign } from './foreign.ts'
import { helperRoles } from './role.ts'

const providerReasons = [
  'rate-limited',
  'overloaded',
  'server-error',
  'connect-timeout',
  'first-token-timeout',
  'idle-timeout',
  'total-timeout',
  'connection',
  'cut-stream',
  'bad-response',
  'empty-response',
  'too-large',
  'bad-request',
  'context-length',
  'unauthorized',
  'payment-required',
  'forbidden',
  'not-found',
  'content-filter',
  'circuit-open',
] as const

/** Where a trial could fail to be scored, and every reason there is. A reason never comes from a message text. */
export const failureReasons = {
  provider: providerReasons,
  /** A helper's provider, and a helper whose replies cannot be read: a judge without a verdict. */
  judge: [...providerReasons, 'unreadable'],
  user: [...providerReasons, 'unreadable'],
  /** The last four are of machines, for tasks that no service has from before they were reasons: an image that is nowhere or was not built, a machine that is never ready, a task that asks for what no machine is given. */
  sandbox: [
    'unavailable',
    'timeout',
    'out-of-memory',
    'output-limit',
    'disk-full',
    'denied',
    'image-missing',
    'build-failed',
    'unhealthy',
    'task-refused',
  ],
  dataset: ['unavailable', 'gated', 'mismatch', 'bad-record', 'text-unavailable'],
  solver: ['error'],
  scorer: ['error', 'resource-missing'],
  /** `aborted` is no result: the trial was given up on the way, and is another's to do. */
  agent: ['poison', 'lost', 'aborted', 'disk-full', 'error'],
  /** The store of artifacts. */
  store: ['unavailable', 'too-large'],
  /** Answers given in place of a model's: none for this question, none to be had, or others than the run was planned with. */
  replay: ['no-answer', 'unavailable', 'mismatch'],
} as const satisfies Record<string, readonly string[]>

const base = { retryable: z.boolean(), detail: foreign('provider', z.string().max(2000)), status: z.int().nullable() }
const at = <const P extends keyof typeof failureReasons>(place: P) =>
  z.object({ at: z.literal(place), reason: z.enum(failureReasons[place]), ...base })

/** A trial that could not be scored. `detail` is for people only; `status` is the HTTP status where there was one. */
export const Failure = z.discriminatedUnion('at', [
  at('provider'),
  at('judge'),
  at('user'),
  at('sandbox'),
  at('dataset'),
  at('solver'),
  at('scorer'),
  at('agent'),
  at('store'),
  at('replay'),
])
export type Failure = z.infer<typeof Failure>

/** What an attempt that was given up on the way reports: only what it took counts. */
export const abortedClass = 'agent/aborted'
export type ProviderReason = (typeof failureReasons.provider)[number]

/** Either a value or the failure that took its place: what everything in the fleet returns. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure }

/** `provider/rate-limited`: the name under which a failure is counted and filtered. */
export function failureClass(failure: Pick<Failure, 'at' | 'reason'>): string {
  return `${failure.at}/${failure.reason}`
}

/** Places where a model's provider was asked: the tested one's and those of the helpers. */
const askedPlaces: readonly string[] = ['provider', ...helperRoles] satisfies (keyof typeof failureReasons)[]

/** Reasons that stop the whole run at once: no other trial of it can succeed before somebody acts. */
export const haltingReasons: readonly ProviderReason[] = ['unauthorized', 'payment-required', 'forbidden', 'not-found']

/** Whether a failure stops the whole run: the provider of the model or of a helper refuses every further request. */
export function isHalting(failure: Pick<Failure, 'at' | 'reason'>): boolean {
  return askedPlaces.includes(failure.at) && (haltingReasons as readonly string[]).includes(failure.reason)
}

/**
 * Reasons that lie in what the trial asks: asked again, whoever has acted meanwhile, it would be refused again. A plain `bad-request` is none of
 * them, as nothing tells whether the question or the provider was at fault.
 */
const ofTheRequest: readonly string[] = ['too-large', 'context-length', 'content-filter'] satisfies ProviderReason[]

/** Whether a trial that failed so (`provider/overloaded`) may succeed when somebody asks for it again. Unknown classes may. */
export function mayStillSucceed(failure: string): boolean {
  const [place, reason = ''] = failure.split('/')
  if (place !== undefined && askedPlaces.includes(place)) return !ofTheRequest.includes(reason)
  return !['dataset/bad-record', 'store/too-large', 'replay/no-answer'].includes(failure)
}
