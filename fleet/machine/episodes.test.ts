import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, test as everyTest, expect, it } from 'vitest'
import { filesOf, TaskRow } from '#shared/episode/task-row.ts'
import { terminus2 } from '#shared/episode/terminus-worker.ts'
import { ownTerminus2 } from '#shared/terminus/own-texts.ts'
import { jsonReply } from '#shared/terminus/testing/at-terminal.ts'
import { drawnTests, someOf } from '#shared/testing/draws.ts'
import { createMachines } from './open-machines.ts'
import { echoFile, type FixtureFiles, type FixtureToml, fixtureToml, solvedBy, verifiedBy } from './testing/fixture-tasks.ts'
import { ensureMachineImage, machineImage } from './testing/machine-image.ts'
import { type FixtureRun, runFixture, runNop, runOracle } from './testing/run-fixture.ts'

const absent = await ensureMachineImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = 120_000
const machines = await createMachines({ owner: `episodes-test-${process.pid}`, room: { cpus: 64, memory_mb: 65_536 } })
afterAll(() => machines.close())

const evidenceOf = ({ outcome }: FixtureRun) => {
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}
const stepOf = (run: FixtureRun) => evidenceOf(run).steps[0]!
const shownOf = (run: FixtureRun): string => stepOf(run).verifier!.output
const scored = ({ score }: FixtureRun) => score && [score.value, ...score.flags]

const test = drawnTests(everyTest, 7, 13)

test('[EPI1] the task’s own solution gets everything, and who does nothing gets nothing', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const [solved, left] = [await runOracle(machines, echoFile()), await runNop(machines, echoFile())]
  expect([scored(solved), scored(left)]).toEqual([[1], [0]])
  expect(stepOf(solved)).toMatchObject({ agent: { end: 'completed' }, rewards: { reward: 1 }, tampering: [], verifier: { exit_code: 0 } })
  expect(evidenceOf(solved)).toMatchObject({ image: { name: machineImage }, room: 'shared', agent: { name: 'oracle' } })
  expect(evidenceOf(solved).phases.map(({ name }) => name)).toEqual(['start', 'setup', 'agent', 'hand-over', 'verifier'])
})

const examples = readFileSync(join(import.meta.dirname, '../../shared/benchmarks/terminal_tasks/tasks.jsonl'), 'utf8')
  .trim()
  .split('\n')
for (const line of someOf(examples, 1)) {
  const row = TaskRow.parse(JSON.parse(line))
  it(`[EPI18] the example ${row.task} is sound: its solution gets 1, doing nothing 0`, { timeout: patience }, async ({ skip }) => {
    skip(absent !== null, String(absent))
    const files = filesOf(row).map((file) => {
      const text = new TextDecoder().decode(file.bytes)
      if (file.path === 'environment/Dockerfile') return { ...file, bytes: Buffer.from(text.replace(/^FROM .*/, `FROM ${machineImage}`)) }
      return file.path === 'task.toml' ? { ...file, bytes: Buffer.from(text.replace('"public"', '"no-network"')) } : file
    })
    expect([scored(await runOracle(machines, files)), scored(await runNop(machines, files))]).toEqual([[1], [0]])
  })
}

const files = '/logs/verifier/reward'
const rewarded: [string, string, object, [number, ...string[]]][] = [
  ['a reward of a half', `echo '{"reward": 0.5}' > ${files}.json`, { rewards: { reward: 0.5 } }, [0.5, 'partial_reward']],
  ['named rewards', `echo '{"a": 1, "b": 0.5, "c": "x"}' > ${files}.json`, { ignored: ['c'] }, [0.75, 'partial_reward']],
  ['both files', `echo '{"reward": 0}' > ${files}.json; echo 1 > ${files}.txt`, { rewards: { reward: 0 } }, [0]],
  ['no file', 'true', { problem: 'missing' }, [0, 'no_reward']],
  ['an empty file', `: > ${files}.txt`, { problem: 'empty' }, [0, 'no_reward']],
  ['no number', `echo abc > ${files}.txt`, { problem: 'unreadable' }, [0, 'no_reward']],
  ['nan', `echo nan > ${files}.txt`, { problem: 'not-finite' }, [0, 'no_reward']],
  ['inf', `echo inf > ${files}.txt`, { problem: 'not-finite' }, [0, 'no_reward']],
  ['more than everything', `echo 1.5 > ${files}.txt`, { problem: 'out-of-range' }, [0, 'no_reward']],
  ['a link in place of the file', `echo 1 > /app/r; ln -s /app/r ${files}.txt`, { problem: 'link' }, [0, 'no_reward']],
  ['a folder that holds a 1', `mkdir ${files}.txt; echo 1 > ${files}.txt/reward.txt`, { problem: 'folder' }, [0, 'no_reward']],
  ['a pipe', `mkfifo ${files}.json`, { problem: 'special' }, [0, 'no_reward']],
  ['exit code 1', `echo 1 > ${files}.txt; exit 1`, { verifier: { exit_code: 1 } }, [1]],
]
for (const [name, script, step, score] of someOf(rewarded, 4))
  it(`[EPI4] a verifier that leaves ${name}`, { timeout: patience }, async ({ skip }) => {
    skip(absent !== null, String(absent))
    const run = await runOracle(machines, echoFile({}, verifiedBy(script)))
    expect(stepOf(run)).toMatchObject(step)
    expect(scored(run)).toEqual(score)
  })

