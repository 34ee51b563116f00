import { expect, test } from 'vitest'
import type { PreflightCall, PreflightFound } from '../contract/preflight.ts'
import { noUsage } from '../contract/usage.ts'
import { preflightLines, preflightText } from './preflight-text.ts'
import { testSpec } from './testing/test-spec.ts'

const answered: PreflightCall = {
  ...{ role: 'model', ask: 'plain', model: 'org/m', provider: 'lab', failure: null, latency_ms: 812, ttft_ms: 200 },
  ...{ streamed: true, usage_told: true, model_reported: 'org/m', system_fingerprint: null, server: 'uvicorn' },
}
const found = (...calls: PreflightCall[]): PreflightFound => ({
  ...{ calls, listed: true, context_length: 4096 },
  spent: { usage: noUsage, cost_usd: null },
})
const failing = (reason: 'unauthorized' | 'overloaded'): PreflightCall => ({
  ...answered,
  failure: { at: 'provider', reason, retryable: false, status: null, detail: 'words of the provider' },
})

test('[PROV11] what was found is said in sentences, and what is missing is a note', () => {
  expect(preflightText(found(answered))).toBe('Pre-flight: org/m answered in 0.8 s. Its window holds 4,096 tokens.')
  const poor = {
    ...found({ ...answered, streamed: false, usage_told: false, model_reported: 'other' }),
    listed: false,
    context_length: null,
  }
  expect(preflightLines(poor).map(({ tone, text }) => `${tone}: ${text}`)).toEqual([
    'good: org/m answered in 0.8 s.',
    'note: It does not stream: times to the first token are not known.',
    'note: It does not tell how many tokens it takes: the cost of the run stays unknown, and a budget counts the reservations.',
    'note: It calls itself other.',
    'note: The list of its provider does not have it.',
  ])
  const helped = found(
    answered,
    { ...answered, ask: 'picture' },
    { ...answered, role: 'judge', model: 'org/j', model_reported: null, ask: 'schema' },
  )
  expect(preflightText(helped)).toContain('org/m took a picture in 0.8 s. Judge org/j answered by a schema in 0.8 s.')
})

test('[PROV11] what stops the run is told from what does not, without a word of the provider', () => {
  const line = (reason: 'unauthorized' | 'overloaded') => preflightLines(found(failing(reason)))[0]
  expect(line('unauthorized')).toEqual({ tone: 'bad', text: 'org/m did not answer (provider/unauthorized).' })
  expect(line('overloaded')).toEqual({
    tone: 'note',
    text: 'org/m did not answer (provider/overloaded); its trials are asked all the same.',
  })
})

test('[PROV11] a window that may not hold the longest questions and answers is named with their benchmarks', () => {
  const { benchmarks } = testSpec({ max_tokens: 4000 })
  const long = benchmarks.map((one) => ({ ...one, most_input_tokens: 200 }))
  expect(preflightLines(found(answered), long).at(-1)?.text).toBe('The longest questions of alpha and their answers may not fit into it.')
  expect(preflightLines(found(answered), benchmarks).at(-1)?.tone).toBe('good')
})
