import { bugsOf, type RuleBug } from './rule-bug.ts'

const fold = 'shared/stream/stream-fold.ts'
const folded = 'shared/stream/stream-fold.test.ts'
const continuity = 'shared/stream/continuity.ts'
const even = 'shared/stream/continuity.test.ts'
const answers = 'fleet/model/streamed-answer.test.ts'
const provider = 'prove/provider/streams.test.ts'
const recorded = 'fleet/trial/streams.test.ts'
const timeline = 'shared/stream/stream-timeline.test.ts'
const servers = 'shared/providers/own-servers.test.ts'
const asked = 'fleet/model/own-servers.test.ts'
const simulator = 'prove/provider/provider.test.ts'

const streams: readonly RuleBug[] = [
  ...bugsOf(
    'STREAM1',
    fold,
    folded,
    ['lastTokenMs = nowMs\n  if (!content) return', 'lastTokenMs = nowMs'],
    ['fold.squares) / count', 'fold.squares) / (count - 1)'],
    ['longOf(fold, 3 * mean)', 'longOf(fold, 4 * mean)'],
    ['fold.intervals.length < mostIntervals', 'true'],
    ['each > bucket', 'each < bucket'],
    ['Number.isNaN(ms) ? null : rounded(ms)', 'rounded(ms || 0)'],
  ),
  ...bugsOf(
    'STREAM2',
    continuity,
    even,
    ['1 - content.long * 0.1', '1 - content.long * 0.2'],
    ["if (version === 'v1' && short) return 1", "if (version === 'v1' && short) return 0"],
    ["(end === 'cut' || end === 'stalled')", "end === 'cut'"],
    ['content.long / (content_chunks - 1)', 'content.long / content_chunks'],
  ),
  ...bugsOf(
    'STREAM3',
    continuity,
    even,
    ['(content_chunks * 1000)', '((content_chunks - 1) * 1000)'],
    [' || last_token_ms - first_token_ms < leastSpanMs', ''],
    ['facts.content.span_ms >= leastSpanMs ? chunkRates', 'facts.content.span_ms > leastSpanMs ? chunkRates'],
  ),
  ...bugsOf(
    'STREAM4',
    'fleet/model/chunk-fold.ts',
    answers,
    ['draft.token ||= Array.isArray', 'draft.token &&= Array.isArray'],
    ['  draft.whole ||= !draft.pieces', ''],
  ),
  ...bugsOf('STREAM4', 'fleet/model/draft.ts', answers, [
    '  draft.token = true\n  const before = draft.reasoning',
    '  const before = draft.reasoning',
  ]),
  ...bugsOf(
    'STREAM4',
    'fleet/model/completion-reader.ts',
    answers,
    ["done || draft.whole ? 'done' : 'closed'", "'done'"],
    ['usage: usage(), stream: facts(nowMs, end) }', 'usage: usage(), stream: facts(sentMs, end) }'],
    ['keep_alives: parser.comments() + heartbeats', 'keep_alives: 0'],
  ),
  ...bugsOf(
    'STREAM5',
    'fleet/model/call-handler.ts',
    provider,
    ['fold.connectMs = connectMs()', 'fold.connectMs = connectMs() || 1'],
    ['waitedMs + Math.max(0, fold.sentMs - handedMs - connecting)', 'waitedMs'],
    ['fold.queueMs = waitedMs + ', 'fold.queueMs = '],
  ),
  ...bugsOf('STREAM5', 'fleet/model/timed-connector.ts', provider, [
    'callback(...opened)\n        freshMs = Number.NaN',
    'callback(...opened)',
  ]),
  ...bugsOf(
    'STREAM6',
    'fleet/model/call-handler.ts',
    provider,
    ["reason === 'total-timeout' ? 'cut' : 'stalled'", "'stalled'"],
    ['factsOf(fold, nowMs, end, { keep_alives: 0, output_tokens: null }) : undefined', 'undefined : undefined'],
  ),
  ...bugsOf(
    'STREAM7',
    'fleet/trial/to-record.ts',
    recorded,
    ['scored.ok ? last?.stream : (latest ?? last?.stream)', 'last?.stream'],
    ['if (measuredBy) record.measured_by', 'record.measured_by'],
  ),
  ...bugsOf('STREAM7', 'fleet/trial/create-kit.ts', recorded, ['...(stream && { stream }),', '']),
  ...bugsOf(
    'STREAM8',
    'shared/metrics/log-histogram.ts',
    'shared/metrics/log-histogram.test.ts',
    ['growth = 1.04', 'growth = 1.08'],
    ['(counts.get(bucket) ?? 0) + count)', 'count)'],
    ['bounds[middle]! <= value', 'bounds[middle]! < value'],
  ),
  ...bugsOf(
    'STREAM9',
    'shared/metrics/streaming.ts',
    'shared/metrics/streaming.test.ts',
    ['p90: at(told, 0.9)', 'p90: at(told, 0.5)'],
    ['ends[end] += part.ends[end]', 'ends[end] = part.ends[end]'],
    ['return n === 0 ? []', 'return n < 0 ? []'],
  ),
  ...bugsOf(
    'STREAM10',
    'shared/stream/stream-timeline.ts',
    timeline,
    ['const sentMs = facts.queue_ms + (facts.connect_ms ?? 0)', 'const sentMs = facts.queue_ms'],
    ['{ from_ms: sentMs + at,', '{ from_ms: at,'],
    ["(facts.first_byte_ms === null ? 'first-byte' : 'first-token')", "'first-token'"],
    ['} tokens a second`', '}`'],
  ),
  ...bugsOf(
    'STREAM11',
    'shared/stream/stream-timeline.ts',
    timeline,
    ["by.agent === 'local' ?", "by.agent === 'x' ?"],
    ['by.place === null ? `${who}.`', 'by.place !== null ? `${who}.`'],
  ),
  ...bugsOf(
    'STREAM12',
    'shared/stream/packed-stream.ts',
    'shared/run/openings.test.ts',
    ['facts.keep_alives,', 'facts.chunks,'],
    ['facts.output_tokens ?? null', 'null'],
  ),
  ...bugsOf('STREAM13', 'shared/export/run-item.ts', 'shared/export/formats/formats.test.ts', [
    'token_rate: tokenRateOf(stream)',
    'token_rate: null',
  ]),
  ...bugsOf('STREAM13', 'shared/export/formats/csv.ts', 'shared/export/formats/formats.test.ts', ['item.stream_end,', 'item.outcome,']),
  ...bugsOf(
    'STREAM14',
    'shared/stream/call-lines.ts',
    'shared/stream/call-lines.test.ts',
    ['Math.max(most, timelineOf(stream).total_ms)', 'most'],
    ['failed: failure !== null', 'failed: false'],
    ["filter((step) => step.type === 'model_call')", "filter((step) => step.type === 'model_call' && step.role === 'model')"],
  ),
]

