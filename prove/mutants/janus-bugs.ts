import { bugsOf, type RuleBug } from './rule-bug.ts'

const score = (name: string): string => `shared/janus/score/${name}.ts`
const scores = 'shared/janus/score/scores.test.ts'
const composite = 'shared/janus/composite.test.ts'
const solve = 'shared/janus/solve.test.ts'
const report = 'shared/janus/report.test.ts'
const items = 'shared/janus/items.test.ts'
const packed = 'fleet/catalogue/janus/pack-items.test.ts'
const command = 'fleet/cli/janus.test.ts'
const lines = (benchmark: string): string => `shared/benchmarks/${benchmark}/items.jsonl`

const scoring: readonly RuleBug[] = [
  ...bugsOf(
    'JANUS1',
    score('ramp'),
    scores,
    ['1 - 0.5 * ((value - target) / target)', '1 - 0.4 * ((value - target) / target)'],
    ['Math.max(0, 0.5 - slope', 'Math.max(-9, 0.5 - slope'],
    ['0.5 - slope * ((value - 2 * target) / target)', '0.5 - slope * ((value - target) / target)'],
    ['slope = 0.1', 'slope = 0.2'],
  ),
  ...bugsOf('JANUS2', score('speed'), scores, ['0.5 * ramp(ttft_s, targets.ttft_s) + 0.5 *', '0.6 * ramp(ttft_s, targets.ttft_s) + 0.4 *']),
  ...bugsOf(
    'JANUS2',
    score('cost'),
    scores,
    ["['cost_usd', 0.01, 0.3]", "['cost_usd', 0.01, 0.5]"],
    ['weights += weight', 'weights += 0.5'],
  ),
  ...bugsOf(
    'JANUS3',
    score('streaming'),
    scores,
    ['ms <= target * 2 ? 0.7', 'ms <= target * 2 ? 0.8'],
    ['metrics.broken || ', ''],
    ['if (told) parts', 'parts'],
    ['metrics.tokens / min_tokens, 0.15', 'metrics.tokens / min_tokens, 0.25'],
    ['0.4 * ramp(max_gap_s, 2, 0.2)', '0.4 * ramp(max_gap_s, 2)'],
  ),
  ...bugsOf(
    'JANUS4',
    score('quality'),
    scores,
    ['> 10 ? 0.7', '> 11 ? 0.7'],
    ['version) ? 1 : 0', 'version) ? 1 : 0.3'],
    ['return shareHeld(text, expected.keywords, version)', 'return shareHeld(text, expected.keywords, version) > 0 ? 1 : 0'],
  ),
  ...bugsOf(
    'JANUS5',
    score('phrases'),
    scores,
    ["if (version === 'v1') return lower", 'if (true) return lower'],
    [' || isMinus(text, start)', ''],
    [".replace(thousands, '')", ''],
  ),
  ...bugsOf('JANUS6', score('research'), scores, ['judge * 0.7 + facts * 0.3', 'judge * 0.6 + facts * 0.4']),
  ...bugsOf('JANUS6', score('item-score'), scores, [" || (version === 'v2' && concludesWrongly(facts, text))", '']),
  ...bugsOf(
    'JANUS7',
    score('function-call'),
    scores,
    ['return 0.3', 'return 0.4'],
    ['return 0.6', 'return 0.3'],
    ['!extraAllowed && ', ''],
    ['call.function !== expected.function', 'false'],
  ),
  ...bugsOf(
    'JANUS8',
    score('tool-use'),
    scores,
    ['if (others.includes(first)) return 0.8', 'if (others.includes(first)) return 1'],
    ['calls.slice(0, 1)', 'calls'],
    [': longestInOrder(expected, names)', ': expected.filter((step) => names.includes(step)).length'],
    ["(version === 'v1' && text.includes('```'))", "text.includes('```')"],
  ),
  ...bugsOf(
    'JANUS9',
    score('multimodal'),
    scores,
    ['? 0.2 : 0.8', '? 0.8 : 0.8'],
    ['met.push(color === facts.dominant_color)', 'met.push(true)'],
    ['met.push(aspectOf(width, height) === facts.aspect)', 'met.push(true)'],
    ['? found / least : 0', '? 1 : 0'],
  ),
  ...bugsOf(
    'JANUS10',
    score('cost-efficiency'),
    scores,
    ['Math.min(2, baseline / tokens)', 'Math.min(3, baseline / tokens)'],
    ["version === 'v2' && !counted ? 0 : efficiencyOf", 'efficiencyOf'],
    ['splitSpace(text).length\n  const sum', 'text.length\n  const sum'],
  ),
  ...bugsOf(
    'JANUS11',
    score('public-item'),
    scores,
    ['new Set(found).size', 'found.length'],
    ['Math.min(1, facts.max_latency_ms! / latency_ms)', '1'],
    ['parts.push(shareHeld(text, facts.must_cover, version))', 'parts.push(1)'],
  ),
]

