import { openai } from './openai.ts'
import type { ProviderDef } from './provider-def.ts'

/**
 * A Janus Gateway: agents behind OpenAI's protocol. It names requests in headers of its answers, tells what its agents do and left behind as `delta.janus`,
 * what they cost in `usage`, and may want a password in the header `X-PreReleasePassword`. What fails behind it comes as text of an answer under status 200,
 * which nothing tells from an answer; only an `error` and the finish reason `error` are failures.
 */
export const janus: ProviderDef = {
  ...openai,
  label: 'Janus Gateway',
  budget: 'never',
  idHeaders: ['x-debug-request-id', 'x-correlation-id', 'x-request-id'],
  resetAt: () => null,
}
