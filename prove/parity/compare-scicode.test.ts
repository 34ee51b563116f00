import { expect, test } from 'vitest'
import { scicodeCases } from './cases-scicode.ts'
import { tallyScicode } from './compare-scicode.ts'

const templates = { with: '{next_step_str}', without: '{problem_steps_str}|{next_step_str}|{dependencies}' }

test('[SCORE200] cases are seeded and of every kind', () => {
  const cases = scicodeCases(3, 70)
  expect(scicodeCases(3, 70)).toEqual(cases)
  expect(scicodeCases(4, 70)).not.toEqual(cases)
  expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(['extract', 'prompts', 'script', 'compare', 'targets']))
})

test('[SCORE200] every difference from an official result is counted, and what upstream refuses is told apart', () => {
  const step = { step_description_prompt: 'd', step_background: 'b', function_header: 'h', return_line: 'r' }
  const problem = { required_dependencies: 'i', sub_steps: [step] }
  const cases = [
    { kind: 'extract' as const, reply: 'import x' },
    { kind: 'extract' as const, reply: 'x' },
    { kind: 'extract' as const, reply: 'y' },
    { kind: 'prompts' as const, background: false, problem, replies: ['c'] },
    { kind: 'prompts' as const, background: true, problem, replies: ['c'] },
    { kind: 'script' as const, step: '1.2', file: 'f', cases: [] },
    { kind: 'compare' as const, function: 'f', values: '' },
    { kind: 'targets' as const, step: '1.0', count: 1, values: '' },
    { kind: 'targets' as const, step: '1.1', count: 1, values: '' },
  ]
  const script = "f\n\nfrom scicode.parse.parse import process_hdf5_to_tuple\n\ntargets = process_hdf5_to_tuple('1.2', 0)\n"
  const verdicts = [
    ...[
      { value: '' },
      { value: 'no' },
      { raised: 'E' },
      { value: [['|d\n\nh\n\nr|i', 'i\n\n\nc']] },
      { value: [['d\n\nh\n\nr', 'i\n\n\nc']] },
    ],
    ...[{ value: script }, { value: { theirs: { value: true }, ours: { value: false } } }],
    ...[{ value: { theirs: { raised: 'A' }, ours: { raised: 'B' } } }, { value: { theirs: { raised: 'A' }, ours: { value: 1 } } }],
  ]
  expect(tallyScicode(cases, verdicts, templates)).toEqual([
    { kind: 'extract', compared: 2, raised: 1, disagreements: [cases[1]] },
    { kind: 'prompts', compared: 2, raised: 0, disagreements: [cases[4]] },
    { kind: 'script', compared: 1, raised: 0, disagreements: [] },
    { kind: 'compare', compared: 1, raised: 0, disagreements: [cases[6]] },
    { kind: 'targets', compared: 2, raised: 0, disagreements: [cases[8]] },
  ])
  expect(() => tallyScicode(cases, [], templates)).toThrow('0 verdicts for 9 cases')
})
