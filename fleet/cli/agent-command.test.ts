import { expect, test } from 'vitest'
import { openFixtureApi, problem, runBench } from './fixture-api.ts'

const asked = ['run', '-m', 'm', '-b', 'terminal_tasks']

test('[CLI200] a command that works at terminals, and what installs it, go with the request', async () => {
  await using api = await openFixtureApi()
  api.on('POST /api/runs', problem(422, 'validation', 'Enough seen.'))
  const bodyOf = async (...options: string[]) => {
    await runBench([...asked, ...options], { BENCH_URL: api.url })
    return api.asked.at(-1)!.body
  }
  expect(await bodyOf()).not.toHaveProperty('agent')
  expect(await bodyOf('--agent-command', 'my-agent "$BENCH_INSTRUCTION_FILE"')).toHaveProperty('agent', {
    command: 'my-agent "$BENCH_INSTRUCTION_FILE"',
  })
  expect(await bodyOf('--agent-command', 'a', '--agent-install', 'pip install a')).toHaveProperty('agent', {
    command: 'a',
    install: 'pip install a',
  })
})

test('[CLI200] an install command without its command, and one that is too long, are usage errors that name their option', async () => {
  const said = async (...options: string[]) => {
    const { code, err } = await runBench([...asked, ...options], {})
    return [code, err.join(' ')]
  }
  expect(await said('--agent-install', 'x')).toEqual([2, expect.stringContaining('name that with --agent-command')])
  expect(await said('--agent-command', 'x'.repeat(10_001))).toEqual([2, expect.stringContaining('--agent-command: ')])
})
