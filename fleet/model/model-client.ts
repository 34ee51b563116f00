import { Pool } from 'undici'
import { defaultLimits } from '#shared/contract/limits.ts'
import type { KeyedProvider, ProviderKind } from '#shared/providers/provider.ts'
import { type ProviderHeaders, secretHeaders, sentHeaders } from '#shared/providers/provider-headers.ts'
import { defOf } from '#shared/providers/providers.ts'
import { createGrowingRedactor } from '#shared/secrets/growing-redactor.ts'
import { routeTo } from '../proxy/proxy-route.ts'
import { openReading, type ReadAnswer } from './answer-reading.ts'
import { asAsked } from './as-asked.ts'
import { askedAt } from './asked-at.ts'
import { createCallDeadlines } from './call-deadlines.ts'
import { createCallHandler } from './call-handler.ts'
import { CallAborted, type CallResult, type ModelTimeouts, timeoutsOf } from './call-result.ts'
import { createAnswerCleaner } from './clean-answer.ts'
import { createRedact } from './provider-failure.ts'
import { createBodies, type ModelRequest } from './request-body.ts'
import { askedByText, readByText } from './text-tools.ts'
import { createTimedConnector } from './timed-connector.ts'

/**
 * Time limits of this call in place of the client's (but for connecting), who hears of its first token and of its server's name, and who may
 * read its answer while it comes.
 */
export type CallMore = {
  timeouts?: ModelTimeouts
  onStarted?: (() => void) | undefined
  onAnswer?: ((read: ReadAnswer) => void) | undefined
  onServer?: ((server: string) => void) | undefined
  /** How long the request has been in line until now; told with its answer. */
  waitedMs?: number
}

export type ModelClient = {
  /** One request, never repeated here. Rejects only with `CallAborted`, when the signal aborts. */
  call(request: ModelRequest, signal: AbortSignal | null, more?: CallMore): Promise<CallResult>
  close(): Promise<void>
}

export const defaultTimeouts: ModelTimeouts = timeoutsOf(defaultLimits)

export type ModelClientOptions = {
  /** For example `https://llm.chutes.ai/v1`; `/chat/completions` is added to its path. */
  baseUrl: string
  apiKey: string | null
  model: string
  /** How this kind of provider differs. */
  kind: ProviderKind
  connections: number
  timeouts: ModelTimeouts
  /** The name that requests call the server by, in place of that of `baseUrl`. */
  host?: string | null | undefined
  /** Sent with every request; those that are secret are in no reply. */
  headers?: ProviderHeaders | undefined
  /** The field for a budget of reasoning, where its operator names one; the kind's own where not. */
  budgetField?: string | null | undefined
  /** Whatever else the agent holds and no reply may carry on: keys of other providers, its own token. */
  secrets?: readonly string[]
}

/** What a client is told of a provider besides its key. */
export const endpointOf = ({ base_url, kind, headers, reasoning_budget_field, host }: KeyedProvider & { host?: string | null }) => ({
  ...{ baseUrl: base_url, kind, headers, host },
  budgetField: reasoning_budget_field,
})

/**
 * Client of one OpenAI-compatible chat endpoint over an undici pool, always streaming, through the proxy that the environment names for it. Redirects
 * are never followed, so the key goes to no other host; compression is not asked for. Throws for a base URL that is not plain http or https.
 */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const url = new URL(options.baseUrl)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) throw new TypeError('the base URL must be plain http or https')
  const route = routeTo(url, options.timeouts.connectMs)
  const connection = createTimedConnector(route.connect)
  const pool = new Pool(route.origin, {
    connections: options.connections,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    // TLS checks the host of the address, not that of the header: an empty name is the address's own.
    connect: options.host ? (to, done) => connection.connect({ ...to, servername: '' }, done) : connection.connect,
  })
  const secrets = [...(options.apiKey ? [options.apiKey] : []), ...secretHeaders(options), ...(options.secrets ?? [])]
  const headers = ['content-type', 'application/json', 'accept', 'text/event-stream', 'user-agent', 'chutes-bench-runner']
  headers.push(...Object.entries(sentHeaders(options, options.apiKey)).flat(), ...named(route.headers, options.host))
  const endpoint = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  const path = `${route.prefix}${endpoint}${url.search}`
  const asked = askedAt(`${url.origin}${endpoint}`, route.proxy)
  const def = defOf(options)
  const bodyOf = createBodies(options.model, url.host, def, options.budgetField)
  const redact = createRedact(secrets)
  const clean = createAnswerCleaner(secrets)
  const growing = createGrowingRedactor(secrets)
  const deadlines = createCallDeadlines()

  return {
    call(request, signal, { timeouts = options.timeouts, onStarted, onAnswer, onServer, waitedMs = 0 } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(new CallAborted(null, signal.reason))
          return
        }
        const byText = request.params.tool_calling === 'text'
        const handler = createCallHandler({
          timeouts,
          deadlines,
          redact,
          refusals: def,
          asked,
          signal,
          resolve: (result) => {
            if (!result.ok) return resolve(result)
            const answer = clean(result.value)
            resolve(asAsked(byText ? readByText(answer, request) : answer, options.model, def))
          },
          reject,
          onStarted,
          onAnswer: onAnswer && ((soFar) => onAnswer(() => openReading(soFar, growing))),
          onServer,
          before: { waitedMs, handedMs: performance.now(), connectMs: connection.freshMs },
        })
        pool.dispatch({ path, method: 'POST', headers, body: bodyOf(byText ? askedByText(request) : request) }, handler)
      })
    },
    close() {
      deadlines.close()
      return pool.destroy()
    },
  }
}

/** The headers of a route, with another name of the server where one is given. */
function named(headers: readonly string[], host: string | null | undefined): string[] {
  if (!host) return [...headers]
  const at = headers.indexOf('host')
  return ['host', host, ...(at < 0 ? headers : headers.toSpliced(at, 2))]
}
