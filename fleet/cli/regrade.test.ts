import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { echoFile, type FixtureFiles, solvedBy } from '#fleet/machine/testing/fixture-tasks.ts'
import { ensureMachineImage } from '#fleet/machine/testing/machine-image.ts'
import { runBench } from './fixture-api.ts'

const absent = await ensureMachineImage()
const folder = mkdtempSync(join(tmpdir(), 'bench-regrade-'))
afterAll(() => rmSync(folder, { recursive: true }))
const env = { BENCH_DATA: join(folder, 'data'), PATH: process.env.PATH! }
const tasks = join(folder, 'tasks')
const out = join(folder, 'out')

function write(name: string, files: FixtureFiles, into = tasks): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) continue
    const file = join(into, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 })
  }
}
const apart = { verifier: 'environment_mode = "separate"' }
const rewarding = (check: string): FixtureFiles => ({
  'tests/test.sh': `#!/bin/bash\nif ${check}; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
  'tests/check.py': undefined,
})
const regraded = async (...argv: string[]) => {
  const { code, out: said, err } = await runBench(['regrade', ...argv], env)
  return {
    code,
    err: err.join('\n'),
    rows: said.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : [])),
    said: said.join('\n'),
  }
}

test('[CLI210] episodes are graded again by the tests of now over what they handed over; the run stays as it is', {
  timeout: 120_000,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  write('file', echoFile({ ...apart, first: 'artifacts = ["/app/out.txt"]' }))
  const made = 'mkdir -p /app/made/deep; echo kept > /app/made/deep/one; printf x > /app/made/run.sh; chmod 755 /app/made/run.sh'
  write('folder', {
    ...echoFile({ ...apart, first: 'artifacts = ["/app/made"]' }, solvedBy(made)),
    ...rewarding('[ "$(cat /app/made/deep/one)" = kept ] && [ -x /app/made/run.sh ]'),
  })
  write('nothing', { ...echoFile({ ...apart, first: 'artifacts = ["/app/absent"]' }), ...rewarding('[ ! -e /app/absent/x ]') })
  write('shared', echoFile())
  const run = ['run', '--local', '-m', 'x/y', '--tasks', tasks, '--profile', 'oracle', '--response-text', 'none', '--out', out]
  const first = await runBench(run, env)
  expect([first.code, first.out.at(-1)]).toEqual([0, 'tasks: 4 sound, 0 unchecked, 0 unsound'])
  const dir = join(out, readdirSync(out)[0]!)
  const scores = (rows: Record<string, unknown>[]) => rows.map((one) => [one.source_id, one.before, one.after ?? 'not graded'])

  const same = await regraded(dir, '--tasks', tasks, '--json')
  expect([same.code, scores(same.rows)]).toEqual([
    1,
    [
      ['file', 1, 1],
      ['folder', 1, 1],
      ['nothing', 1, 1],
      ['shared', 1, 'not graded'],
    ],
  ])
  write('file', rewarding('grep -q other /app/out.txt'))
  const zip = readdirSync(dir).find((name) => name.endsWith('.zip'))!
  for (const source of [dir, join(dir, zip)]) {
    const now = await regraded(source, '--tasks', tasks)
    expect(now.code).toBe(3)
    expect(now.said).toMatch(/file +0 +1 +0 +changed/)
    expect(now.said).toContain('3 of 4 episodes graded again, 1 changed; mean reward of these 1 → 0.667  n = 3')
    expect(now.said).toContain('not graded again, 1: it is graded in the machine that was worked in, which is gone')
  }
  const one = await regraded(dir, '--tasks', join(tasks, 'folder'), '--json')
  expect([one.code, one.rows.map(({ skipped }) => skipped ?? 'graded')]).toEqual([
    1,
    [
      'there is no task file among those given',
      'graded',
      'there is no task nothing among those given',
      'there is no task shared among those given',
    ],
  ])
  expect((await runBench(['verify', join(dir, zip), '--key', join(dir, 'public_key.txt')], env)).code).toBe(0)
})

test('[EPI43] an episode whose verifier could not be had is graded later by what it handed over, for the first time; one in which nobody worked is told', {
  timeout: 120_000,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const [broken, made] = [join(folder, 'broken'), join(folder, 'made')]
  const away = '[verifier.environment]\ndocker_image = "127.0.0.1:1/nothing:1"\n'
  write('later', echoFile({ ...apart, first: 'artifacts = ["/app/out.txt"]' }), broken)
  write('never', echoFile({ ...apart, environment: 'docker_image = "127.0.0.1:1/nothing:1"' }), broken)
  appendFileSync(join(broken, 'later/task.toml'), away)
  const run = ['run', '--local', '-m', 'x/y', '--tasks', broken, '--profile', 'oracle', '--response-text', 'none', '--out', made]
  const unsound = await runBench(run, env)
  expect([unsound.code, unsound.out.at(-1)]).toEqual([1, 'tasks: 0 sound, 0 unchecked, 2 unsound'])
  expect(unsound.out.filter((line) => /^(later|never) +unsound +–/.test(line))).toHaveLength(2)
  const dir = join(made, readdirSync(made)[0]!)
  write('later', echoFile({ ...apart, first: 'artifacts = ["/app/out.txt"]' }), broken)
  const now = await regraded(dir, '--tasks', broken, '--json')
  expect(now.rows.map((one) => [one.source_id, one.before, one.after ?? one.skipped])).toEqual([
    ['later', null, 1],
    ['never', null, expect.stringMatching(/^nothing was handed over: it failed before as sandbox\//)],
  ])
  const said = await regraded(dir, '--tasks', broken)
  expect(said.said).toContain('1 graded for the first time; mean reward of these 1')
  expect([now.code, said.code]).toEqual([1, 1])
})

test('[CLI210] without tasks, an engine or episodes it is said what is missing', async () => {
  expect(await regraded(folder)).toMatchObject({ code: 2, err: expect.stringContaining('--tasks DIR') })
  mkdirSync(join(folder, 'none'), { recursive: true })
  expect(await regraded(folder, '--tasks', join(folder, 'none'))).toMatchObject({ code: 1, err: expect.stringContaining('holds no task') })
  write('file', echoFile())
  expect(await regraded(folder, '--tasks', tasks)).toMatchObject({ code: 1, err: expect.stringContaining('is not the folder of a run') })
})
