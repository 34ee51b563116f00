import { expect, test } from 'vitest'
import older from './aime_2022_2024/task.ts'
import task from './aime_2025/task.ts'

const profile = (id: string) => task.card.profiles.find((found) => found.id === id)!
const texts = {
  instruction: 'Box it: \\boxed{{}}.',
  follow_up: '\n   Box again. \n  Please.\n ',
  template: '\nDo {question}\nin \\boxed{{}}.',
}
const row = { problem_idx: 16n, problem: 'Solve {problem} in {{x}}.', answer: 70n, problem_type: ['Algebra'] }
const open = (id: string, rows: unknown[] = [row]) => task.open({ profile: profile(id), texts, rows: { test: rows } })

test('[SCORE15] templates are filled as Python formats them, the problem itself stays as it is', () => {
  expect(open('official').item(0, 0)).toMatchObject({
    source_id: '16',
    group: 'II',
    target: '70',
    messages: [{ role: 'user', content: 'Box it: \\boxed{}.\n\nSolve {problem} in {{x}}.' }],
    metadata: { follow_up: '\nBox again.\nPlease.\n', problem_type: ['Algebra'] },
  })
  expect(open('aa').item(0, 0).messages[0]?.content).toBe('Do Solve {problem} in {{x}}.\nin \\boxed{}.')
  expect(open('aa').item(0, 0).metadata.follow_up).toBeUndefined()
})

test('[SCORE15] every epoch asks the same', () => {
  expect(open('builtin').item(0, 9)).toEqual(open('builtin').item(0, 0))
})

test('[SCORE15] gold answers are integers from 0 to 999, whatever their spelling', () => {
  expect(() => open('builtin', [{ ...row, answer: 1000 }])).toThrow(/^test row 0/)
  const rows = { test: [{ id: 3, problem: 'P', solution: '', answer: '007', url: 'https://example.org/2023_AIME_I_Problems' }] }
  const item = older.open({ profile: profile('builtin'), texts: {}, rows }).item(0, 0)
  expect(item).toMatchObject({ target: '7', group: '2023', source_id: '3' })
})
