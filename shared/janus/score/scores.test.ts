import { expect, test } from 'vitest'
import { exchanged, turnWith } from '../testing/exchanged.ts'
import { costScore } from './cost.ts'
import { costVerdict, efficiencyOf } from './cost-efficiency.ts'
import { callScore } from './function-call.ts'
import { janusScores } from './item-score.ts'
import { elementsScore, multimodalScore, type ShownPicture } from './multimodal.ts'
import { holds } from './phrases.ts'
import { publicScore } from './public-item.ts'
import { plainQuality } from './quality.ts'
import { ramp } from './ramp.ts'
import { cites, judgeScore, researchScore, tellsSources } from './research.ts'
import { speedScore } from './speed.ts'
import { plainStreamScore, type StreamMetrics, streamScore } from './streaming.ts'
import { selectionScore, sequenceScore, toolScore } from './tool-use.ts'

const near = (value: number) => expect.closeTo(value, 9)

test('[JANUS1] what should be small is 1 to its target, 0.5 at twice, then a tenth less for each further target, never below 0', () => {
  expect([0, 2, 3, 4, 4.5, 6, 14, 16].map((value) => ramp(value, 2))).toEqual([1, 1, 0.75, 0.5, near(0.475), near(0.4), near(0), 0])
  expect([6, 9].map((value) => ramp(value, 2, 0.2))).toEqual([near(0.3), 0])
})

test('[JANUS2] speed is the mean of first token and rate, the one that is known, or the latency; cost is the weighted mean of what is known', () => {
  expect([speedScore(8, null, null), speedScore(16, null, null), speedScore(9, 2, null), speedScore(9, null, 5)]).toEqual([1, 0.5, 1, 0.5])
  expect([speedScore(9, 4, 10), speedScore(9, 2, 0), speedScore(9, 6, 20)]).toEqual([0.75, 0.5, near(0.7)])
  expect(costScore({ tokens: 1000, cost_usd: null, sandbox_s: null })).toBe(1)
  expect(costScore({ tokens: 2000, cost_usd: 0.01, sandbox_s: 90 })).toEqual(near(0.5 * 0.5 + 0.3 + 0.4 * 0.2))
  expect(costScore({ tokens: null, cost_usd: null, sandbox_s: null })).toBeNull()
})

const metrics: StreamMetrics = {
  ttft_s: 0.5,
  first_token_received: true,
  max_gap_s: 0.5,
  max_gap_after_first_s: 0.1,
  chunks: 12,
  duration_s: 2,
  tps: 20,
  tokens: 40,
  continuity: 0.6,
  broken: false,
}
const targets = { ttft_target_ms: 500, tps_target: 20, continuity_target: 0.6, min_tokens: 40 }

test('[JANUS3] a stream meets its targets by steps: first token at one, two, three targets, rate from half on, continuity and length in proportion', () => {
  const score = (change: Partial<StreamMetrics>, reasoned = false) => streamScore({ ...metrics, ...change }, targets, reasoned, 'v1')
  expect(score({})).toEqual(near(1))
  expect([0.5009, 0.501, 1, 1.002, 1.5, 1.502].map((ttft_s) => score({ ttft_s }))).toEqual([1, 0.91, 0.91, 0.82, 0.82, 0.73].map(near))
  expect(score({ first_token_received: false })).toEqual(near(0.7))
  expect([10, 9.99, 0].map((tps) => score({ tps }))).toEqual([near(0.91), near(0.7 + 0.3 * 0.4995), near(0.73)])
  expect([score({ continuity: 0.3 }), score({ tokens: 10 })]).toEqual([near(0.875), near(1 - 0.75 * 0.15)])
  expect(score({ tps: 0 }, true)).toEqual(near((0.73 + 0.05) / 1.05))
})

test('[JANUS3] mended, a stream that broke or brought no token is 0, and a continuity that cannot be told has no weight', () => {
  const score = (change: Partial<StreamMetrics>) => streamScore({ ...metrics, ...change }, targets, false, 'v2')
  expect([score({ broken: true }), score({ first_token_received: false })]).toEqual([0, 0])
  expect(score({ continuity: null, tokens: 0 })).toEqual(near(0.6 / 0.75))
})

