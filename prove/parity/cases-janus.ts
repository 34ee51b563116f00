import { type Draw, seededDraw } from './draw.ts'
import { anyWord, phrase, sentences } from './invented-text.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
/** A generated case; `kind` names the scorer, the rest is what both sides are given. */
export type JanusCase = { kind: JanusKind } & Record<string, Json>

export const janusKinds = [
  'quality',
  'speed',
  'cost',
  'streaming',
  'facts',
  'searched',
  'judge',
  'tool_use',
  'multimodal',
  'cost_task',
  'public',
  'normal',
  'composite',
  'percentile',
] as const
export type JanusKind = (typeof janusKinds)[number]

/** `count` cases, the kinds in turn. */
export function janusCases(seed: number, count: number): JanusCase[] {
  const draw = seededDraw(seed)
  return Array.from({ length: count }, (_, index) => {
    const kind = janusKinds[index % janusKinds.length]!
    return { kind, ...makers[kind](draw) }
  })
}

const maybe = <T extends Json>(draw: Draw, value: () => T, share = 0.75): T | null => (draw.chance(share) ? value() : null)
/** A number around a target: at it, at twice and three times, just beside, or anywhere up to ten times. */
function around(draw: Draw, target: number, whole = false): number {
  const at = target * draw.pick([0, 0.5, 1, 2, 3, 7])
  const beside = draw.pick([0, 0, 1, -1]) * (whole ? 1 : target / 1000)
  const value = draw.chance(0.5) ? Math.max(0, at + beside) : (draw.below(10_000) / 1000) * target
  return whole ? Math.round(value) : value
}
const words = (draw: Draw, most = 5): string[] => draw.many(draw.below(most + 1), () => phrase(draw, draw.between(1, 2)))

/** A text that holds some of the phrases, with white space of all kinds about it. */
function answer(draw: Draw, phrases: readonly string[] = []): string {
  if (draw.chance(0.06)) return draw.pick(['', ' ', '\u2003\n', '\x1c', '\ufeff', 'ok'])
  const held = phrases.filter(() => draw.chance(0.6)).map((one) => (draw.chance(0.4) ? one.toUpperCase() : one))
  const parts = draw.shuffled([...held, sentences(draw, draw.between(0, 4)), ...draw.many(draw.below(3), () => extra(draw))])
  return parts.join(draw.pick([' ', '\n', ' \x85 ', '\u00a0', '\t']))
}
const extras = [
  '42',
  '3.',
  '1,000',
  '١٢',
  '[1]',
  '[12]',
  '(source)',
  'https://a.example/x(1) y',
  'www.b.example',
  'According to us',
  'I see it',
  '```\nx\n```',
  '```python\nprint(1)\n```',
]
const pictures = [
  '![a](https://e.example/p.png?x=1)',
  'https://e.example/q.JPEG',
  'data:image/jpeg;base64,AAAA',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:image/webp;base64,UklGRg==',
  '![b](https://e.example/dir/no-ending)',
  'https://x.example/a.gif#z',
]
const extra = (draw: Draw): string => draw.pick(extras)

function expectedCall(draw: Draw): Json {
  const names = ['location', 'units', 'amount', 'when']
  const value = () =>
    draw.pick<Json>([anyWord(draw), anyWord(draw), draw.below(200), draw.below(2000) / 16, true, false, String(draw.below(50))])
  return { function: draw.pick(tools), arguments: Object.fromEntries(names.slice(0, draw.between(0, 4)).map((name) => [name, value()])) }
}
const tools = ['get_weather', 'calculator', 'search', 'code_execute', 'fetch_url']

function givenArguments(draw: Draw, expected: Record<string, Json>): string {
  if (draw.chance(0.05)) return draw.pick(['', '{', '{"a": 01}', '{}'])
  const parts = Object.entries(expected).flatMap(([name, value]) =>
    draw.chance(0.12) ? [] : [`${JSON.stringify(name)}: ${variant(draw, value)}`],
  )
  if (draw.chance(0.3)) parts.push(`"more": ${draw.pick(['1', 'null', '[1, "a", null]', '{"b": 1.50}'])}`)
  return `{${parts.join(', ')}}`
}