const together: readonly RuleBug[] = [
  ...bugsOf('JANUS12', score('item-score'), composite, ['const scores = failed', 'const scores = false']),
  ...bugsOf('JANUS12', score('cost'), composite, ['unknownCost = 0.5', 'unknownCost = 0']),
  ...bugsOf('JANUS12', score('stream-metrics'), composite, ["continuityOf(stream, 'v1') : 1", "continuityOf(stream, 'v1') : 0"]),
  ...bugsOf(
    'JANUS13',
    'shared/janus/composite.ts',
    composite,
    ['absent.length === 0 ? whole : null', 'whole'],
    ['absent: mixed ? [] : absent', 'absent: []'],
    ['counted === 0 ? null : weighted / counted', 'counted === 0 ? null : weighted / 100'],
    ['pictured.length === 0 ? 1 :', 'pictured.length === 0 ? 0 :'],
  ),
  ...bugsOf('JANUS14', 'shared/janus/composite.ts', composite, ['(ms - 500) / 4500', '(ms - 500) / 5000'], ['(tps - 5) / 25', 'tps / 30']),
  ...bugsOf('JANUS14', 'shared/janus/benchmark-metrics.ts', composite, ['below + (above - below) * (at - Math.floor(at))', 'below']),
  ...bugsOf('JANUS15', score('ramp'), composite, ['value > 0 ? Math.min(1, value) : 0', 'value > 0 ? value : 0']),
  ...bugsOf('JANUS15', score('item-score'), composite, ['const quality = clamp01(', 'const quality = (']),
]

const exchanges: readonly RuleBug[] = [
  ...bugsOf(
    'JANUS16',
    'shared/janus/tool-simulator.ts',
    solve,
    [
      'findSimulated(list, call.name, given)',
      '(list as SimulatedCall[]).splice(0, 1).find((one) => findSimulated([one], call.name!, given))',
    ],
    ["if (call.name === 'calculator') return calculated(given)", ''],
    ['!offered.includes(call.name)', 'false'],
  ),
  ...bugsOf(
    'JANUS17',
    'shared/janus/calculate.ts',
    solve,
    ['base ** signed()', 'base ** single()'],
    ['if (!Number.isFinite(value)) throw', 'if (false) throw'],
    ['Math.floor(left / right) : left', 'Math.trunc(left / right) : left'],
    ["if (right === 0) throw new NoExpression('division by zero')", ''],
  ),
  ...bugsOf(
    'JANUS18',
    'shared/janus/solve.ts',
    solve,
    ["const most = version === 'v1' ? 1 : mostTurns", 'const most = mostTurns'],
    ['if (over) break', ''],
    ['{ ok: true, value: { ...talked, limit: said.limit } }', '{ ok: true, value: talked }'],
  ),
  ...bugsOf('JANUS18', 'shared/janus/profiles.ts', solve, ['mostTurns = 8', 'mostTurns = 9']),
  ...bugsOf(
    'JANUS19',
    'shared/janus/solve.ts',
    solve,
    ['withoutPictures(answer.text)', 'answer.text'],
    ['text: withoutPictures(text),\n    reasoning_chars', 'text,\n    reasoning_chars'],
  ),
  ...bugsOf('JANUS19', 'shared/janus/answered-pictures.ts', solve, ['artifact: kept.ok ? name : null', 'artifact: null']),
  ...bugsOf(
    'JANUS20',
    'shared/janus/solve.ts',
    solve,
    ["version === 'v1' ? 0 : 2", "version === 'v1' ? 0 : 1"],
    ["judgeScore(replies.at(-1)!, 'v2') !== null", 'true'],
    ["if (!judge || answer.trim() === '')", "if (answer.trim() === '')"],
  ),
  ...bugsOf(
    'JANUS21',
    'shared/janus/code-cases.ts',
    'fleet/trial/janus-code.test.ts',
    ['inputs: test_cases.map((one) => one.input)', 'inputs: test_cases.map((one) => one.input), test_cases'],
    ["kind === 'l' && ", ''],
    ['line?.ok === true && ', 'line !== undefined && '],
    ['Math.abs(other - one) < 1e-6', 'true'],
  ),
]