test('[JANUS3] a stream without targets is half first token, four tenths longest silence, a tenth number of chunks', () => {
  const score = (ttft_s: number, max_gap_s: number, chunks: number) => plainStreamScore({ ttft_s, max_gap_s, chunks })
  expect([score(2, 2, 10), score(4, 2, 10), score(6, 2, 10), score(2, 4, 10), score(2, 6, 10)]).toEqual(
    [1, 0.75, 0.65, 0.8, 0.72].map(near),
  )
  expect([9, 5, 4, 2, 1].map((chunks) => score(0, 0, chunks))).toEqual([0.98, 0.98, 0.95, 0.95, 0.92].map(near))
})

test('[JANUS4] an expected answer is found or not, keywords by their share, and an answer to nothing is worth 0.7 from eleven characters on', () => {
  expect(['', ' \n'].map((text) => plainQuality(text, { answer: 'x' }, 'v1'))).toEqual([0, 0])
  expect([plainQuality('In 1000', { answer: '100' }, 'v1'), plainQuality('In 1000', { answer: '100' }, 'v2')]).toEqual([1, 0])
  expect(plainQuality('Alpha', { keywords: ['alpha', 'beta'] }, 'v1')).toBe(0.5)
  expect([plainQuality('0123456789', {}, 'v1'), plainQuality('0123456789a', {}, 'v1')]).toEqual([0.3, 0.7])
})

test('[JANUS5] mended, phrases are whole words and whole numbers', () => {
  const found = (text: string, phrase: string) => holds(text, phrase, 'v2')
  for (const [text, phrase] of [
    ['100 km', '100'],
    ['1,000 m', '1000'],
    ['it is 100.', '100'],
    ['100.0 %', '100'],
    ['The Red Sea!', 'red sea'],
    ['C++ is', 'c++'],
    ['a–3', '3'],
    ['x (42)', '42'],
    ['AB-100', '100'],
  ] as const)
    expect([text, phrase, found(text, phrase)]).toEqual([text, phrase, true])
  for (const [text, phrase] of [
    ['1000', '100'],
    ['100.5', '100'],
    ['3.14', '14'],
    ['1,100', '100'],
    ['-7', '7'],
    ['restart', 'art'],
    ['', 'a'],
    ['a', ' '],
  ] as const)
    expect([text, phrase, found(text, phrase)]).toEqual([text, phrase, false])
  expect(holds('restart', 'ART', 'v1')).toBe(true)
})

test('[JANUS6] research is seven tenths judge and three tenths facts, or the one that is known; a judge’s number is read from its reply', () => {
  expect([researchScore(1, 0), researchScore(0.5, 1), researchScore(null, 0.4), researchScore(2, null), researchScore(null, null)]).toEqual(
    [0.7, near(0.65), 0.4, 1, null],
  )
  const replies = [
    '{"score": 0.4}',
    'so: {"overall_score": 3} .',
    '{"factual_accuracy": 1, "synthesis": 0.5, "citation": "x"}',
    '{"score": "1"}',
    'none',
    '{}',
    '{"score": NaN}',
  ]
  expect(replies.map((reply) => judgeScore(reply, 'v2'))).toEqual([0.4, 1, 0.75, null, null, null, null])
  expect(judgeScore('{"score": NaN}', 'v1')).toBe(1)
  expect([tellsSources('According to it'), tellsSources('I know'), cites('see [3]'), cites('(SOURCE)'), cites('[x]')]).toEqual([
    true,
    false,
    true,
    true,
    false,
  ])
})

