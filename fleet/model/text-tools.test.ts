import { expect, test } from 'vitest'
import { noUsage } from '#shared/contract/usage.ts'
import type { Answer } from './completion-reader.ts'
import type { ModelRequest } from './request-body.ts'
import { askedByText, readByText } from './text-tools.ts'

const params = {
  temperature: 0,
  top_p: null,
  max_tokens: 64,
  stop: null,
  seed: null,
  reasoning_effort: null,
  tool_calling: 'text' as const,
}
const weather = {
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const ask: ModelRequest = { params, tools: [weather], messages: [{ role: 'user', content: 'Rain in Bern?' }] }
const answer = (text: string, finish_reason = 'stop'): Answer => ({
  ...{ text, finish_reason, reasoning: null, usage: noUsage, usage_known: true, latency_ms: 1, ttft_ms: 1, max_gap_ms: 1 },
  ...{ model_reported: null, system_fingerprint: null, tool_calls: [], streamed: true },
})
const block = (json: string) => `\`\`\`tool_call\n${json}\n\`\`\``

test('[PROV28] tools are described in the system message, and calls and results are written into the conversation', () => {
  const messages = [
    { role: 'system' as const, content: 'Be brief.', opening: 9 },
    ...ask.messages,
    { role: 'assistant' as const, content: 'I look.', tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Bern"}' }] },
    { role: 'tool' as const, content: 'dry', tool_call_id: 'call_1' },
  ]
  const sent = askedByText({ ...ask, messages, tool_choice: { name: 'get_weather' } })
  expect(Object.keys(sent).sort()).toEqual(['messages', 'params'])
  const [system, ...rest] = sent.messages
  expect(system).toMatchObject({ role: 'system', opening: 9, content: expect.stringMatching(/^Be brief\.\n\n/) })
  expect(system!.content).toContain(JSON.stringify(weather))
  expect(system!.content).toContain('must call the tool get_weather')
  expect(rest).toEqual([
    ask.messages[0],
    { role: 'assistant', content: `I look.\n${block('{"name":"get_weather","arguments":{"city":"Bern"}}')}` },
    { role: 'user', content: 'Result of call_1:\ndry' },
  ])
  expect(askedByText(ask).messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(askedByText({ ...ask, tools: [] }).messages).toEqual(ask.messages)
})

test('[PROV28] blocks of an answer are its calls, in their order, with ids that go on from those of the conversation', () => {
  const text = `Both then.\n${block('{"name":"get_weather","arguments":{"city":"Bern"}}')}\n${block('{"name": "get_weather", "arguments": {}}')}`
  const read = readByText(answer(text), ask)
  expect(read).toMatchObject({ text: 'Both then.', finish_reason: 'tool_calls' })
  expect(read.tool_calls).toEqual([
    { id: 'call_1', name: 'get_weather', arguments: '{"city":"Bern"}' },
    { id: 'call_2', name: 'get_weather', arguments: '{}' },
  ])
  const later = [...ask.messages, { role: 'assistant' as const, content: '', tool_calls: read.tool_calls }]
  expect(readByText(answer(text), { ...ask, messages: later }).tool_calls[0]?.id).toBe('call_3')
})

test('[PROV28] what was thought, shown in another block, cut off, or answered without tools is no call; what does not read is one without a name', () => {
  const call = block('{"name":"get_weather","arguments":{}}')
  const same = [`<think>${call}</think>\nNo need.`, `<think>\n${call}`, '```json\n{"name":"get_weather","arguments":{}}\n```', 'Dry.']
  for (const text of same) expect(readByText(answer(text), ask)).toEqual(answer(text))
  expect(readByText(answer(call), { ...ask, tools: [] })).toEqual(answer(call))
  const open = '```tool_call\n{"name":"get_weather","arguments":{}}\n'
  expect(readByText(answer(open, 'length'), ask).tool_calls).toEqual([])
  expect(readByText(answer(open), ask).tool_calls).toHaveLength(1)
  expect(readByText(answer(block('{"name": get_weather}')), ask).tool_calls).toEqual([
    { id: 'call_1', name: null, arguments: '{"name": get_weather}' },
  ])
})
