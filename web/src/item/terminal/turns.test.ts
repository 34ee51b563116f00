import { expect, test } from 'vitest'
import type { Step } from '#shared/contract/transcript.ts'
import { turnsOf } from './turns.ts'

const said = (text: string): Step =>
  ({ type: 'model_call', role: 'model', at_ms: 0, took_ms: 1, reply: { text, reasoning: null, finish_reason: 'stop' } }) as unknown as Step // what is read of it
const did = (call_id: string | null, name: string, args: unknown, result: string, is_error = false): Step => ({
  type: 'tool_call',
  at_ms: 0,
  took_ms: 0,
  call_id,
  name,
  arguments: JSON.stringify(args),
  result,
  is_error,
})

test('[UI121] the turns of a transcript are what the model said, typed and saw; summaries are none, and a further step counts anew', () => {
  const turns = turnsOf([
    said('look first'),
    did('call_0_1', 'bash_command', { keystrokes: 'ls\n', duration: 0.1 }, ''),
    did('call_0_2', 'bash_command', { keystrokes: 'pwd\n', duration: null }, '/app'),
    { type: 'note', at_ms: 0, text: 'terminus: summary 1: summary' },
    said('a summary'),
    said('not JSON'),
    did(null, 'observe', {}, 'ERROR', true),
    said('it is done'),
    did('call_2_task_complete', 'mark_task_complete', {}, 'sure?'),
    said('the next step'),
    did('call_0_1', 'bash_command', 'no keys', 'x'),
  ])
  expect(turns.map((all) => all.map(({ number, said: words }) => `${number} ${words}`))).toEqual([
    ['1 look first', '2 not JSON', '3 it is done'],
    ['1 the next step'],
  ])
  expect(turns[0]![0]).toMatchObject({
    keys: [
      { keystrokes: 'ls\n', duration: 0.1 },
      { keystrokes: 'pwd\n', duration: null },
    ],
    saw: '/app',
  })
  expect(turns[0]!.slice(1)).toMatchObject([{ unreadable: true, saw: 'ERROR' }, { done: true }])
})
