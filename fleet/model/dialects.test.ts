import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCompletionReader, type ReadResult } from './completion-reader.ts'
import { type Dialect, framings, plainDialect, type Rendered, renderDialect, repeats } from './testing/dialect.ts'
import {
  errorForms,
  errorWords,
  finishForms,
  heartbeats,
  type Ideal,
  reasoningForms,
  textForms,
  toolForms,
  trailings,
  usageForms,
} from './testing/dialect-columns.ts'

const asIs = (text: string): string => text

/** Reads a body that comes in pieces of these bytes, one a millisecond, and ends as the server ends it. */
function read({ text, end }: Rendered, cuts: readonly number[] = []): ReadResult | null {
  const bytes = Buffer.from(text)
  const reader = createCompletionReader(0, asIs)
  const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
  for (const [index, to] of at.slice(1).entries()) {
    const result = reader.push(bytes.subarray(at[index], to), index)
    if (result) return result
  }
  if (end !== 'silent') return reader.end(at.length, end === 'broken')
  return Number.isFinite(reader.dueMs()) ? reader.takeDue(reader.dueMs()) : null
}

const ideal: Ideal = {
  text: 'I think it over. The answer is (A) — “ok” 🦜.',
  reasoning: 'Maybe it is (B), or rather (C).',
  calls: [
    { id: 'call_a', name: 'convert', arguments: '{"value":12,"unit":{"from":"ha"},"note":"a } { b"}' },
    { id: 'call_b', name: 'rate', arguments: '{"base":"EUR"}' },
  ],
  usage: { input: 120, output: 30, cached: 100 },
}
const sameTwice: Ideal = { ...ideal, calls: ideal.calls.map((call) => ({ ...call, name: 'convert' })) }

/** The answer that a dialect tells, as everything above the reader sees it. */
function shapeOf(told: Ideal, dialect: Dialect) {
  const { ids, one } = toolForms[dialect.tools]!
  const usage = usageForms[dialect.usage]!
  const idsLater = dialect.repeat === 'all in a message' && !dialect.framing.startsWith('body') && !one
  const calls = (one ? told.calls.slice(0, 1) : told.calls).map(({ id, name, arguments: written }) => ({
    ...{ id: ids === false && !idsLater ? null : id, name, arguments: JSON.parse(written) },
  }))
  return {
    text: told.text,
    reasoning: told.reasoning || null,
    calls,
    refused: dialect.text.startsWith('refusal'),
    usage_known: usage.known,
    usage: usage.known
      ? { input_tokens: 120, output_tokens: 30, cached_tokens: usage.cached ? 100 : 0, reasoning_tokens: 0 }
      : { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 },
    cached_told: usage.cached === true,
  }
}

function readShape(result: ReadResult | null) {
  if (!result?.ok) return result
  const { text, reasoning, tool_calls, refused = false, usage_known, usage, usage_told } = result.value
  const calls = tool_calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) }))
  return { text, reasoning, calls, refused, usage_known, usage, cached_told: usage_told?.cached_tokens }
}

function expectShape(told: Ideal, dialect: Dialect, cuts?: readonly number[]): void {
  const ofDialect = toolForms[dialect.tools]!.one ? { ...told, calls: told.calls.slice(0, 1) } : told
  const result = read(renderDialect(ofDialect, dialect), cuts)
  expect(readShape(result), JSON.stringify(dialect)).toEqual(shapeOf(told, dialect))
}

test.each(Object.keys(toolForms))('[MODEL310] tool calls are told apart in each form: %s', (tools) => {
  for (const told of [ideal, sameTwice])
    for (const repeat of repeats)
      for (const framing of ['events', 'body'] as const)
        expectShape(told, { ...plainDialect, tools, repeat, framing, finish: 'tool_calls' })
})

test.each(Object.keys(usageForms))('[MODEL5] usage is read at each place and under each name: %s', (usage) => {
  expectShape(ideal, { ...plainDialect, usage })
})

test.each(Object.keys(reasoningForms))('[MODEL4] reasoning is read in each form: %s', (reasoning) => {
  for (const framing of ['events', 'body'] as const)
    for (const repeat of repeats) expectShape(ideal, { ...plainDialect, reasoning: reasoning as Dialect['reasoning'], framing, repeat })
})

