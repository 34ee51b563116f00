import { expect, test } from 'vitest'
import type { Item } from '../contract/item.ts'
import type { Completion } from '../solvers/kit.ts'
import { said } from '../solvers/testing/said.ts'
import { scriptedKit } from '../solvers/testing/scripted-kit.ts'
import { calculate, NoExpression } from './calculate.ts'
import { colorName } from './dominant-color.ts'
import { solveJanus } from './solve.ts'
import { simulate } from './tool-simulator.ts'

const tool = (name: string) => ({
  type: 'function',
  function: { name, description: 'd', parameters: { type: 'object', properties: {}, required: [] } },
})
const item: Item = {
  item_id: '0',
  source_id: 'func_001',
  item_hash: 'h',
  group: 'function_calling',
  messages: [{ role: 'user', content: 'Weather in Oslo?' }],
  target: '',
  metadata: { benchmark: 'janus_tool_use', subtype: 'function_calling', available_tools: [tool('get_weather'), tool('calculator')] },
}
const calling = (name: string, given: string): Completion => ({
  ...said(''),
  finish_reason: 'tool_calls',
  tool_calls: [{ id: null, name, arguments: given }],
})
const list = [{ tool: 'get_weather' as const, match: { location: 'oslo' }, result: { temperature: 3 } }]
const hidden = async () => ({ ok: true as const, value: { simulated: list } })

test('[JANUS16] tools are answered the same for the same call, from the item and its arguments alone', () => {
  const ask = (name: string | null, given: string) =>
    simulate({ id: null, name, arguments: given }, ['get_weather', 'calculator', 'code_execute'], list)
  for (let round = 0; round < 2; round++) {
    expect(ask('get_weather', '{"location": "Oslo, Norway"}')).toEqual({ result: '{"temperature":3}', is_error: false })
    expect(ask('get_weather', '{"location": "Rome"}')).toEqual({ result: 'Nothing was found for these arguments.', is_error: true })
    expect(ask('calculator', '{"expression": "2 + 3 * 4"}')).toEqual({ result: '{"expression":"2 + 3 * 4","result":14}', is_error: false })
    for (const [name, given] of [
      ['calculator', '{"expression": "x"}'],
      ['calculator', '{}'],
      ['get_weather', '['],
      ['search', '{}'],
      [null, '{}'],
    ] as const)
      expect([name, given, ask(name, given)?.is_error]).toEqual([name, given, true])
    expect(ask('code_execute', '{}')).toBeNull()
    expect(simulate({ id: null, name: 'calculator', arguments: '{"expression": "1"}' }, ['get_weather'], list)).toEqual({
      result: 'There is no tool calculator.',
      is_error: true,
    })
  }
})

test('[JANUS17] the calculator has Python’s precedence and refuses what is no number', () => {
  const values: [string, number][] = [
    ['2+3*4', 14],
    ['-2**2', -4],
    ['2^3^2', 512],
    ['(1,000 - 1) / 3', 333],
    ['7 // -2', -4],
    ['-7 % 3', 2],
    ['0.1+0.2', 0.3],
    ['1.5e3', 1500],
  ]
  expect(values.map(([text]) => calculate(text))).toEqual(values.map(([, value]) => value))
  for (const text of ['', '1/0', '2 2', '(1', 'import os', '1;2', '9**9**9', '1/(1/0)', '5 % 0', '('.repeat(200)])
    expect(() => calculate(text), text).toThrow(NoExpression)
})

test('[JANUS18] an exchange goes on until no tool is called; the official reading ends with the first turn', async () => {
  const script = [calling('get_weather', '{"location":"Oslo"}'), said('It is 3 degrees.')]
  const kit = { ...scriptedKit({ model: script }), hidden }
  const found = await solveJanus('janus-v2')(item, kit)
  expect(found).toMatchObject({ ok: true, value: { kind: 'exchange', text: 'It is 3 degrees.' } })
  const turns = found.ok ? found.value.turns : []
  expect(turns.map((turn) => turn.tool_calls.map(({ name, result }) => [name, result]))).toEqual([
    [['get_weather', '{"temperature":3}']],
    [],
  ])
  expect(kit.asked.model[1]!.messages.slice(1)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'call_1_1', name: 'get_weather' }] },
    { role: 'tool', content: '{"temperature":3}', tool_call_id: 'call_1_1' },
  ])
  const one = { ...scriptedKit({ model: script }), hidden }
  const official = await solveJanus('janus-v1')(item, one)
  expect([one.asked.model.length, official.ok && official.value.turns[0]!.tool_calls[0]!.result]).toEqual([1, null])
})

