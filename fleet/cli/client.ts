import { join } from 'node:path'
import * as z from 'zod'
import { checkoutDir } from '#fleet/program.ts'
import { serviceAddress } from '#fleet/service-file.ts'
import { ProblemBody } from '#shared/contract/problem.ts'
import { fetchReason } from '../fetch-reason.ts'
import { keyIn } from '../key-setting.ts'
import { throughProxy } from '../proxy/proxy-env.ts'
import { CommandError, type Io } from './io.ts'
import { cleanLine } from './terminal.ts'

export type Client = {
  url: string
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.infer<S>>
  /** The same, and when that was by the service's clock. */
  getDated<S extends z.ZodType>(path: string, schema: S): Promise<{ body: z.infer<S>; now: number }>
  post<S extends z.ZodType>(path: string, body: unknown, schema: S, headers?: Record<string, string>): Promise<z.infer<S>>
  postForm<S extends z.ZodType>(path: string, form: FormData, schema: S): Promise<z.infer<S>>
  patch<S extends z.ZodType>(path: string, body: unknown, schema: S): Promise<z.infer<S>>
  put<S extends z.ZodType>(path: string, body: unknown, schema: S): Promise<z.infer<S>>
  delete<S extends z.ZodType>(path: string, schema: S): Promise<z.infer<S>>
  /** The bare answer, for streams and files; an error status throws as everywhere. */
  open(path: string, headers?: Record<string, string>): Promise<Response>
}

/**
 * Talks to the edge at `--url`, BENCH_URL or PORT of this machine, with BENCH_API_KEY when there is one; `asOperator` with ADMIN_SECRET rather than that. Every failure
 * is a `CommandError`.
 */
export function createClient(io: Pick<Io, 'env' | 'fetch' | 'signal'>, given?: string, { asOperator = false } = {}): Client {
  const url = baseUrl(given ?? (io.env.BENCH_URL || hereUrl(io.env)))
  const secret = asOperator ? keyIn(io.env, 'ADMIN_SECRET') : null
  const key = secret ? null : keyIn(io.env, 'BENCH_API_KEY')
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (secret) headers.set('x-admin-secret', secret)
    if (key) headers.set('authorization', `Bearer ${key}`)
    let response: Response
    try {
      response = await io.fetch(url + path, { ...init, headers, signal: io.signal })
    } catch (cause) {
      if (io.signal.aborted) throw new CommandError('interrupted', 'interrupted', null, { cause })
      throw new CommandError(unreachable(`${url}${throughProxy(url, io.env)}`, cause), 'unreachable', null, { cause })
    }
    if (!response.ok) throw await problemOf(response, Boolean(key))
    return response
  }
  const parsed = async <S extends z.ZodType>(schema: S, response: Response): Promise<z.infer<S>> => {
    const body = schema.safeParse(await response.json().catch(() => undefined))
    if (body.success) return body.data
    throw new CommandError(
      `${url} answered something this version does not understand (${z.prettifyError(body.error).split('\n')[0]}); update one of the two.`,
      'bad-answer',
    )
  }
  const change =
    (method: 'PATCH' | 'PUT'): Client['put'] =>
    async (path, body, schema) =>
      parsed(schema, await send(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }))
  return {
    url,
    get: async (path, schema) => parsed(schema, await send(path, {})),
    async getDated(path, schema) {
      const response = await send(path, {})
      const now = Date.parse(response.headers.get('date') ?? '')
      return { body: await parsed(schema, response), now: Number.isNaN(now) ? Date.now() : now }
    },
    post: async (path, body, schema, headers = {}) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
      return parsed(schema, await send(path, { method: 'POST', headers, ...json }))
    },
    postForm: async (path, body, schema) => parsed(schema, await send(path, { method: 'POST', body })),
    patch: change('PATCH'),
    put: change('PUT'),
    delete: async (path, schema) => parsed(schema, await send(path, { method: 'DELETE' })),
    open: (path, headers = {}) => send(path, { headers }),
  }
}

/** Where `npm start` with the same environment listens: at PORT, else where the one of the data directory says, which may be any port. */
export function hereUrl({ PORT, BENCH_DATA }: Io['env']): string {
  const dataDir = BENCH_DATA || join(checkoutDir ?? '.', '.data')
  return (Number(PORT) ? null : serviceAddress(dataDir)) ?? `http://127.0.0.1:${Number(PORT) || 8787}`
}

function baseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${cleanLine(text)} is not an http address; check --url and BENCH_URL.`)
  return url.href.replace(/\/+$/, '')
}

function unreachable(url: string, cause: unknown): string {
  return `Nothing answers at ${url} (${fetchReason(cause)}). Start it here with "npm start", or name another with --url or BENCH_URL.`
}

async function problemOf(response: Response, hadKey: boolean): Promise<CommandError> {
  const text = await response.text().catch(() => '')
  const problem = ProblemBody.safeParse(parseJson(text))
  if (!problem.success) {
    const said = cleanLine(text, 200)
    return new CommandError(`${response.url} answered HTTP ${response.status}${said ? `: ${said}` : ''}.`, 'http', response.status)
  }
  const { code, title, detail, status, errors = [] } = problem.data
  const said = detail.startsWith(title) ? detail : `${title}: ${detail}`
  const pointers = errors.length > 1 ? errors.map((one) => `\n  ${one.pointer || '/'}: ${one.message}`) : []
  const lines = [said, ...pointers].map((line) => cleanKeepingBreaks(line)).join('')
  return new CommandError(`${lines}${whoActs(code, hadKey, response)}`, code, status, { pointer: errors[0]?.pointer ?? null })
}

/** Who has to do something about it, where the problem's own sentence does not say. */
function whoActs(code: string, hadKey: boolean, response: Response): string {
  const { status } = response
  if (status === 401 && !hadKey) return '\nSet BENCH_API_KEY to a key of this service (cbr_…) or to your Chutes key (cpk_…).'
  if (status === 401) return '\nThe key that was sent is the one in BENCH_API_KEY.'
  if (code === 'model-not-found') return '\nHere they are listed by: bench models'
  if (status === 429 || status === 503) {
    const wait = response.headers.get('retry-after')
    return wait ? `\nTry again in ${cleanLine(wait, 20)} s.` : '\nTry again later.'
  }
  if (status >= 500) return '\nThe operator of this service has to act; the request id above tells them where to look.'
  return ''
}

const cleanKeepingBreaks = (text: string) => (text.startsWith('\n') ? `\n  ${cleanLine(text, 500)}` : cleanLine(text, 1000))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