test.each(Object.keys(textForms))('[MODEL311] the text is read in each form, and told twice it counts once: %s', (text) => {
  for (const repeat of repeats) expectShape(ideal, { ...plainDialect, text: text as Dialect['text'], repeat })
})

test.each(Object.keys(errorForms))(
  '[MODEL8] an error in each form fails the call, in the middle of an answer and in its place: %s',
  (error) => {
    for (const framing of ['events', 'body'] as const) {
      const result = read(renderDialect(ideal, { ...plainDialect, error, framing }))
      expect(result).toMatchObject({ ok: false, failure: { reason: 'server-error', detail: expect.stringContaining(errorWords) } })
    }
  },
)

test.each(Object.keys(heartbeats))('[MODEL312] a heartbeat is no chunk: %s', (heartbeat) => {
  const facts = (one: string) => {
    const result = read(renderDialect(ideal, { ...plainDialect, heartbeat: one }))
    return result?.ok ? result.value.stream : null
  }
  expectShape(ideal, { ...plainDialect, heartbeat })
  expect(facts(heartbeat)?.chunks).toBe(facts('none')?.chunks)
  if (heartbeat !== 'none') expect(facts(heartbeat)?.keep_alives).toBeGreaterThan(0)
})

test.each(Object.keys(trailings))('[MODEL313] a finished answer stays one, whatever trails it: %s', (trailing) => {
  expectShape(ideal, { ...plainDialect, trailing })
})

test('[MODEL314] every finish reason in every spelling is one of its family', () => {
  for (const { spelled, means } of finishForms) {
    const result = read(renderDialect(ideal, { ...plainDialect, finish: spelled }))
    if ('fails' in means) expect([spelled, result]).toMatchObject([spelled, { ok: false, failure: { reason: means.fails } }])
    else {
      expect([spelled, result]).toMatchObject([spelled, { ok: true, value: { finish_reason: means.as } }])
      expect(result?.ok && result.value.aside?.finish_reason).toBe(spelled === means.as ? undefined : spelled)
    }
  }
})

const anyOf = <T>(list: readonly T[]) => fc.constantFrom(...list)
const named = (table: object) => anyOf(Object.keys(table))
const ends = finishForms.flatMap(({ spelled, means }) => ('as' in means ? [spelled] : []))

const dialects = fc.record({
  reasoning: named(reasoningForms),
  text: named(textForms),
  tools: named(toolForms),
  usage: named(usageForms),
  finish: anyOf(ends),
  repeat: anyOf(repeats),
  framing: anyOf(framings),
  heartbeat: named(heartbeats),
  trailing: named(trailings),
  error: fc.constant(null),
}) as fc.Arbitrary<Dialect>

const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 8 })
const spoken = words.map((list) => `It follows: ${list.join(' ')} and so (A).`)
const written = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 3 })
const ideals: fc.Arbitrary<Ideal> = fc.record({
  text: spoken,
  reasoning: fc.oneof(fc.constant(''), spoken),
  calls: fc
    .array(fc.record({ name: anyOf(['convert', 'rate']), given: written }), { maxLength: 4 })
    .map((list) => list.map(({ name, given }, at) => ({ id: `call_${at}`, name, arguments: JSON.stringify({ at, ...given }) }))),
  usage: fc.constant(ideal.usage),
})

test('[MODEL315] a thousand dialects, products of all columns, read as one shape wherever their bytes are split', () => {
  fc.assert(
    fc.property(ideals, dialects, fc.array(fc.nat(4000), { maxLength: 12 }), (told, dialect, cuts) => expectShape(told, dialect, cuts)),
    { numRuns: 1000, endOnFailure: true },
  )
})

test('[MODEL315] half an answer in any dialect, cut at any byte, is no answer', () => {
  fc.assert(
    fc.property(ideals, dialects, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (told, dialect, share, broken) => {
      const { text } = renderDialect(told, { ...dialect, heartbeat: 'none', trailing: 'nothing', usage: 'none', finish: 'stop' })
      const finishes = text.lastIndexOf('"finish_reason":')
      const result = read({ text: Buffer.from(text.slice(0, Math.floor(finishes * share))).toString(), end: broken ? 'broken' : 'closed' })
      expect(result?.ok).toBe(false)
    }),
    { numRuns: 300, endOnFailure: true },
  )
})
