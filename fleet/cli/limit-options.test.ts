import { expect, test } from 'vitest'
import { openFixtureApi, problem, runBench } from './fixture-api.ts'

const asked = ['run', '-m', 'm', '-b', 'mmlu_pro']

test('[CLI116] limits of time and attempts are asked for by options, times in any unit, and left out where none is given', async () => {
  await using api = await openFixtureApi()
  api.on('POST /api/runs', problem(422, 'validation', 'Enough seen.'))
  const bodyOf = async (...options: string[]) => {
    await runBench([...asked, ...options], { BENCH_URL: api.url })
    return api.asked.at(-1)!.body
  }
  expect(await bodyOf()).not.toHaveProperty('limits')
  const times = ['--connect-timeout', '500ms', '--first-token-timeout', '90', '--idle-timeout', '45s', '--total-timeout', '1.5m']
  const counts = ['--attempts', '3', '--timed-out-attempts', '1', '--patience', '2h']
  expect(await bodyOf(...times, ...counts)).toHaveProperty('limits', {
    ...{ connect_ms: 500, first_token_ms: 90_000, idle_ms: 45_000, total_ms: 90_000 },
    ...{ attempts: 3, timeouts: 1, patience_ms: 7_200_000 },
  })
  expect(await bodyOf('--attempts', '1')).toHaveProperty('limits', { attempts: 1 })
})

test('[CLI116] a limit that makes no sense is a usage error that names its option', async () => {
  const said = async (...options: string[]) => {
    const { code, err } = await runBench([...asked, ...options], {})
    return [code, err.join(' ')]
  }
  expect(await said('--idle-timeout', 'soon')).toEqual([2, expect.stringContaining('--idle-timeout: must be a time such as')])
  expect(await said('--total-timeout', '3h')).toEqual([2, expect.stringContaining('--total-timeout: must be from 100ms to 2h')])
  expect(await said('--attempts', '0')).toEqual([2, expect.stringContaining('--attempts')])
  const help = (await runBench(['run', '--help'], {})).out.join('\n')
  for (const option of [
    'connect-timeout',
    'first-token-timeout',
    'idle-timeout',
    'total-timeout',
    'attempts',
    'timed-out-attempts',
    'patience',
  ])
    expect(help).toContain(`--${option}`)
})