const served: readonly RuleBug[] = [
  ...bugsOf(
    'JANUS22',
    'shared/janus/report.ts',
    report,
    ['beside: besideOf(beside)', 'beside: besideOf(composite)'],
    ['task_id: record.source_id ?? record.item_id', 'task_id: record.item_id'],
    ['p50_latency_seconds: percentile(latencies, 0.5', 'p50_latency_seconds: percentile(latencies, 0.9'],
  ),
  ...bugsOf(
    'JANUS23',
    'edge/routes/janus-composite.ts',
    'edge/routes/janus-composite.test.ts',
    ['if (planned.length === 0)', 'if (false)'],
    ["resultOf(record, 'v1')", "resultOf(record, 'v2')"],
    ['if (counting.has(record.benchmark)) {', '{'],
    ["access: { who: 'reader of the run'", "access: { who: 'anyone'"],
  ),
  ...bugsOf('JANUS24', 'shared/benchmarks/janus_streaming/card.ts', report, ['timing_sensitive: true', 'timing_sensitive: false']),
  ...bugsOf('JANUS24', 'shared/run/plan.ts', report, ['Math[rounding](', 'Math.floor(']),
  ...bugsOf('JANUS25', 'shared/janus/read-report.ts', report, ['delta > 0 === higher', 'delta > 0'], ['> 2 * middle', '> 0 * middle']),
  ...bugsOf('JANUS25', 'fleet/cli/commands/janus.ts', command, [
    'give(compareReports(readReport(one), readReport(other)), values.output',
    'give(compareReports(readReport(one), readReport(other)), undefined',
  ]),
  ...bugsOf('JANUS26', 'shared/janus/janus-item.ts', report, ["'simulated', 'answer_note']", "'simulated', 'answer_note', 'evaluation']"]),
  ...bugsOf('JANUS37', 'shared/janus/composite.ts', command, ['officialWeights : weights\n', 'officialWeights : officialWeights\n']),
  ...bugsOf('JANUS37', 'shared/janus/read-report.ts', command, ['` (counts ${report.weights[name]} %)`', "''"]),
]

const written: readonly RuleBug[] = [
  ...bugsOf('JANUS51', lines('janus_cost'), items, ['"id":"concise_001"', '"id":"concise_002"']),
  ...bugsOf('JANUS53', lines('janus_tool_use'), items, ['I am packing for Helsinki.', 'I am packing for Helsinki today.']),
  ...bugsOf(
    'JANUS54',
    lines('janus_tool_use'),
    items,
    ['["search","calculator"],"expected_output_contains":["260"]', '["search","fetch_url"],"expected_output_contains":["260"]'],
    ['rooms of the Hotel Almira,', 'rooms of the Hotel Almira for 260 guests,'],
  ),
  ...bugsOf(
    'JANUS56',
    lines('janus_public'),
    items,
    [
      '[{"input":["Orchestra"],"output":3},{"input":["RHYTHM"],"output":0}]',
      '[{"input":["Orchestra"],"output":3},{"input":["Rhythm oo"],"output":3}]',
    ],
    ['a Python function count_vowels(text)', 'a Python function of a text'],
  ),
  ...bugsOf('JANUS57', lines('janus_cost'), items, [
    '"required":["mercury"],"max_words":3',
    '"required":["the mercury in it"],"max_words":3',
  ]),
  ...bugsOf('JANUS58', lines('janus_cost'), items, ['Which metal is liquid', 'Which metal, mercury or lead, is liquid']),
  ...bugsOf('JANUS50', 'shared/janus/item-parts.ts', items, ['Prompt = z.string().min(1)', 'Prompt = z.string()']),
  ...bugsOf('JANUS50', 'shared/janus/item-parts.ts', packed, ['as the model is shown it.', 'as the model sees it.']),
  ...bugsOf('JANUS52', 'fleet/catalogue/janus/encode-png.ts', packed, ['level: 9', 'level: 1']),
  ...bugsOf('JANUS52', 'shared/janus/write-png.ts', packed, ['0xedb88320', '0xedb88321']),
  ...bugsOf(
    'JANUS55',
    'shared/janus/simulated-call.ts',
    items,
    ['.toLowerCase().includes(wanted.toLowerCase())', '.includes(wanted)'],
    ["given.trim() !== '' && ", ''],
    ['list.find((one)', 'list.findLast((one)'],
  ),
]

/** Bugs in the lines that carry the rules of the Janus suite; those that a whole run shows are planted by hand in `e2e/janus-run.test.ts`. */
export const janusBugs: readonly RuleBug[] = [...scoring, ...together, ...exchanges, ...served, ...written]