/** JSON of the value, or of something like it. */
function variant(draw: Draw, value: Json): string {
  const text = String(value)
  const ways = [
    () => JSON.stringify(value),
    () => JSON.stringify(text),
    () => JSON.stringify(`in ${text.toUpperCase()} now`),
    () => (typeof value === 'number' ? `${value}${Number.isInteger(value) ? '.0' : '0'}` : 'null'),
    () => draw.pick(['true', 'false', '1', '0', '1e3', '1E-7', '12345678901234567890', '[1.0, "x"]', '{"a": "b\'c"}', '""', '"a"', 'NaN']),
    () => JSON.stringify(anyWord(draw)),
  ]
  return draw.chance(0.4) ? ways[0]!() : draw.pick(ways)()
}

const makers: Record<JanusKind, (draw: Draw) => Record<string, Json>> = {
  quality(draw) {
    const keywords = words(draw)
    const expected = phrase(draw, 1)
    return {
      text: maybe(draw, () => answer(draw, [...keywords, expected]), 0.97),
      answer: maybe(draw, () => expected, 0.4),
      keywords: maybe(draw, () => keywords),
    }
  },
  speed: (draw) => ({ latency: around(draw, 8), ttft: maybe(draw, () => around(draw, 2)), tps: maybe(draw, () => around(draw, 10)) }),
  cost: (draw) => ({
    tokens: maybe(draw, () => around(draw, 1000, true)),
    usd: maybe(draw, () => around(draw, 0.01)),
    sandbox: maybe(draw, () => around(draw, 30)),
  }),
  streaming(draw) {
    const evaluation: Record<string, Json> = {}
    const set = (name: string, value: () => Json): void => {
      if (draw.chance(0.7)) evaluation[name] = value()
    }
    set('ttft_target_ms', () => draw.pick([500, 1000, 0]))
    set('tps_target', () => draw.pick([10, 15, 20, 0]))
    set('continuity_target', () => draw.pick([0.5, 0.6, 0]))
    set('min_tokens', () => draw.pick([5, 50, 200, 0]))
    set('check_reasoning_content', () => draw.chance(0.5))
    const metrics = {
      ttft_seconds: around(draw, 1),
      max_gap_seconds: around(draw, 2),
      total_chunks: draw.pick([0, 1, 2, 4, 5, 9, 10, 100]),
      keep_alive_count: 0,
      total_duration_seconds: around(draw, 5),
      avg_tps: maybe(draw, () => around(draw, 10), 0.9),
      total_tokens: maybe(draw, () => around(draw, 50, true), 0.9),
      continuity_score: maybe(draw, () => draw.below(101) / 100, 0.9),
    }
    const task_type = draw.pick(['short_response', 'reasoning_response'])
    const more = { task_type, first_token_received: draw.chance(0.9), has_reasoning_content: draw.chance(0.5) }
    return { metrics, metadata: { ...(draw.chance(0.8) && { evaluation }), ...more } }
  },
  facts(draw) {
    const facts = words(draw)
    return { text: answer(draw, facts), facts }
  },
  searched: (draw) => ({ text: answer(draw) }),
  judge(draw) {
    const number = () => draw.pick<Json>([0.5, 1, 2, -1, '0.5', true, null, draw.below(100) / 99])
    const names = ['score', 'overall_score', 'factual_accuracy', 'source_quality', 'completeness', 'synthesis', 'citation', 'other']
    const reply = JSON.stringify(Object.fromEntries(names.filter(() => draw.chance(0.3)).map((name) => [name, number()])))
    return {
      reply: draw.pick([
        reply,
        `It is\n${reply}\nso`,
        `\`\`\`json\n${reply}\n\`\`\``,
        reply.slice(1),
        '',
        '[1]',
        'NaN',
        `{"score": NaN}`,
        `a} {"score": 0.25}`,
      ]),
    }
  },
  tool_use(draw) {
    const expected_call = expectedCall(draw) as { function: string; arguments: Record<string, Json> }
    const outputs = words(draw, 3)
    const calls = draw.many(draw.below(4), () => {
      const like = draw.chance(0.6)
      const given = givenArguments(draw, expected_call.arguments)
      return { function: like ? expected_call.function : maybe(draw, () => draw.pick(tools), 0.95), arguments: given }
    })
    const evaluation: Record<string, Json> = {}
    for (const name of ['allow_extra_args', 'partial_credit', 'verify_final_answer'])
      if (draw.chance(0.7)) evaluation[name] = draw.chance(0.5)
    const metadata = {
      tool_use_task_type: draw.pick(['function_calling', 'function_calling', 'tool_selection', 'tool_chaining', 'code_execution', 'other']),
      expected_call,
      expected_tools: draw.many(draw.below(3), () => draw.pick(tools)),
      acceptable_alternatives: draw.many(draw.below(3), () => draw.pick(tools)),
      expected_sequence: draw.many(draw.below(4), () => draw.pick(tools)),
      expected_output_contains: outputs,
      evaluation,
    }
    return { text: answer(draw, outputs), calls, metadata }
  },
  multimodal(draw) {
    const phrases = words(draw)
    const indicators = Object.fromEntries(
      ['generate_image', 'text_response', 'refuse'].filter(() => draw.chance(0.8)).map((name) => [name, words(draw, 2)]),
    )
    const shown = draw.many(draw.below(3), () => draw.pick(pictures))
    const evaluation = {
      type: 'contains_any',
      expected_elements: phrases,
      expected: phrases,
      min_matches: draw.below(4),
      indicators,
      check_format: draw.pick<Json>(['png|jpg|webp', 'png', ' PNG | jpeg', '', null]),
    }
    const multimodal_task_type = draw.pick([
      'image_generation',
      'image_generation',
      'image_understanding',
      'mixed_media',
      'modality_routing',
      'chat',
    ])
    const metadata = { multimodal_task_type, expected_behavior: draw.pick(['generate_image', 'text_response']), evaluation }
    return {
      text: answer(draw, [...phrases, ...Object.values(indicators).flat(), ...shown]),
      has_image_input: draw.chance(0.7),
      keywords: maybe(draw, () => words(draw)),
      metadata,
    }
  },
  cost_task(draw) {
    const phrases = words(draw)
    const evaluation = {
      required: phrases,
      quality_criteria: phrases,
      expected_answer_contains: phrases,
      max_words: draw.pick([0, 3, 10, 20]),
      min_matches: draw.below(4),
      baseline_tokens: draw.pick([0, 10, 80, 150]),
      max_tokens: draw.pick([80, 150, 300]),
      max_tool_calls: draw.below(3),
      answer_must_appear_within_first: draw.pick([1, 3, 10, 20]),
    }
    const cost_task_type = draw.pick(['concise_response', 'efficient_explanation', 'minimal_tools', 'direct_answer', 'other'])
    const number = () => maybe(draw, () => around(draw, 80, true), 0.8)
    return {
      text: answer(draw, phrases),
      calls: draw.below(4),
      tokens: { input: number(), output: number(), total: number() },
      metadata: { cost_task_type, evaluation },
    }
  },
  public(draw) {
    const phrases = words(draw)
    const expected = {
      contains: phrases,
      must_cover: words(draw),
      min_length: maybe(draw, () => draw.between(0, 300), 0.5),
      max_latency_ms: maybe(draw, () => 2000, 0.5),
      requires_citations: draw.chance(0.5),
      min_sources: maybe(draw, () => draw.below(4), 0.6),
    }
    return { text: answer(draw, phrases), expected, latency: maybe(draw, () => around(draw, 2) + 0.001), sourced: draw.chance(0.5) }
  },
  normal: (draw) => ({ ttft: maybe(draw, () => around(draw, 1000)), tps: maybe(draw, () => around(draw, 10)) }),
  composite(draw) {
    const names = ['janus_research', 'janus_tool_use', 'janus_multimodal', 'janus_cost'].filter(() => draw.chance(0.85))
    const results: Record<string, Json> = Object.fromEntries(names.map((name) => [name, { score: draw.below(1001) / 1000 }]))
    if (draw.chance(0.85)) {
      const metrics = { avg_ttft_ms: around(draw, 1000), avg_tps: around(draw, 10), continuity_score: draw.below(101) / 100 }
      results.janus_streaming = { score: draw.below(101) / 100, metrics }
    }
    return { results }
  },
  percentile: (draw) => ({ values: draw.many(draw.below(30), () => draw.below(1000) / 7), share: draw.pick([0, 0.5, 0.9, 0.95, 0.99, 1]) }),
}
