import { expect, test } from 'vitest'
import { loadTask } from '../harbor/load-task.ts'
import { plainTask, tree } from '../harbor/testing/task-files.ts'
import { scriptedKit } from '../solvers/testing/scripted-kit.ts'
import { runEpisode } from './run-episode.ts'
import { type Answer, type Files, fileMachine, write } from './testing/file-machine.ts'
import { nop } from './worker.ts'

const tools = [
  'bash /usr/bin/bash program',
  'sh /usr/bin/sh program 1/1',
  'tar /usr/bin/tar program 2/2',
  'cksum /usr/bin/cksum program 3/3',
]

/** How the tests came into a machine that has these tools before and after it was worked in: with their command, or from outside. */
async function putBy(before: readonly string[], after: readonly string[], meanwhile: (files: Files) => void = () => undefined) {
  const loaded = loadTask('a', tree(plainTask))
  if (!loaded.ok) throw new Error(loaded.problems[0].text)
  let looks = 0
  const fake = fileMachine((argv, files): Answer | undefined => {
    if (argv.includes('--norc')) return [0, `${(looks++ === 0 ? before : after).join('\n')}\n`]
    if (argv.at(-1) === '/tests/test.sh') write(files, '/logs/verifier/reward.txt', '1')
    return undefined
  })
  const worker = {
    ...nop,
    work: (...at: Parameters<typeof nop.work>) => {
      meanwhile(fake.files)
      return nop.work(...at)
    },
  }
  const kit = { ...scriptedKit({}), machine: async () => ({ ok: true as const, value: fake.machine }) }
  const outcome = await runEpisode(
    loaded.task,
    worker,
    { ...kit, keep: async () => ({ ok: true, value: undefined as never }) },
    { multiplier: 1, given: new Map() },
  )
  expect(outcome.ok && outcome.value.steps[0]!.rewards).toEqual({ reward: 1 })
  const tested = fake.requests.find(({ argv }) => argv.at(-1) === '/tests/test.sh')!
  return tested.put ? 'with their command' : 'from outside'
}

test('[EPI8] a machine unpacks the tests itself where it has the programs for it that it began with, and no sign was seen', async () => {
  expect(await putBy(tools, tools)).toBe('with their command')
  const changed = (name: string, line: string) => tools.map((one) => (one.startsWith(`${name} `) ? line : one))
  for (const after of [
    changed('tar', 'tar /usr/bin/tar program 9/9'),
    changed('tar', 'tar /usr/local/bin/tar program 2/2'),
    changed('sh', 'sh /usr/bin/sh program 9/9'),
    changed('cksum', 'cksum /usr/bin/cksum program 9/9'),
    tools.slice(0, 2),
  ])
    expect([after, await putBy(tools, after)]).toEqual([after, 'from outside'])
  const unsummed = changed('tar', 'tar /usr/bin/tar program ')
  expect(await putBy(unsummed, unsummed)).toBe('from outside')
  expect(await putBy(tools.slice(0, 1), tools.slice(0, 1))).toBe('from outside')
  expect(await putBy(tools, tools, (files) => write(files, '/logs/verifier/reward.txt', '1'))).toBe('from outside')
})
