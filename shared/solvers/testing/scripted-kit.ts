import type { ModelParams } from '../../contract/message.ts'
import type { HelperRole, Role } from '../../contract/role.ts'
import { type LimitHit, noTrialLimits } from '../../contract/trial-limits.ts'
import type { Answered, Ask, AskRequest, Completion, Helper, Kit } from '../kit.ts'
import { said } from './said.ts'

export const unsetParams: ModelParams = {
  temperature: null,
  top_p: null,
  max_tokens: null,
  stop: null,
  seed: null,
  reasoning_effort: null,
}
const overloaded = { reason: 'overloaded', retryable: true, detail: '', status: 503 } as const

/** What a role says in turn: a text, a whole completion, a limit in its way, or null for a failure; it fails when it has nothing left. */
export type Line = string | Completion | { limit: LimitHit } | null
export type Script = readonly Line[] | ((request: AskRequest) => Line | undefined)

/** A kit whose roles say what they are told to, for tests of solvers. `asked` keeps what each was asked. */
export function scriptedKit(
  script: Partial<Record<Role, Script>>,
  helpers: Partial<Record<HelperRole, Partial<Helper>>> = {},
): Kit & { asked: Record<Role, AskRequest[]>; notes: string[] } {
  const asked: Record<Role, AskRequest[]> = { model: [], judge: [], user: [] }
  const notes: string[] = []
  const ask = async (role: Role, request: AskRequest): Promise<Answered> => {
    asked[role].push(request)
    const lines = script[role] ?? []
    const line = typeof lines === 'function' ? lines(request) : lines[asked[role].length - 1]
    if (line == null) return { ok: false, failure: { at: role === 'model' ? 'provider' : role, ...overloaded } }
    if (typeof line === 'string') return { ok: true, value: said(line) }
    return 'limit' in line ? { ok: false, limit: line.limit } : { ok: true, value: line }
  }
  const full = Object.entries(helpers).map(([role, helper]) => [role, { model: role, params: unsetParams, schema: false, ...helper }])
  return {
    asked,
    notes,
    ask: ask as Ask, // scripts put no limit before a judge
    helpers: Object.fromEntries(full),
    params: unsetParams,
    limits: noTrialLimits,
    limit: () => null,
    now: () => 0,
    wait: async () => undefined,
    attempt: 1,
    seed: () => 7,
    signal: { aborted: false },
    hidden: async () => ({ ok: true, value: null }),
    sandbox: async () => ({ ok: false, failure: { at: 'sandbox', ...overloaded, reason: 'unavailable' } }),
    machine: async () => ({ ok: false, failure: { at: 'sandbox', ...overloaded, reason: 'unavailable' } }),
    agent: null,
    openDoor: async () => ({ ok: false, failure: { at: 'sandbox', ...overloaded, reason: 'unavailable' } }),
    keep: async () => ({ ok: false, failure: { at: 'store', ...overloaded, reason: 'unavailable' } }),
    transcript: { toolCall: ({ name }, { result }) => void notes.push(`${name} ${result}`), note: (text) => void notes.push(text) },
    progress: () => undefined,
    show: () => undefined,
  }
}
