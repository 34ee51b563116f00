import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBench } from './fixture-api.ts'
import { answersOfNobody } from './with-tasks.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-tasks-'))
afterAll(() => rmSync(folder, { recursive: true }))
const env = { BENCH_DATA: join(folder, 'data'), BENCH_MACHINES: 'off' }

function write(path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (path.endsWith('.sh')) chmodSync(file, 0o755)
}

/** A task that is whole, in a folder of this test. */
function task(path: string, changes: Record<string, string> = {}): void {
  const files = {
    'task.toml': 'version = "1.0"\n[environment]\ndocker_image = "bench/base:bookworm"\n',
    'instruction.md': 'Greet somebody.\n',
    'tests/test.sh': '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n',
    ...changes,
  }
  for (const [name, text] of Object.entries(files)) write(`${path}/${name}`, text)
}
const started = (dir: string, ...more: string[]) =>
  runBench(['run', '--local', '--tasks', join(folder, dir), '--profile', 'nop', '--dry-run', ...more], env)

test('[CLI182] a task, a folder of tasks and a checkout with tasks are run, and their instructions are what a model is told', async () => {
  task('one')
  task('many/first')
  task('many/second', { 'instruction.md': 'Say goodbye.\n' })
  task('checkout/tasks/third', { 'instruction.md': 'Sing.\n' })
  const said = async (dir: string) => (await started(dir)).out.join('\n')
  expect(await said('one')).toContain('Greet somebody.')
  const many = await said('many')
  expect(many.indexOf('Greet somebody.')).toBeLessThan(many.indexOf('Say goodbye.'))
  expect(await said('checkout')).toContain('Sing.')
})

test('[CLI182] what is no task is refused with its file, all of it at once', async () => {
  mkdirSync(join(folder, 'empty'))
  task('bad/first', { 'task.toml': 'version = "1.0"\n[agent]\ntimeout_sec = "soon"\n[environment]\ndocker_image = "x"\n' })
  write('bad/second/task.toml', 'version = "1.0"\n[environment]\ndocker_image = "x"\n')
  const refused = async (dir: string) => {
    const { code, err } = await started(dir)
    return [code, err.join('\n')] as const
  }
  expect(await refused('empty')).toEqual([1, expect.stringContaining('holds no task: a task is a folder with a task.toml')])
  const [code, words] = await refused('bad')
  expect(code).toBe(1)
  expect(words).toContain('first/task.toml: agent.timeout_sec')
  expect(words).toContain('second/instruction.md')
})

test('[CLI182] tasks of a folder are for local runs alone, and name benchmark and data themselves', async () => {
  task('one')
  const wrong = async (...argv: string[]) => {
    const { code, err } = await runBench(['run', '-m', 'x', '--tasks', join(folder, 'one'), ...argv], env)
    return [code, err.join(' ')]
  }
  expect(await wrong()).toEqual([2, expect.stringContaining('--tasks belongs to --local')])
  expect(await wrong('--local', '-b', 'mmlu_pro')).toEqual([2, expect.stringContaining('leave --benchmark and --suite out')])
  expect(await wrong('--local', '--data', 'sample')).toEqual([2, expect.stringContaining('leave --data out')])
})

test('[CLI184] where no model is asked none is named: the answers of nobody stand in its place', () => {
  const nobody = { answers: [{ texts: ['No model is asked.'] }], label: 'oracle' }
  expect(answersOfNobody({ profile: 'oracle', benchmark: ['terminal_tasks', 'terminal_bench_2_1'] })).toEqual(nobody)
  for (const profile of ['builtin', 'terminus-2', undefined]) expect(answersOfNobody({ profile, benchmark: ['terminal_tasks'] })).toBeNull()
  expect(answersOfNobody({ profile: 'nop', benchmark: ['terminal_tasks', 'mmlu_pro'] })).toBeNull()
  expect(answersOfNobody({ profile: 'oracle' })).toBeNull()
})

test('[HARB370] a local run of a folder names the scripts with line ends of Windows, and not with --quiet', async () => {
  task('crlf/bad', { 'tests/test.sh': '#!/bin/bash\r\necho 1 > /logs/verifier/reward.txt\r\n' })
  const loud = await started('crlf')
  expect(loud.err.join('\n')).toContain('warning: bad/tests/test.sh has line ends of Windows (CRLF)')
  expect((await started('crlf', '--quiet')).err.join('\n')).not.toContain('warning')
})
