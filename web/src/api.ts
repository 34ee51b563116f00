import { getRequestEvent, isServer } from 'solid-js/web'
import type * as z from 'zod'
import type { ProblemBody } from '#shared/contract/problem.ts'
import { callServerApi } from './server-api.ts'

/** What a page can say of a failed call: what happened, where, and the id to hand to the operator. */
export type ApiProblem = Pick<ProblemBody, 'code' | 'title' | 'status' | 'detail'> & {
  errors: NonNullable<ProblemBody['errors']>
  request_id: string | null
}
/** A value or the problem that took its place. Plain data, so that it survives the way from server to browser. */
export type Answer<T> = { ok: true; value: T } | { ok: false; problem: ApiProblem }

/** Calls the API: in process on the server (with the visitor's cookie and language), over the network in the browser. */
export async function apiFetch(path: string, init: RequestInit = {}): Promise<Response> {
  if (!isServer) return fetch(path, init)
  const visitor = getRequestEvent()!.request
  const headers = new Headers(init.headers)
  for (const name of ['cookie', 'authorization', 'cf-connecting-ip', 'accept-language']) {
    const value = visitor.headers.get(name)
    if (value) headers.set(name, value)
  }
  return callServerApi(new Request(new URL(path, visitor.url), { ...init, headers }))
}

/** Calls the API and parses its answer by the contract; never throws, a broken answer is a problem as well. */
export async function ask<S extends z.ZodType>(schema: S, path: string, init?: RequestInit): Promise<Answer<z.infer<S>>> {
  const got = await respond(path, init)
  return got instanceof Response ? readAnswer(schema, path, got) : got
}

/** A page of a list and how many there are in all, which the header `x-total-count` says; otherwise as `ask`. */
export async function askPage<S extends z.ZodType>(schema: S, path: string): Promise<Answer<{ rows: z.infer<S>; total: number }>> {
  const got = await respond(path)
  if (!(got instanceof Response)) return got
  const answer = await readAnswer(schema, path, got)
  return answer.ok ? { ok: true, value: { rows: answer.value, total: Number(got.headers.get('x-total-count') ?? 0) } } : answer
}

async function respond(path: string, init?: RequestInit) {
  try {
    return await apiFetch(path, init)
  } catch (cause) {
    return init?.signal?.aborted ? failed('aborted', 0, 'The request was given up', '') : unreachable(path, cause)
  }
}

/** Parses an answer by the contract, however it came. */
export async function readAnswer<S extends z.ZodType>(schema: S, path: string, response: Response): Promise<Answer<z.infer<S>>> {
  if (!response.ok) return { ok: false, problem: await problemOf(response) }
  const parsed = schema.safeParse(await response.json().catch(() => undefined))
  if (parsed.success) return { ok: true, value: parsed.data }
  const where = parsed.error.issues[0]
  return failed(
    'bad-answer',
    response.status,
    'The answer was not understood',
    `${path}: ${where?.path.join('.')} ${where?.message}`,
    response.headers.get('x-request-id'),
  )
}

/** A part of a file, from `from` to before `to`; never throws. */
export async function askBytes(path: string, from: number, to: number): Promise<Answer<Uint8Array>> {
  try {
    const response = await apiFetch(path, { headers: { range: `bytes=${from}-${to - 1}` } })
    if (response.ok) return { ok: true, value: new Uint8Array(await response.arrayBuffer()) }
    return { ok: false, problem: await problemOf(response) }
  } catch (cause) {
    return unreachable(path, cause)
  }
}

/** Sends a JSON body; otherwise as `ask`. */
export function send<S extends z.ZodType>(
  schema: S,
  path: string,
  body: unknown = {},
  init: RequestInit = {},
): Promise<Answer<z.infer<S>>> {
  const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string> | undefined) }
  return ask(schema, path, { method: 'POST', ...init, body: JSON.stringify(body), headers })
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const told = ((await response.json().catch(() => null)) ?? {}) as Partial<ProblemBody> // each field is looked at
  return {
    code: told.code ?? `http-${response.status}`,
    title: told.title ?? (response.status === 404 ? 'There is nothing at this address' : 'The request failed'),
    status: response.status,
    detail: typeof told.detail === 'string' ? told.detail : `The server answered ${response.status}.`,
    errors: told.errors ?? [],
    request_id: response.headers.get('x-request-id'),
  }
}

/** No answer came at all. */
export const unreachable = (path: string, cause: unknown) =>
  failed('unreachable', 0, 'The server cannot be reached', `No answer for ${path}. Check the connection and try again. (${cause})`)

function failed(
  code: string,
  status: number,
  title: string,
  detail: string,
  request_id: string | null = null,
): { ok: false; problem: ApiProblem } {
  return { ok: false, problem: { code, status, title, detail, errors: [], request_id } }
}