test('[JANUS6] mended, a claim that is judged the wrong way is 0, whatever else the answer tells; officially its facts count', () => {
  const metadata = {
    ...{ benchmark: 'janus_research', subtype: 'fact_verification', expected_answer: 'false', expected_facts: ['1889'] },
    evaluation: { requires: ['correct_conclusion'] },
  }
  const quality = (text: string, version: 'v1' | 'v2') =>
    janusScores({ target: '', metadata }, exchanged([turnWith(text)]), version).quality
  expect(['False: 1889.', 'True: 1889.', 'It opened in 1889.', 'Not true, false: 1889.'].map((text) => quality(text, 'v2'))).toEqual([
    1, 0, 0, 0,
  ])
  expect(['True: 1889.', 'It opened in 1889.', ''].map((text) => quality(text, 'v1'))).toEqual([1, 1, 0])
})

const expected = { function: 'get_weather', arguments: { location: 'Paris', days: 3 } }
const call = (given: object, name: string | null = 'get_weather') => ({ function: name, arguments: JSON.stringify(given) })

test('[JANUS7] a call is worth 0 for another function, 0.3 with an argument missing, 0.6 with a wrong value, 0.9 with one too many that is not allowed', () => {
  const score = (given: object, extra = true, version: 'v1' | 'v2' = 'v1') => callScore(expected, call(given), extra, version)
  expect([callScore(expected, undefined, true, 'v1'), callScore(expected, call({}, 'search'), true, 'v1')]).toEqual([0, 0])
  expect([score({ location: 'Paris' }), score({ location: 'Rome', days: 3 }), score({ location: 'PARIS, France', days: 3 })]).toEqual([
    0.3, 0.6, 1,
  ])
  expect([score({ location: 'Paris', days: 3, x: 1 }), score({ location: 'Paris', days: 3, x: 1 }, false)]).toEqual([1, 0.9])
  expect([
    score({ location: 'Paris', days: '30' }),
    score({ location: 'Paris', days: '30' }, true, 'v2'),
    score({ location: 'Paris', days: '3.0' }, true, 'v2'),
  ]).toEqual([1, 0.6, 1])
  expect(callScore(expected, { function: 'get_weather', arguments: '{' }, true, 'v1')).toBe(0.3)
})

test('[JANUS8] the first tool decides a choice; a chain is its steps in place, mended in order; officially the first call counts alone, mended the best', () => {
  expect([['a'], ['b'], ['x', 'b'], ['x'], []].map((names) => selectionScore(['a'], ['b'], names))).toEqual([1, 0.8, 0.5, 0, 0])
  expect([
    sequenceScore(['a', 'b'], ['a', 'b'], false, 'v1'),
    sequenceScore(['a', 'b'], ['a', 'x', 'b'], true, 'v1'),
    sequenceScore(['a', 'b'], ['a', 'x', 'b'], true, 'v2'),
  ]).toEqual([1, 0.5, 1])
  expect([sequenceScore(['a', 'b'], ['a'], false, 'v2'), sequenceScore(['a', 'b'], ['b', 'a'], true, 'v2')]).toEqual([0, 0.5])
  const facts = { subtype: 'function_calling', expected_call: expected }
  const calls = [call({ location: 'Rome', days: 3 }), call({ location: 'Paris', days: 3 })]
  expect([toolScore(facts, calls, '', 'v1'), toolScore(facts, calls, '', 'v2'), toolScore(facts, [], '', 'v2')]).toEqual([0.6, 1, 0])
  const chain = {
    subtype: 'tool_chaining',
    expected_sequence: ['search', 'calculator'],
    expected_output_contains: ['42'],
    verify_final_answer: true,
  }
  expect(toolScore(chain, [call({}, 'search')], 'it is 42', 'v1')).toBe(0.75)
  const code = { subtype: 'code_execution', expected_output_contains: ['Ab', 'c'] }
  expect([
    toolScore(code, [], 'Ab', 'v1'),
    toolScore(code, [], '```\nAb```', 'v1'),
    toolScore(code, [call({}, 'run_code')], 'Ab c', 'v1'),
    toolScore(code, [], '```\nAb```', 'v2'),
  ]).toEqual([0.2, 0.5, 1, 0.2])
  expect(toolScore({ subtype: 'code_execution' }, [call({}, 'run_code')], '', 'v1')).toBe(0.5)
})

