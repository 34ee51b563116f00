import type { JudgeRequest, SolverPorts } from '../port.ts'
import { said } from './said.ts'

const failure = { at: 'provider', reason: 'overloaded', retryable: true, detail: '', status: 503 } as const

/**
 * Ports whose model and judge say the given texts in turn and fail when they have none left; the judge may also say what it is asked to. They keep
 * what the judge was asked.
 */
export function judgedPorts(
  answers: readonly string[],
  replies: readonly string[] | ((request: JudgeRequest) => string | undefined),
  judge: { model: string; schema: boolean },
): SolverPorts & { asked: JudgeRequest[] } {
  const asked: JudgeRequest[] = []
  const left = [...answers]
  const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
  return {
    asked,
    judgedBy: { ...judge, params },
    generate: async () => {
      const text = left.shift()
      return text === undefined ? { ok: false, failure } : { ok: true, value: said(text) }
    },
    judge: async (request) => {
      asked.push(request)
      const text = typeof replies === 'function' ? replies(request) : replies[asked.length - 1]
      return text === undefined ? { ok: false, failure } : { ok: true, value: said(text) }
    },
  }
}