test('[JANUS18] a model that never stops calling is ended after eight turns; a limit ends an exchange as evidence, a failure fails it', async () => {
  const kit = { ...scriptedKit({ model: () => calling('calculator', '{"expression":"1"}') }), hidden }
  const endless = await solveJanus('janus-v2')(item, kit)
  expect([kit.asked.model.length, endless.ok && endless.value.turns.length]).toEqual([8, 8])
  const limited = { ...scriptedKit({ model: [calling('calculator', '{}'), { limit: { limit: 'usd', most: 1 } }] }), hidden }
  expect(await solveJanus('janus-v2')(item, limited)).toMatchObject({ ok: true, value: { limit: { limit: 'usd', most: 1 }, turns: [{}] } })
  const failed = { ...scriptedKit({ model: [calling('calculator', '{}'), null] }), hidden }
  expect(await solveJanus('janus-v2')(item, failed)).toMatchObject({ ok: false, failure: { at: 'provider' } })
})

test('[JANUS19] pictures in an answer are kept under their hash, and no record holds their bytes', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
  const kept: string[] = []
  const keep = async ({
    name,
    kind,
    media_type,
  }: {
    name: string
    kind: 'picture' | 'file' | 'log' | 'recording' | 'transcript'
    media_type: string
  }) => {
    kept.push(`${name} ${media_type}`)
    return { ok: true as const, value: { name, kind, media_type, bytes: 1, sha256: 'a'.repeat(64) } }
  }
  const text = `Here: ![a](data:image/png;base64,${pixel}) and https://e.example/b.jpeg`
  const found = await solveJanus('janus-v2')(item, { ...scriptedKit({ model: [text] }), keep, hidden })
  expect(kept).toEqual(['picture-1.png image/png'])
  expect(JSON.stringify(found)).not.toContain(pixel)
  expect(found).toMatchObject({
    value: {
      pictures: [
        { source: 'data', format: 'png', artifact: 'picture-1.png', read: { format: 'png', width: 1, height: 1, color: 'red' } },
        { source: 'address', format: 'jpeg', address: 'https://e.example/b.jpeg', read: null },
      ],
    },
  })
  expect([
    colorName(250, 250, 250),
    colorName(10, 10, 10),
    colorName(30, 90, 200),
    colorName(128, 128, 128),
    colorName(240, 140, 20),
  ]).toEqual(['white', 'black', 'blue', 'grey', 'orange'])
})

test('[JANUS20] a judge grades research where one was planned; mended, a reply without a number is asked for again and then a failure', async () => {
  const research: Item = { ...item, metadata: { benchmark: 'janus_research', subtype: 'synthesis' } }
  const ask = (profile: string, judge: readonly string[]) =>
    solveJanus(profile)(research, scriptedKit({ model: ['An answer'], judge }, { judge: {} }))
  expect(await ask('janus-v2-judged', ['hm', '{"score": 0.5}'])).toMatchObject({ value: { judge: { replies: ['hm', '{"score": 0.5}'] } } })
  expect(await ask('janus-v2-judged', ['a', 'b', 'c', '{"score": 1}'])).toMatchObject({
    ok: false,
    failure: { at: 'judge', reason: 'unreadable' },
  })
  expect(await ask('janus-v2-judged', ['a', 'b', '{"score": 1}'])).toMatchObject({ value: { judge: { replies: { length: 3 } } } })
  expect(await ask('janus-v1-judged', ['hm'])).toMatchObject({ ok: true, value: { judge: { replies: ['hm'] } } })
  const none = await solveJanus('janus-v2')(research, scriptedKit({ model: ['An answer'] }))
  expect(none).toMatchObject({ ok: true, value: { judge: null } })
})
