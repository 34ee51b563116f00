import { expect, test } from 'vitest'
import type { RunEvent } from '../contract/event.ts'
import { withheldText } from '../contract/foreign.ts'
import type { PreflightCall } from '../contract/preflight.ts'
import { isTerminal } from '../contract/run.ts'
import type { TrialBrief } from '../contract/trial.ts'
import { noUsage } from '../contract/usage.ts'
import { apply, initialHead } from './apply.ts'
import { audiences, viewFor } from './audience.ts'
import { applyStreamed, toStreamed } from './stream.ts'
import { testSpec } from './testing/test-spec.ts'

const at = '2026-01-01T00:00:00.000Z'
const base = testSpec({
  benchmarks: [
    { name: 'alpha', items: 3, epochs: 1 },
    { name: 'beta', items: 3, epochs: 1 },
  ],
})
const gated = {
  ...base,
  benchmarks: base.benchmarks.map((one, index) =>
    index === 0 ? { ...one, gated: true, data: { ...one.data, source: 'pinned' as const } } : one,
  ),
}
const brief = (ordinal: number): TrialBrief => ({
  ...{ ordinal, attempt: 1, item_id: String(ordinal), epoch: 0, group: null, outcome: 'right', score: 1, failure: null, retryable: false },
  ...{ answer: 'SECRET-ANSWER', expected: 'SECRET-GOLD', flags: [], latency_ms: 1, ttft_ms: 1, usage: noUsage, cost_usd: 0 },
})
const progress = (name: string, ordinal: number): RunEvent => ({
  event_type: 'benchmark_progress',
  benchmark_name: name,
  at,
  data: { completed: 1, total: 3, current_accuracy: 1, unleased: 0, recovered: 0, results: [brief(ordinal)] },
})
const joined: RunEvent = {
  event_type: 'agent_joined',
  benchmark_name: null,
  at,
  data: { agent_id: 'host-of-anna', session: 'session-0001', until_ms: 1 },
}
const history: RunEvent[] = [
  joined,
  progress('alpha', 0),
  progress('beta', 3),
  {
    event_type: 'run_parked',
    benchmark_name: null,
    at,
    data: { reason: 'provider/forbidden', detail: 'HTTP 403 may not say SECRET-ITEM', until: null },
  },
  { event_type: 'agent_lost', benchmark_name: null, at, data: { agent_id: 'host-of-anna', session: 'session-0001', reason: 'silent' } },
]

/** The history as an audience sees it: every event, and the state after each. */
function seen(spec: typeof base, audience: (typeof audiences)[number], events = history) {
  const view = viewFor(spec, audience)
  let head = initialHead(spec)
  const heads = [view.head(head)]
  const streamed = events.map((event) => {
    head = apply(head, event)
    heads.push(view.head(head))
    return view.event(toStreamed(head.seq, event))
  })
  return { streamed, heads, text: JSON.stringify([streamed, heads, view.spec()]) }
}

test('[SEC2] of a run with gated items only the owner reads the words of others; reason and counts stay for all', () => {
  expect(seen(gated, 'owner').text).toContain('SECRET-ITEM')
  for (const audience of ['operator', 'stranger'] as const) {
    const { text, streamed, heads } = seen(gated, audience)
    expect(text).not.toMatch(/SECRET-ITEM|may not say/)
    expect(streamed[3]).toMatchObject({ message: `Run parked: ${withheldText}`, data: { reason: 'provider/forbidden' } })
    expect(heads[4]!.parked).toMatchObject({ reason: 'provider/forbidden', detail: withheldText })
    expect(JSON.stringify(streamed[1])).not.toContain('SECRET')
    expect(JSON.stringify(streamed[2])).toContain('SECRET-ANSWER')
    expect(heads.at(-1)!.done).toBe(2)
  }
  expect(seen(base, 'stranger').text).toMatch(/SECRET-ITEM/)
})

test('[SEC2] an event of a kind that this version does not know is shown to nobody but the owner', () => {
  const later = {
    id: 1,
    event_type: 'provider_sang',
    benchmark_name: null,
    message: 'SECRET-ITEM',
    data: { song: 'SECRET-ITEM' },
    created_at: at,
  }
  expect(viewFor(gated, 'stranger').event(later)).toEqual({ ...later, message: '', data: {} })
  expect(viewFor(gated, 'owner').event(later)).toEqual(later)
})

test('[SEC3] strangers learn neither whose a run is nor the names of machines, and their fold agrees with the state they are shown', () => {
  for (const audience of audiences) {
    const { text, streamed, heads } = seen(base, audience)
    const named = audience !== 'stranger'
    expect([/host-of-anna/.test(text), /session-0001/.test(text), text.includes(`"owner_id":"${base.owner_id}"`)]).toEqual([
      named,
      named,
      named,
    ])
    let folded = viewFor(base, audience).head(initialHead(base))
    for (const [index, event] of streamed.entries()) {
      folded = applyStreamed(folded, event)
      expect(folded).toEqual(heads[index + 1])
    }
    expect(isTerminal(folded.status)).toBe(false)
  }
  expect(Object.values(seen(base, 'stranger', [joined]).heads[1]!.agents)[0]!.agent_id).toMatch(/^agent-[0-9a-f]{4}$/)
})

test('[PROV10] of a pre-flight strangers learn what was found, and not which machine looked', () => {
  const call: PreflightCall = {
    ...{ role: 'model', ask: 'plain', model: 'org/m', provider: 'lab', failure: null, latency_ms: 1, ttft_ms: 1, streamed: true },
    ...{ usage_told: true, model_reported: 'SECRET-ITEM', system_fingerprint: null, server: null },
  }
  const found = { calls: [call], listed: true, context_length: 4096, spent: { usage: noUsage, cost_usd: null } }
  const looked: RunEvent[] = [
    joined,
    {
      event_type: 'run_preflight',
      benchmark_name: null,
      at,
      data: { ...found, round: 1, agent_id: 'host-of-anna', session: 'session-0001' },
    },
  ]
  const open = seen({ ...base, preflight: true }, 'stranger', looked)
  expect(open.text).not.toMatch(/host-of-anna|session-0001/)
  expect(open.heads[2]!.preflight!.found!.calls[0]!.model_reported).toBe('SECRET-ITEM')
  expect(applyStreamed(applyStreamed(open.heads[0]!, open.streamed[0]!), open.streamed[1]!)).toEqual(open.heads[2])
  expect(seen({ ...gated, preflight: true }, 'stranger', looked).text).not.toContain('SECRET-ITEM')
  expect(seen({ ...gated, preflight: true }, 'owner', looked).text).toContain('SECRET-ITEM')
})
