import { expect, test } from 'vitest'
import { writeTrajectory } from './write-trajectory.ts'

const spent = { input_tokens: 10, cached_tokens: 2, output_tokens: 3, cost_usd: 0.5 }
const at = '2026-11-24T10:00:00.000Z'

test('[HARB20] a trajectory is ATIF 1.7: numbered steps, results beside their calls, sums, and no key without a value', () => {
  const text = writeTrajectory({
    session_id: 's',
    agent: { name: 'terminus-2', version: '2', model_name: null },
    steps: [
      { source: 'user', at, message: 'Do it.', observation: null },
      {
        source: 'agent',
        at,
        message: 'I type.',
        observation: 'screen',
        reasoning: 'why',
        calls: [{ id: 'c', name: 'keys', arguments: { keystrokes: 'ls\n' }, result: 'done' }],
        spent,
        model_calls: 1,
      },
      { source: 'agent', at: null, message: 'by itself', observation: null, reasoning: 'never', calls: [], spent, model_calls: 0 },
    ],
    notes: null,
  })
  expect(JSON.parse(text)).toEqual({
    schema_version: 'ATIF-v1.7',
    session_id: 's',
    agent: { name: 'terminus-2', version: '2' },
    steps: [
      { step_id: 1, timestamp: at, source: 'user', message: 'Do it.' },
      {
        step_id: 2,
        timestamp: at,
        source: 'agent',
        message: 'I type.',
        reasoning_content: 'why',
        tool_calls: [{ tool_call_id: 'c', function_name: 'keys', arguments: { keystrokes: 'ls\n' } }],
        observation: { results: [{ source_call_id: 'c', content: 'done' }, { content: 'screen' }] },
        metrics: { prompt_tokens: 10, completion_tokens: 3, cached_tokens: 2, cost_usd: 0.5 },
        llm_call_count: 1,
      },
      { step_id: 3, source: 'agent', message: 'by itself', llm_call_count: 0 },
    ],
    final_metrics: { total_prompt_tokens: 20, total_completion_tokens: 6, total_cached_tokens: 4, total_cost_usd: 1, total_steps: 3 },
  })
})
