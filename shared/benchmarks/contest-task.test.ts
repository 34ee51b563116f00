import { expect, test } from 'vitest'
import older from './aime_2022_2024/task.ts'
import task from './aime_2025/task.ts'
import { openLists } from './testing/open-lists.ts'

const profile = (id: string) => task.card.profiles.find((found) => found.id === id)!
const texts = {
  instruction: 'Box it: \\boxed{{}}.',
  follow_up: '\n   Box again. \n  Please.\n ',
  template: '\nDo {question}\nin \\boxed{{}}.',
}
const row = { problem_idx: 16n, problem: 'Solve {problem} in {{x}}.', answer: 70n, problem_type: ['Algebra'] }
const open = (id: string, rows: unknown[] = [row]) => openLists(task, { profile: profile(id), texts, rows: { test: rows } })
const first = async (id: string, epoch = 0) => (await open(id)).item(0, epoch)

test('[SCORE15] templates are filled as Python formats them, the problem itself stays as it is', async () => {
  expect(await first('official')).toMatchObject({
    source_id: '16',
    group: 'II',
    target: '70',
    messages: [{ role: 'user', content: 'Box it: \\boxed{}.\n\nSolve {problem} in {{x}}.' }],
    metadata: { follow_up: '\nBox again.\nPlease.\n', problem_type: ['Algebra'] },
  })
  const plain = await first('aa')
  expect(plain.messages[0]?.content).toBe('Do Solve {problem} in {{x}}.\nin \\boxed{}.')
  expect(plain.metadata.follow_up).toBeUndefined()
})

test('[SCORE15] every epoch asks the same', async () => {
  expect(await first('builtin', 9)).toEqual(await first('builtin'))
})

test('[SCORE15] gold answers are integers from 0 to 999, whatever their spelling', async () => {
  await expect(open('builtin', [{ ...row, answer: 1000 }])).rejects.toThrow(/^test row 0/)
  const rows = { test: [{ id: 3, problem: 'P', solution: '', answer: '007', url: 'https://example.org/2023_AIME_I_Problems' }] }
  const opened = await openLists(older, { profile: profile('builtin'), texts: {}, rows })
  expect(await opened.item(0, 0)).toMatchObject({ target: '7', group: '2023', source_id: '3' })
})
