import type { ProviderKind } from './provider.ts'
import type { ProviderDef } from './provider-def.ts'

/** Ends of addresses that people copy from documentation: the client adds its own. */
const endpoints = /\/(?:chat\/completions|completions|models|responses|embeddings|chat)$/

/** Kinds whose servers have OpenAI's protocol under `/v1` and nowhere else that everyone could mean. */
const underV1: ReadonlySet<ProviderKind> = new Set(['vllm', 'sglang', 'ollama', 'llamacpp', 'lmstudio'])
/** Services that are configured as `openai`, and their base. */
const known: Record<string, string> = { 'api.openai.com': '/v1', 'llm.chutes.ai': '/v1', 'openrouter.ai': '/api/v1' }

/** Scheme, host with port and credentials, path, query. */
const parts = /^\s*(https?:\/\/)([^/?#\s]+)([^?#]*)(\?[^#]*?)?(?:#.*)?\s*$/i

/**
 * The base URL that a written address stands for: without the endpoint and slashes at its end, and with the path of a service or server that has only one.
 * A query stays. What is no http address is given back as it is.
 */
export function baseUrlOf(written: string, kind: ProviderKind, { baseUrl }: Pick<ProviderDef, 'baseUrl'>): string {
  const [, scheme, host, rest = '', query = ''] = parts.exec(written) ?? []
  if (scheme === undefined || host === undefined) return written.trim()
  let path = rest.trim().replace(/\/+$/, '')
  while (endpoints.test(path)) path = path.replace(endpoints, '').replace(/\/+$/, '')
  return `${scheme.toLowerCase()}${host}${path === '' ? usualPath(host.toLowerCase(), kind, baseUrl) : path}${query}`
}

function usualPath(host: string, kind: ProviderKind, usual: string | null): string {
  const [, , ownHost, ownPath = ''] = parts.exec(usual ?? '') ?? []
  if (ownHost === host) return ownPath
  return underV1.has(kind) ? '/v1' : (known[host] ?? '')
}

/** The same address with `/v1`, where its path names no version; null where it does. */
export function withV1(base_url: string): string | null {
  const [, scheme, host, path = '', query = ''] = parts.exec(base_url) ?? []
  if (scheme === undefined || /\/v\d/.test(path)) return null
  return `${scheme}${host}${path.replace(/\/+$/, '')}/v1${query}`
}