const png: ShownPicture = { source: 'data', format: 'png', read: { format: 'png', width: 200, height: 100, color: 'red' } }

test('[JANUS9] a picture that was made is officially 0, 0.2 or 0.8 without CLIP; mended it is read: format, size, form and colour', () => {
  const facts = {
    subtype: 'image_generation',
    has_image_input: false,
    check_format: 'png|jpg',
    min_side_px: 100,
    aspect: 'wide',
    dominant_color: 'red',
  }
  const score = (pictures: ShownPicture[], version: 'v1' | 'v2', change: object = {}) =>
    multimodalScore({ ...facts, ...change }, 'x', pictures, version)
  expect([score([], 'v1'), score([{ ...png, format: 'jpeg' }], 'v1'), score([png], 'v1')]).toEqual([0, 0.2, 0.8])
  expect([score([], 'v2'), score([{ ...png, read: null }], 'v2'), score([png], 'v2')]).toEqual([0, 0.2, 1])
  const jpeg = { ...png, read: { ...png.read!, format: 'jpg', color: null } }
  expect([
    score([jpeg], 'v2', { check_format: 'jpeg' }),
    score([jpeg], 'v2', { check_format: 'webp' }),
    score([png], 'v2', { aspect: 'tall', min_side_px: 101 }),
    score([{ ...png, read: { ...png.read!, color: 'blue' } }], 'v2'),
  ]).toEqual([1, 0.2, near(0.5 + 0.5 / 3), near(0.5 + 1 / 3)])
})

test('[JANUS9] what a picture shows is told by so many elements; routing is the phrases of a behaviour, mended whether a picture was made', () => {
  expect([
    elementsScore('a b', ['a', 'b', 'c'], 2, 'v1'),
    elementsScore('a', ['a', 'b'], 2, 'v1'),
    elementsScore('x', ['a'], 1, 'v1'),
    elementsScore('x', [], 1, 'v1'),
  ]).toEqual([1, 0.5, 0, 0.5])
  const mixed = { subtype: 'mixed_media', has_image_input: true, expected: ['red'] }
  expect([multimodalScore(mixed, 'it is red', [], 'v1'), multimodalScore(mixed, 'blue', [], 'v1')]).toEqual([1, 0])
  const route = {
    subtype: 'modality_routing',
    has_image_input: false,
    expected_behavior: 'generate_image',
    indicators: { generate_image: ['here is'], refuse: ['cannot'] },
  }
  expect(['Here is it', 'I cannot', 'hm'].map((text) => multimodalScore(route, text, [], 'v1'))).toEqual([1, 0, 0.5])
  expect([multimodalScore(route, 'Here is it', [], 'v2'), multimodalScore(route, 'x', [png], 'v2')]).toEqual([0, 1])
  const plain = (text: string, keywords?: string[]) =>
    multimodalScore({ subtype: '', has_image_input: true, ...(keywords && { expected_keywords: keywords }) }, text, [], 'v1')
  expect([
    plain('yes'),
    plain('I see'),
    plain('I see red', ['red', 'dog']),
    multimodalScore({ subtype: '', has_image_input: false }, 'x', [], 'v1'),
  ]).toEqual([0.2, 0.8, 0.75, 1])
})

const tokens = (output: number | null) => ({ input: output === null ? null : 10, output, total: output === null ? null : 10 + output })

