import type { Completion, JudgeRequest, SolverPorts } from '../port.ts'

function completion(text: string): Completion {
  return {
    text,
    reasoning: null,
    finish_reason: 'stop',
    usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0 },
    usage_known: true,
    latency_ms: 1,
    ttft_ms: null,
    max_gap_ms: null,
    model_reported: null,
    system_fingerprint: null,
  }
}

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
      return text === undefined ? { ok: false, failure } : { ok: true, value: completion(text) }
    },
    judge: async (request) => {
      asked.push(request)
      const text = typeof replies === 'function' ? replies(request) : replies[asked.length - 1]
      return text === undefined ? { ok: false, failure } : { ok: true, value: completion(text) }
    },
  }
}
