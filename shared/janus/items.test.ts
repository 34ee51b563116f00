import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groupOf, JanusItem, janusBenchmarks, janusGroups } from './item-schema.ts'
import { computedTools, findSimulated, type SimulatedCall } from './simulated-call.ts'

const linesOf = (benchmark: string): unknown[] =>
  readFileSync(new URL(`../benchmarks/${benchmark}/items.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const items = janusBenchmarks.flatMap((benchmark) => linesOf(benchmark).map((line) => JanusItem.parse(line)))

type ToolItem = Extract<JanusItem, { available_tools: unknown }>
const toolItems = items.filter((item): item is ToolItem => 'available_tools' in item)

/** All that the model is told in words. */
const wordsOf = (item: JanusItem): string =>
  (item.benchmark === 'janus_public' ? JSON.stringify(item.input) : item.prompt).replace(/data:image[^"]*/g, '')

test('[JANUS50] every line of an item file is an item of its benchmark, and a wrong one is refused', () => {
  for (const benchmark of janusBenchmarks)
    expect(linesOf(benchmark).map((line) => JanusItem.parse(line).benchmark)).toEqual(linesOf(benchmark).map(() => benchmark))
  const [item] = items
  expect(JanusItem.safeParse(item).success).toBe(true)
  for (const wrong of [
    { ...item, subtype: 'short_response' },
    { ...item, more: 1 },
    { ...item, prompt: '' },
    { ...item, id: 'Fact 1' },
  ])
    expect(JanusItem.safeParse(wrong).success).toBe(false)
})

test('[JANUS51] there are as many items of each group as the suite has, with ids numbered from 1 that no other has', () => {
  const counted = Object.fromEntries(janusBenchmarks.map((benchmark) => [benchmark, {} as Record<string, number>]))
  for (const item of items) {
    const groups = counted[item.benchmark]!
    groups[groupOf(item)] = (groups[groupOf(item)] ?? 0) + 1
    const number = Number(item.id.slice(-3))
    expect([item.id, number >= 1 && number <= janusGroups[item.benchmark][groupOf(item)]!]).toEqual([item.id, true])
  }
  expect(counted).toEqual(janusGroups)
  expect(new Set(items.map(({ benchmark, id }) => `${benchmark} ${id}`)).size).toBe(items.length)
  const questions = items.filter((item) => !('pictures' in item)).map(wordsOf)
  expect(questions.filter((words, index) => questions.indexOf(words) !== index)).toEqual([])
})

test('[JANUS53] no item asks for what changes with the day: words of the present are absent, events have their year', () => {
  const present = /\b(current(ly)?|latest|today|recent(ly)?|nowadays|newest|so far|these days|this (year|month|week))\b/i
  expect(items.map(wordsOf).filter((words) => present.test(words))).toEqual([])
  const undated = items.filter((item) => item.subtype === 'current_events' && !/\b(19|20)\d\d\b/.test(item.prompt))
  expect(undated.map(({ id }) => id)).toEqual([])
})

test('[JANUS54] every tool that an item expects is offered with its arguments, and every answer of the simulator can be had', () => {
  for (const item of toolItems) {
    const offered = new Map(item.available_tools.map((tool) => [tool.function.name as string, tool.function.parameters]))
    expect([item.id, offered.size]).toEqual([item.id, item.available_tools.length])
    for (const call of item.simulated) {
      expect([item.id, findSimulated(item.simulated, call.tool, call.match)]).toEqual([item.id, call])
      expect([item.id, Object.keys(offered.get(call.tool)?.properties ?? {})]).toEqual([
        item.id,
        expect.arrayContaining(Object.keys(call.match)),
      ])
    }
    const computed: readonly string[] = computedTools
    for (const tool of expectedTools(item)) {
      const answered = computed.includes(tool) || item.simulated.some((call) => call.tool === tool)
      expect([item.id, tool, offered.has(tool), answered]).toEqual([item.id, tool, true, true])
    }
    if (!('expected_call' in item)) continue
    const { function: name, arguments: given } = item.expected_call
    const { properties, required } = offered.get(name)!
    expect([item.id, Object.keys(properties)]).toEqual([item.id, expect.arrayContaining(Object.keys(given))])
    expect([item.id, Object.keys(given)]).toEqual([item.id, expect.arrayContaining(required)])
    for (const [argument, value] of Object.entries(given)) {
      const { enum: allowed } = properties[argument]!
      if (Array.isArray(allowed)) expect(allowed).toContain(value)
    }
    expect([item.id, computed.includes(name) || findSimulated(item.simulated, name, given) !== undefined]).toEqual([item.id, true])
  }
})

function expectedTools(item: ToolItem): string[] {
  if ('expected_call' in item) return [item.expected_call.function]
  if ('expected_tools' in item) return item.expected_tools
  return 'expected_sequence' in item ? item.expected_sequence : []
}

test('[JANUS54] what a chain must tell is in its texts or is computed of them, and it does not stand in the question', () => {
  for (const item of items.filter((one) => one.subtype === 'tool_chaining')) {
    const told = JSON.stringify(item.simulated)
    for (const output of item.expected_output_contains) {
      expect([item.id, item.prompt.includes(output)]).toEqual([item.id, false])
      if (item.expected_sequence.every((tool) => tool === 'search' || tool === 'fetch_url')) expect(told).toContain(output)
      else expect([item.id, item.answer_note]).toEqual([item.id, expect.any(String)])
    }
  }
})

test('[JANUS55] the first simulated answer whose arguments fit is given: text within text in any case, numbers also as text, else none', () => {
  const list: SimulatedCall[] = [
    { tool: 'search', match: { query: 'Orrin' }, result: 'bridge' },
    { tool: 'convert_units', match: { value: 3 }, result: { result: 9 } },
    { tool: 'search', match: {}, result: 'all else' },
    { tool: 'convert_units', match: { value: 0 }, result: { result: 0 } },
  ]
  const found = (tool: string, given: Record<string, unknown>) => list.indexOf(findSimulated(list, tool, given)!)
  expect(found('search', { query: 'the orrin bridge' })).toBe(0)
  expect(found('search', { query: 'boats' })).toBe(2)
  expect(found('search', {})).toBe(2)
  expect([3, '3', ' 3.0 '].map((value) => found('convert_units', { value }))).toEqual([1, 1, 1])
  expect([4, '', null, undefined, '3 feet'].map((value) => found('convert_units', { value }))).toEqual([-1, -1, -1, -1, -1])
  expect(['0', 0, ' '].map((value) => found('convert_units', { value }))).toEqual([3, 3, -1])
  expect(found('get_time', { timezone: 'UTC' })).toBe(-1)
})

test('[JANUS56] functions to write are named in the question and have cases that no constant passes', () => {
  const code = items.filter((item) => item.benchmark === 'janus_public').filter((item) => item.subtype === 'code')
  expect(code).toHaveLength(36)
  for (const item of code) {
    const { function_name, test_cases } = item.expected
    expect(wordsOf(item)).toContain(`${function_name}(`)
    expect([item.id, new Set(test_cases.map(({ output }) => JSON.stringify(output))).size > 1]).toEqual([item.id, true])
  }
})

test('[JANUS57] bounds of an item can be kept: required words fit into the length, and a limit of tokens lies above the usual', () => {
  for (const { id, evaluation } of items.filter((item) => item.benchmark === 'janus_cost')) {
    if (evaluation.type === 'contains_and_length')
      expect([id, evaluation.required.join(' ').split(' ').length <= evaluation.max_words]).toEqual([id, true])
    if (evaluation.type === 'quality_and_tokens') {
      expect([id, evaluation.max_tokens > evaluation.baseline_tokens]).toEqual([id, true])
      expect([id, evaluation.quality_criteria.length >= evaluation.min_matches]).toEqual([id, true])
    }
  }
  for (const { id, expected_topics, min_topics } of items
    .filter((item) => item.subtype === 'current_events')
    .map(({ id, evaluation }) => ({ id, ...evaluation })))
    expect([id, expected_topics.length >= min_topics]).toEqual([id, true])
})

test('[JANUS58] a phrase that decides whether an answer is right does not stand in the question', () => {
  const named = (words: string, phrase: string) => words.toLowerCase().includes(phrase.toLowerCase())
  const shown = items.flatMap((item) => {
    const told = wordsOf(item).replace(/[\w.]+\.example\.org\S*/g, '')
    return decisive(item)
      .filter((phrase) => phrase.length > 1 && named(told, phrase))
      .map((phrase) => `${item.id} ${phrase}`)
  })
  expect(items.flatMap(decisive).length).toBeGreaterThan(200)
  expect(shown).toEqual([])
})

function decisive(item: JanusItem): string[] {
  if (item.benchmark === 'janus_public')
    return item.subtype === 'chat' || item.subtype === 'research' || item.subtype === 'multimodal' ? item.expected.contains : []
  if (item.subtype === 'tool_chaining' || item.subtype === 'code_execution') return item.expected_output_contains
  if (item.subtype === 'direct_answer') return [item.expected_answer]
  const { evaluation } = item
  if (evaluation.type === 'contains_and_length') return evaluation.required
  if (evaluation.type === 'tool_count') return evaluation.expected_answer_contains
  if (evaluation.type === 'contains_any') return evaluation.expected
  return item.subtype === 'image_understanding' ? item.evaluation.expected_elements : []
}