test('[JANUS10] efficiency is quality times half of baseline over tokens: half at the baseline, all from half of it on', () => {
  expect([
    efficiencyOf(1, 100, 100),
    efficiencyOf(1, 50, 100),
    efficiencyOf(1, 25, 100),
    efficiencyOf(1, 200, 100),
    efficiencyOf(1, 0, 100),
    efficiencyOf(0.5, 10, 100),
  ]).toEqual([0.5, 1, 1, 0.25, 0, 0.5])
  const quality = (facts: object, text: string, version: 'v1' | 'v2', calls = 0, output: number | null = 10) =>
    costVerdict({ subtype: '', ...facts }, text, calls, tokens(output), version).quality
  const concise = { subtype: 'concise_response', required: ['b'], max_words: 2 }
  expect(['a b', 'a b c', 'a b c d e', 'a'].map((text) => quality(concise, text, 'v1'))).toEqual([1, 0.85, 0.76, 0.3].map(near))
  const explain = {
    subtype: 'efficient_explanation',
    quality_criteria: ['a', 'b', 'c'],
    min_matches: 2,
    baseline_tokens: 100,
    max_tokens: 200,
  }
  expect([quality(explain, 'a b c', 'v1'), quality(explain, 'a b c', 'v2'), quality(explain, 'a', 'v1')]).toEqual([
    near(1.3),
    1,
    near(0.61),
  ])
  expect([100, 150, 200, 201].map((output) => quality(explain, 'a b', 'v1', 0, output))).toEqual([1, 0.9, 0.8, 0.72].map(near))
  const tool = { subtype: 'minimal_tools', max_tool_calls: 1, expected_answer_contains: ['100'] }
  expect([quality(tool, '100', 'v1', 1), quality(tool, '100', 'v1', 2), quality(tool, '7', 'v1', 1), quality(tool, '7', 'v1', 2)]).toEqual([
    1, 0.6, 0.3, 0.1,
  ])
  expect([quality(tool, '1000', 'v1', 1), quality(tool, '1000', 'v2', 1)]).toEqual([1, 0.3])
  const direct = { subtype: 'direct_answer', answer_must_appear_within_first: 2, expected_answer: '27' }
  expect(['7 x', 'a b 7', 'none'].map((text) => quality(direct, text, 'v1'))).toEqual([1, 0.5, 0.2])
  expect(['7 x', '27 x', 'a b 27'].map((text) => quality(direct, text, 'v2'))).toEqual([0, 1, 0.5])
})

test('[JANUS10] tokens that nobody counted are words officially, and mended an efficiency of 0', () => {
  const facts = { subtype: 'concise_response', required: [], max_words: 5, baseline_tokens: 4 }
  expect(costVerdict(facts, 'a b c d', 0, tokens(null), 'v1')).toMatchObject({ efficiency: 0.5, total_tokens: 4, counted: false })
  expect(costVerdict(facts, 'a b c d', 0, tokens(null), 'v2')).toMatchObject({ efficiency: 0, quality: 1, counted: false })
})

test('[JANUS11] a public answer is the mean of what is asked of it; sources are addresses and marks, mended each once', () => {
  const facts = { contains: ['a', 'z'], must_cover: ['a'], min_length: 4, max_latency_ms: 2000 }
  expect(publicScore(facts, 'a b', 4000, false, 'v1')).toEqual(near((0.5 + 1 + 0.75 + 0.5) / 4))
  expect(publicScore({ must_cover: ['a', 'q', 'y', 'z'] }, 'a b', null, false, 'v1')).toBe(0.25)
  expect([publicScore({}, 'x', 1, false, 'v1'), publicScore(facts, ' ', 1, false, 'v1')]).toEqual([1, 0])
  const sourced = { contains: ['a'], requires_citations: true, min_sources: 2 }
  expect(publicScore(sourced, 'a https://x.example [1]', 1, true, 'v1')).toBe(1)
  expect([publicScore(sourced, 'a [1] [1]', 1, true, 'v1'), publicScore(sourced, 'a [1] [1]', 1, true, 'v2')]).toEqual([1, 0.75])
})

test('[JANUS410] an empty fact counts neither as held nor as asked for', () => {
  const metadata = { benchmark: 'janus_research', subtype: 'fact_verification', expected_facts: ['1889', '', 'Paris'] }
  const quality = (text: string) => janusScores({ target: '', metadata }, exchanged([turnWith(text)]), 'v1').quality
  expect([quality('In 1889.'), quality('In 1889, at Paris.'), quality('x')]).toEqual([0.5, 1, 0])
})
