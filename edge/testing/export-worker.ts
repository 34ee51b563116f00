import { openSigningKey } from '#shared/export/signing-key.ts'
import { initialHead } from '#shared/run/apply.ts'
import { createApp } from '../app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrial } from './example-records.ts'
import { memoryDeps } from './memory-deps.ts'

const trials = 11_000
const spec = exampleSpec({ benchmarks: [examplePlanned({ name: 'mmlu_pro', total_items: trials, sampled_items: trials })] })

let broken = false

/** A Worker for tests: the real API over a record in memory, whose trials break off in the middle once `/break` was asked for. */
function openApp() {
  const { deps, record } = memoryDeps()
  const ended = exampleEnded(spec).head
  const tally = { ...ended.benchmarks.mmlu_pro!, right: trials, wrong: 0, failed: 0, total: trials, score_sum: trials }
  record.runs.set(spec.run_id, {
    spec,
    head: { ...initialHead(spec), ...ended, done: trials, total: trials, status: 'succeeded', benchmarks: { mmlu_pro: tally } },
    metrics: {},
    updated_at: spec.created_at,
  })
  deps.signer = openSigningKey(btoa('\x07'.repeat(32)))
  deps.store.listTrials = async (_run_id, after, limit) => {
    if (broken && after > trials / 2) throw new TypeError('the record broke off')
    const count = Math.min(limit, trials - 1 - after)
    const page = Array.from({ length: count }, (_, index) => longTrial(after + 1 + index))
    return { trials: page, next: after + count < trials - 1 ? after + count : null }
  }
  return createApp(deps)
}

/** Two texts of 600 characters that no packer makes small. */
function longTrial(ordinal: number) {
  const evidence = { kind: 'completion' as const, reasoning: null, finish_reason: 'stop' as const, scoring_input: null }
  return exampleTrial({
    ordinal,
    messages: [{ role: 'user', content: noise(2 * ordinal) }],
    evidence: { ...evidence, text: noise(2 * ordinal + 1), truncated_reasoning: false },
  })
}

function noise(seed: number): string {
  let state = Math.imul(seed + 1, 0x9e3779b9)
  const bytes = new Uint8Array(450).map(() => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    return state >>> 24
  })
  return btoa(String.fromCharCode(...bytes))
}

let app: ReturnType<typeof createApp> | undefined
export default {
  fetch(request: Request): Response | Promise<Response> {
    app ??= openApp()
    broken ||= request.url.endsWith('/break')
    return app.fetch(request)
  },
}