const providers: readonly RuleBug[] = [
  ...bugsOf(
    'PROV23',
    'shared/providers/provider-headers.ts',
    'shared/providers/provider-headers.test.ts',
    ["filter((header) => typeof header === 'string')", "filter((header): header is string => typeof header !== 'string')"],
    [".refine((name) => !ours.includes(name.toLowerCase()), 'is a header that is not for you to set')", ''],
    ['new Set(names.map((name) => name.toLowerCase())).size === names.length', 'true'],
  ),
  ...bugsOf(
    'PROV24',
    'shared/providers/llamacpp.ts',
    servers,
    ['context_length: meta?.n_ctx ?? null', 'context_length: null'],
    ['price: freeOfCharge', 'price: null'],
  ),
  ...bugsOf(
    'PROV24',
    'shared/providers/ollama.ts',
    servers,
    ["if (capabilities && !capabilities.includes('completion')) return undefined", ''],
    ['price: remote_host ? null : freeOfCharge', 'price: freeOfCharge'],
  ),
  ...bugsOf('PROV25', 'fleet/model/call-handler.ts', asked, [
    "(isContextOverflow(refusalWords({ error })) ? 'context-length' : null)",
    'null',
  ]),
  ...bugsOf('PROV25', 'fleet/model/error-body.ts', asked, ["(overflows ? 'context-length' : ", '(false ? null : ']),
  ...bugsOf(
    'PROV26',
    'fleet/model/fold-aside.ts',
    asked,
    ['(known ? events[name]! : 0) + 1', '1'],
    ['...(amount(cost_usd) && { cost_usd }), ', ''],
    ['success && data !== undefined ?', 'success && data === undefined ?'],
  ),
  ...bugsOf('PROV26', 'fleet/model/call-handler.ts', asked, [
    'failure: knownBy(meantBy(read.failure), ids)',
    'failure: meantBy(read.failure)',
  ]),
  ...bugsOf('PROV26', 'fleet/trial/transcript.ts', 'fleet/trial/create-kit.test.ts', [' || step.aside !== undefined', '']),
  ...bugsOf(
    'PROV27',
    'fleet/model/read-usage.ts',
    asked,
    ['tokens(usage.prompt_cache_hit_tokens) ??', ''],
    ['(isFields(timings) ? tokens(timings.cache_n) : null)', 'null'],
    ['Math.min(cached ?? 0, input)', 'cached ?? 0'],
  ),
  ...bugsOf(
    'PROV28',
    'fleet/model/text-tools.ts',
    'fleet/model/text-tools.test.ts',
    ["finish !== 'length' || ", 'true || '],
    ['const { text: said } = scoringInput(answer.text)', 'const said = answer.text'],
    ['return { id, name: null, arguments: written.trim() }', "return { id, name: '', arguments: written.trim() }"],
    ['`call_${before + at + 1}`', '`call_${at + 1}`'],
    ["role: 'user', content: `Result", "role: 'tool', content: `Result"],
  ),
  ...bugsOf(
    'PROV29',
    'shared/run/planned-params.ts',
    'shared/run/planned-params.test.ts',
    ["if (body.tool_calling === 'native') delete params.tool_calling", ''],
    ["body.tool_calling === 'text' && {", 'body.tool_calling === undefined && {'],
  ),
  ...bugsOf('AUTH22', 'edge/auth/principal.ts', 'edge/auth/principal.test.ts', ['passing ? chutesAccountId(verdict.account!) : ', '']),
  ...bugsOf(
    'FAIL15',
    'prove/provider/fault.ts',
    simulator,
    ['draw(seed, index, id) < rule.share', 'draw(1, index, id) < rule.share'],
    ['if (id < rule.from || ', 'if ('],
  ),
  ...bugsOf('FAIL15', 'prove/provider/rate-window.ts', simulator, ['nowMs - oldest < 1000) return', 'nowMs - oldest < 900) return']),
  ...bugsOf('FAIL15', 'prove/provider/provider.ts', simulator, ['entry.output_tokens = billed?.output_tokens ?? 0', '']),
  ...bugsOf('FAIL15', 'prove/provider/send-paced.ts', simulator, ['spanOf(gap_ms, next)', '0']),
]

/** Bugs in the lines that carry the rules of streams, of own servers and gateways, of tokens of Chutes, and of the simulated provider. */
export const streamBugs: readonly RuleBug[] = [...streams, ...providers]
