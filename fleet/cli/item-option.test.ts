import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBench } from './fixture-api.ts'
import { itemsOf, withTaskNames } from './item-option.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-items-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('[ITEMS10] --item takes names with commas, again and again, and a file of names', () => {
  const path = join(folder, 'names.txt')
  writeFileSync(path, '\uFEFFone, with a comma\r\n# not this\n\n  id:3  \n')
  expect(itemsOf({ benchmark: ['hle'], item: ['a, b', 'group:x', `@${path}`] })).toEqual({
    hle: ['a', 'b', 'group:x', 'one, with a comma', 'id:3'],
  })
  expect(itemsOf({ benchmark: ['hle'] })).toBeUndefined()
  for (const benchmark of [undefined, ['hle', 'gpqa_diamond']]) expect(() => itemsOf({ benchmark, item: ['a'] })).toThrow('one benchmark')
  expect(() => itemsOf({ benchmark: ['hle'], item: [','] })).toThrow('names nothing')
  expect(() => itemsOf({ benchmark: ['hle'], item: ['@/no/such/file'] })).toThrow('/no/such/file cannot be read')
})

test('[ITEMS10] --task and --tasks name items beside a benchmark, and tasks of the catalogue where no such folder is', () => {
  const two = 'python_expert_workflow_scheduler,go_expert_lru_cache'
  expect(withTaskNames({ tasks: two })).toEqual({ tasks: undefined, item: [two], benchmark: ['code_tasks'] })
  expect(withTaskNames({ tasks: 'a', benchmark: ['scicode'] })).toMatchObject({ item: ['a'], benchmark: ['scicode'] })
  expect(withTaskNames({ task: 'a', benchmark: ['scicode'], item: ['b'] })).toMatchObject({ task: undefined, item: ['b', 'a'] })
  for (const values of [{ tasks: folder }, { tasks: './my_tasks' }, { tasks: 'mine' }, { task: 'uploaded' }])
    expect(withTaskNames(values)).toEqual(values)
})

test('[ITEMS10] a run on this machine asks the named tasks and no other, and says beside the score that they were chosen', async () => {
  const env = { PATH: '/no/such/folder', BENCH_DATA: join(folder, 'data') }
  const dry = await runBench(
    [
      'run',
      '--local',
      '--dry-run',
      '--profile',
      'builtin+tests',
      '--tasks',
      'python_expert_workflow_scheduler,go_expert_lru_cache',
      '--json',
    ],
    env,
  )
  const named = dry.out.map((line) => (JSON.parse(line) as { source_id: string }).source_id)
  expect([dry.code, named.toSorted()]).toEqual([0, ['go_expert_lru_cache', 'python_expert_workflow_scheduler']])
  const out = join(folder, 'runs')
  const ran = await runBench(
    [
      'run',
      '--local',
      '-b',
      'gpqa_diamond',
      '--data',
      'sample',
      '--profile',
      'builtin',
      '--item',
      'id:1-2',
      '--response-text',
      'none',
      '--out',
      out,
    ],
    env,
  )
  expect([ran.code, ran.out.join('\n')]).toEqual([0, expect.stringContaining('SAMPLE, CHOSEN ITEMS')])
  expect(ran.err.join('\n')).toContain('gpqa_diamond: 2 chosen items')
  const wrong = await runBench(['run', '--local', '-b', 'code_tasks', '--item', 'go_expert_lru_cash', '--profile', 'builtin+tests'], env)
  expect([wrong.code, wrong.err.join()]).toEqual([1, expect.stringContaining('did you mean "go_expert_lru_cache"?')])
})