test('[EPI5] a verifier that takes too long leaves no reward, whatever it wrote', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const run = await runOracle(machines, echoFile({ verifier: 'timeout_sec = 1.0' }, verifiedBy(`echo 1 > ${files}.txt; sleep 60`)))
  expect([stepOf(run).problem, scored(run)]).toEqual(['timeout', [0, 'verifier_timeout']])
})

test('[EPI3] whoever runs out of time is graded by what was done', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const run = await runOracle(machines, echoFile({ agent: 'timeout_sec = 2.0' }, solvedBy('echo hello > /app/out.txt; sleep 60')))
  expect([stepOf(run).agent.end, scored(run)]).toEqual(['timeout', [1, 'agent_timeout']])
})

test('[EPI2] users, variables, sizes and the network of a task are what it says', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const look = 'id -un > /app/who; echo $WORD >> /app/who; echo $GIVEN >> /app/who'
  const run = await runOracle(
    machines,
    echoFile(
      {
        ...{ agent: 'user = "nobody"', verifier: '[verifier.env]\nTOLD = "to the verifier"' },
        more: '[environment.env]\nWORD = "of the machine"\n[solution.env]\nGIVEN = "$' + '{NOT_GIVEN:-a fallback}"\n',
      },
      {
        ...solvedBy(look.replaceAll('/app/', '/logs/agent/')),
        ...verifiedBy(
          `id -un; echo $TOLD; cat /logs/agent/who; ls /sys/class/net; cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null; cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us 2>/dev/null || cut -d' ' -f1 /sys/fs/cgroup/cpu.max; pwd`,
        ),
      },
    ),
  )
  expect(shownOf(run)).toBe(`root\nto the verifier\nnobody\nof the machine\na fallback\nlo\n${256 * 2 ** 20}\n100000\n/app\n`)
})

test('[EPI3] a solution that takes more memory than there is has failed, says so, and is graded', { timeout: patience }, async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  const eat = 'python3 -c "x = bytearray(600 * 2**20)"'
  const run = await runOracle(machines, echoFile({}, solvedBy(`echo hello > /app/out.txt; ${eat}`)))
  expect(stepOf(run).agent).toMatchObject({ end: 'failed', detail: 'the solution ran out of memory' })
  expect(scored(run)).toEqual([1])
})

const failing: [string, string, FixtureToml, FixtureFiles, object][] = [
  [
    'a machine whose health check never holds',
    'unhealthy',
    { more: '[environment.healthcheck]\ncommand = "echo not yet; exit 3"\ninterval_sec = 0.05\nretries = 2\n' },
    {},
    { detail: expect.stringContaining('not yet') },
  ],
  [
    'an image that cannot be built',
    'build-failed',
    { environment: 'docker_image = ""' },
    { 'environment/Dockerfile': `FROM ${machineImage}\nRUN echo broken; exit 3\n` },
    {},
  ],
]
for (const [name, reason, toml, changes, more] of someOf(failing, 1))
  it(`[EPI2] ${name} is a failure and no score`, { timeout: patience }, async ({ skip }) => {
    skip(absent !== null, String(absent))
    const { outcome, score } = await runOracle(machines, echoFile(toml, changes))
    expect(outcome).toMatchObject({ ok: false, failure: { at: 'sandbox', reason, ...more } })
    expect(score).toBeNull()
  })

test('[EPI1] a task without a solution has nothing to be solved by, and is graded', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const run = await runOracle(machines, echoFile({}, { 'solution/solve.sh': undefined }))
  expect(stepOf(run).agent).toMatchObject({ end: 'failed', detail: 'the task has no solution' })
  expect(scored(run)).toEqual([0])
})

/** Three steps: the first sets something up, the second has a threshold, the third is one too many where it is missed. */
const threeSteps = (strategy: string, second: string): FixtureFiles => {
  const step = (name: string, more = '') => `[[steps]]\nname = "${name}"\n${more}\n[steps.healthcheck]\ncommand = "true"\n`
  const gives = (value: string) => `ls /solution /logs/verifier; echo ${value} > ${files}.txt\n`
  return {
    'task.toml': fixtureToml({
      first: `multi_step_reward_strategy = "${strategy}"`,
      agent: 'user = "nobody"',
      more: step('one') + step('two', 'min_reward = 0.5') + step('three'),
    }),
    'environment/.keep': '',
    'steps/one/instruction.md': 'One.\n',
    'steps/one/workdir/setup.sh': 'id -un > /logs/agent/setup\n',
    'steps/one/tests/test.sh': gives('1'),
    'steps/one/tests/secret.txt': 'the tests of one\n',
    'steps/two/instruction.md': 'Two.\n',
    'steps/two/solution/solve.sh': 'cat /logs/agent/setup; cat /tests/secret.txt /logs/verifier/reward.txt && echo seen; true\n',
    'steps/two/tests/test.sh': gives(second),
    'steps/three/instruction.md': 'Three.\n',
    'steps/three/tests/test.sh': gives('0.5'),
    'solution/solve.sh': 'true\n',
  }
}

