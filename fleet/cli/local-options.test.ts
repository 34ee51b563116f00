import { expect, test } from 'vitest'
import { runBench } from './fixture-api.ts'

const here = ['run', '--local', '-m', 'x', '-b', 'mmlu_pro', '--data', 'sample', '--profile', 'builtin']

test.each([['--name', 'x'], ['--tag', 'x'], ['--visibility', 'private'], ['--priority', '3'], ['--cancel-on-interrupt']])(
  '[CLI330] an option that only a service keeps to is a usage error with --local: %s',
  async (...option) => {
    const { code, err } = await runBench([...here, ...option], {})
    expect([code, err.join(' ')]).toEqual([2, expect.stringContaining(`${option[0]}: belongs to a run of the service`)])
  },
)