test('[EPI6] steps follow one another in one machine, each made ready, and see nothing of the tests before them', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const run = await runOracle(machines, threeSteps('mean', '0.6'))
  expect(evidenceOf(run).steps.map(({ name, tampering }) => [name, tampering])).toEqual([
    ['one', []],
    ['two', []],
    ['three', []],
  ])
  expect(run.score?.value).toBeCloseTo(0.7)
  const said = new TextDecoder().decode(run.kept.get('steps/two/agent/oracle.txt'))
  expect(said).toMatch(/^nobody$/m)
  expect(said).not.toContain('seen')
  expect((await runOracle(machines, threeSteps('final', '0.6'))).score?.value).toBe(0.5)
})

test('[EPI7] a step below its threshold ends the task; those that were not begun do not count', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const mean = await runOracle(machines, threeSteps('mean', '0.25'))
  expect(evidenceOf(mean).steps.map(({ agent }) => agent.end)).toEqual(['completed', 'completed', 'skipped'])
  expect(mean.score?.value).toBe(0.625)
  expect((await runOracle(machines, threeSteps('final', '0.25'))).score?.value).toBe(0.25)
})

test('[EPI6] a step that cannot be set up is a failure and no score', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const { outcome } = await runOracle(machines, { ...threeSteps('mean', '1'), 'steps/one/workdir/setup.sh': 'echo broken; exit 3\n' })
  expect(outcome).toMatchObject({ ok: false, failure: { reason: 'unhealthy', detail: expect.stringContaining('broken') } })
})

const separate = {
  verifier: 'environment_mode = "separate"',
  first: 'artifacts = ["/app/out.txt", { source = "/data", exclude = ["*.tmp"] }, "/app/link"]',
}
test('[EPI10] a verifier in a machine of its own has what was handed over and nothing else', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const run = await runOracle(
    machines,
    echoFile(
      { ...separate, more: '[[verifier.collect]]\ncommand = "echo hooked > /data/hook"\n' },
      {
        ...solvedBy(
          'echo hello > /app/out.txt; mkdir /data; echo a > /data/a; echo b > /data/b.tmp; ln -s /etc/passwd /data/l; mkfifo /data/p; ln -s /etc/passwd /app/link; echo x > /app/other; ln -sf /bin/true /usr/local/bin/python3; echo 1 > /logs/verifier/reward.txt',
        ),
        'tests/test.sh': `ls /app /data; ls /logs/verifier; ${echoFile()['tests/test.sh']}`,
      },
    ),
  )
  expect(shownOf(run)).toBe('/app:\nout.txt\n\n/data:\na\nhook\n')
  expect([evidenceOf(run).room, scored(run)]).toEqual(['clean', [1]])
  expect(run.notes).toContain('/app/link was not taken: unsafe.')
  expect(run.kept.has('artifacts.zip')).toBe(true)
})

test('[EPI10] steps may be verified in both places; one machine is worked in', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const run = await runOracle(machines, {
    ...threeSteps('mean', '1'),
    'task.toml': threeSteps('mean', '1')['task.toml']!.replace('name = "two"', 'name = "two"\nverifier.environment_mode = "separate"'),
  })
  expect(evidenceOf(run)).toMatchObject({ room: 'shared', steps: [{ tampering: [] }, { rewards: { reward: 1 } }, { tampering: [] }] })
})

const model = terminus2({ texts: ownTerminus2('json'), context_tokens: null, output_tokens: null })
test('[EPI12] a model solves a task at the terminal of a real machine; its recording is kept', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const answers = [jsonReply([['echo hello > /app/out.txt\n', 0.2]]), jsonReply([], true), jsonReply([], true)]
  const run = await runFixture(machines, echoFile(), model, answers)
  expect([stepOf(run).agent, scored(run)]).toEqual([{ end: 'completed', turns: 3, detail: '' }, [1]])
  const cast = new TextDecoder().decode(run.kept.get('recording.cast'))
  expect(JSON.parse(cast.split('\n')[0]!)).toMatchObject({ version: 2, width: 160, height: 40 })
  expect(cast).toContain('echo hello > /app/out.txt')
})

test('[EPI12] a model whose time is over while a command runs is graded by what it did', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const answers = [jsonReply([['echo hello > /app/out.txt\n', 0.2]]), jsonReply([['sleep 100\n', 60]]), jsonReply([], true)]
  const run = await runFixture(machines, echoFile({ agent: 'timeout_sec = 4.0' }), model, answers)
  expect([stepOf(run).agent.end, scored(run)]).toEqual(['timeout', [1, 'agent_timeout']])
})
