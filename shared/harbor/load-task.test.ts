import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { loadTask } from './load-task.ts'
import type { HarborTask } from './task.ts'
import { resolveTaskEnv } from './task-env.ts'
import { plainTask, tree } from './testing/task-files.ts'

function load(files: Readonly<Record<string, string>>): HarborTask {
  const loaded = loadTask('folder', tree(files))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.task
}
const problems = (files: Readonly<Record<string, string>>) => {
  const loaded = loadTask('folder', tree(files))
  return loaded.ok ? [] : loaded.problems.map(({ reason, entry }) => [reason, entry])
}
const without = (path: keyof typeof plainTask) => Object.fromEntries(Object.entries(plainTask).filter(([name]) => name !== path))

test('[HARB5] a plain task has one step without a name', () => {
  const task = load({
    ...plainTask,
    'instruction.md': '<!-- CANARY 1 -->\n# canary\n\n \nDo\r\nit\r',
    'tests/data/x': 'x',
    'solution/solve.sh': 's',
  })
  expect(task).toMatchObject({ name: 'folder', reward_strategy: null, environment: { image: null, compose: null }, why_not_runnable: [] })
  expect(task.environment.context.map(({ path }) => path)).toEqual(['Dockerfile'])
  const [step] = task.steps
  expect(step).toMatchObject({ name: null, instruction: 'Do\nit\n', min_reward: null, agent: { timeout_ms: null, user: null } })
  expect(step.verifier).toMatchObject({ place: { mode: 'shared' }, timeout_ms: 600_000, script: 'test.sh', collect: [] })
  expect(step.verifier.tests.map(({ path }) => path)).toEqual(['test.sh', 'data/x'])
  expect(step.solution).toMatchObject({ script: 'solve.sh', env: {} })
  expect(step.artifacts).toEqual([{ source: '/logs/artifacts', destination: null, exclude: [], service: 'main' }])
})

test('[HARB5] what a folder lacks is told by the entry, all of it at once', () => {
  expect(problems({})).toEqual([['no-task-toml', 'task.toml']])
  expect(problems(without('instruction.md'))).toEqual([['missing-instruction', 'instruction.md']])
  expect(problems(without('environment/Dockerfile'))).toEqual([['missing-environment', 'environment/Dockerfile']])
  expect(problems({ 'task.toml': '' })).toEqual([
    ['missing-instruction', 'instruction.md'],
    ['missing-test-script', 'tests/test.sh'],
    ['missing-environment', 'environment/Dockerfile'],
  ])
  expect(problems({ ...plainTask, 'task.toml': '[[steps]]\nname = "a/b"\n[[steps]]\nname = "x"\n[[steps]]\nname = "X"\n' })).toEqual([
    ['bad-step-name', 'task.toml'],
    ['bad-step-name', 'task.toml'],
    ['missing-instruction', 'steps/a/b/instruction.md'],
    ['missing-instruction', 'steps/x/instruction.md'],
    ['missing-instruction', 'steps/X/instruction.md'],
  ])
  expect(problems({ ...plainTask, 'tests/.harborignore': '*.sh' })).toEqual([['ignored-file', 'tests/test.sh']])
  expect(problems({ ...plainTask, 'tests/.harborignore': 'x\\' })).toEqual([['bad-ignore-file', 'tests/.harborignore']])
  const bytes = new Uint8Array([0xff])
  const loaded = loadTask('a', [...tree(without('instruction.md')), { path: 'instruction.md', mode: 0o644, bytes }])
  expect(loaded).toMatchObject({ ok: false, problems: [{ reason: 'bad-text', entry: 'instruction.md' }] })
})

test('[HARB5] an image makes a Dockerfile needless, and a compose file is kept as text', () => {
  expect(load({ ...without('environment/Dockerfile'), 'task.toml': '[environment]\ndocker_image = "i"' }).environment.image).toBe('i')
  const composed = load({ ...without('environment/Dockerfile'), 'environment/docker-compose.yaml': 'services: {}' })
  expect(composed.environment.compose).toBe('services: {}')
  expect(composed.why_not_runnable).toMatchObject([
    {
      reason: 'compose',
      concerns: 'all',
      key: 'environment/docker-compose.yaml: services.main',
      text: expect.stringContaining('neither an image'),
    },
  ])
})

const steps = {
  'task.toml': `
artifacts = ["/a"]
[agent]
timeout_sec = 10
user = "agent"
[verifier]
timeout_sec = 20
user = "tester"
env = { A = "1", B = "1" }
collect = [{ command = "all" }]
[[steps]]
name = "one"
min_reward = 0.5
[[steps]]
name = "two"
artifacts = ["/b"]
[steps.agent]
timeout_sec = 1.5
[steps.verifier]
timeout_sec = 2
user = 0
env = { B = "2" }
collect = [{ command = "own" }]
`,
  'environment/Dockerfile': 'F',
  'tests/test.sh': 'shared',
  'tests/help.sh': 'shared',
  'solution/solve.sh': 'root',
  'steps/one/instruction.md': 'First.',
  'steps/one/workdir/setup.sh': 'w',
  'steps/two/instruction.md': 'Second.',
  'steps/two/tests/test.sh': 'own',
  'steps/two/solution/other.sh': 'x',
}

test('[HARB6] a step takes from the task what it does not say itself, but a verifier has its own time', () => {
  const { steps: built, reward_strategy } = load(steps)
  const [one, two] = built
  expect(reward_strategy).toBe('mean')
  expect(one).toMatchObject({
    name: 'one',
    instruction: 'First.',
    min_reward: { reward: 0.5 },
    agent: { timeout_ms: 10_000, user: 'agent' },
  })
  expect(one.workdir.map(({ path }) => path)).toEqual(['setup.sh'])
  expect(one.verifier).toMatchObject({ timeout_ms: 600_000, user: 'tester', env: { A: '1', B: '1' } })
  expect(two).toMatchObject({ agent: { timeout_ms: 1500, user: 'agent' } })
  expect(two?.verifier).toMatchObject({ timeout_ms: 2000, user: 0, env: { A: '1', B: '2' } })
  expect(two?.verifier.collect.map(({ command }) => command)).toEqual(['all', 'own'])
  expect(two?.artifacts.map(({ source }) => source)).toEqual(['/logs/artifacts', '/a', '/b'])
  const texts = (files: readonly { path: string; bytes: Uint8Array }[] = []) =>
    files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])
  expect(texts(two?.verifier.tests)).toEqual([
    ['test.sh', 'own'],
    ['help.sh', 'shared'],
  ])
  expect([one.solution.script, two?.solution.script]).toEqual(['solve.sh', null])
})

test('[HARB6] a verifier of its own starts from the first image that is said for it', () => {
  const place = (toml: string, files: Record<string, string> = {}) => load({ ...plainTask, ...files, 'task.toml': toml }).steps[0].verifier
  const separate = '[verifier]\nenvironment_mode = "separate"\n'
  expect(place('[verifier.environment]\ncpus = 2').place).toMatchObject({
    mode: 'separate',
    tests_in_image: false,
    environment: { image: null, cpus: 2 },
  })
  expect(place(`[environment]\ndocker_image = "i"\nhealthcheck = { command = "h" }\n${separate}`).place).toMatchObject({
    tests_in_image: false,
    environment: { image: 'i', healthcheck: null },
  })
  expect(place('[verifier.environment]\ndocker_image = "v"')).toMatchObject({
    tests: [],
    place: { tests_in_image: true, environment: { image: 'v' } },
  })
  const built = place(separate, { 'tests/Dockerfile': 'F' })
  expect(built).toMatchObject({ tests: [], place: { tests_in_image: true, environment: { image: null } } })
  expect(built.place.mode === 'separate' && built.place.environment.context.map(({ path }) => path)).toEqual(['test.sh', 'Dockerfile'])
})

test("[HARB6] the network of a phase is its own word, the task's, or that of its machine", () => {
  const task = load({
    ...plainTask,
    'task.toml':
      '[environment]\nnetwork_mode = "no-network"\n[agent]\nnetwork_mode = "public"\n[verifier]\nenvironment_mode = "separate"\nnetwork_mode = "public"\n',
  })
  expect(task.environment.network.mode).toBe('no-network')
  expect([task.steps[0].agent.network.mode, task.steps[0].verifier.network.mode]).toEqual(['public', 'public'])
  expect(task.why_not_runnable.map(({ reason, key }) => [reason, key])).toEqual([['network-switch', 'agent.network_mode']])
})

test('[HARB7] what cannot be had here is named, with who it concerns, and the task is read all the same', () => {
  const task = load({
    ...plainTask,
    'trajectory.json': '{}',
    'task.toml': `
[environment]
os = "linux"
gpus = 2
tpu = { type = "v4", topology = "2x2" }
network_mode = "allowlist"
allowed_hosts = ["a.b"]
skills_dir = "/s"
mcp_servers = [{ name = "m", url = "http://x" }]
env = { TOKEN = "\${TOKEN}", MODE = "\${MODE:-fast}" }
`,
  })
  expect(task.why_not_runnable.map(({ reason, key, concerns }) => [reason, key, concerns])).toEqual([
    ['gpus', 'environment.gpus', 'all'],
    ['tpu', 'environment.tpu', 'all'],
    ['mcp-servers', 'environment.mcp_servers', 'models'],
    ['skills', 'environment.skills_dir', 'models'],
    ['network-allowlist', 'environment.network_mode', 'all'],
    ['prior-trajectory', 'trajectory.json', 'models'],
    ['host-variable', 'environment.env.TOKEN', 'all'],
  ])
  const windows = load({ ...without('tests/test.sh'), 'tests/test.bat': 'x', 'task.toml': '[environment]\nos = "windows"' })
  expect(windows.why_not_runnable.map(({ reason }) => reason)).toEqual(['windows'])
  expect(windows.steps[0].verifier.script).toBe('test.bat')
})

const variable = (name: string) => `\${${name}}`

test('[HARB8] variables are taken from whoever runs the task, never from a process', () => {
  process.env.HARB8_SECRET = 'leak'
  const env = { A: variable('HARB8_SECRET'), B: variable('X:-y'), C: `is ${variable('HARB8_SECRET')}`, D: variable('Z:-') }
  expect(load({ ...plainTask, 'task.toml': `[environment]\nenv = { A = "\${HARB8_SECRET}", B = "\${X:-y}" }` }).host_variables).toEqual([
    { name: 'HARB8_SECRET', key: 'environment.env.A', fallback: null },
    { name: 'X', key: 'environment.env.B', fallback: 'y' },
  ])
  expect(resolveTaskEnv(env, new Map())).toEqual({ ok: false, missing: ['HARB8_SECRET'] })
  expect(
    resolveTaskEnv(
      env,
      new Map([
        ['HARB8_SECRET', 'given'],
        ['X', 'x'],
      ]),
    ),
  ).toEqual({
    ok: true,
    env: { A: 'given', B: 'x', C: `is ${variable('HARB8_SECRET')}`, D: '' },
  })
  delete process.env.HARB8_SECRET
})

const golden = {
  'task.toml': 'version = "1.0"\n',
  'instruction.md': 'Do it.\n',
  'environment/Dockerfile': 'FROM x\n',
  'tests/test.sh': 'echo 1\n',
  'tests/a.pyc': 'a',
  'tests/sub/keep.txt': 'b',
  'tests/sub/drop.txt': 'c',
  'tests/.harborignore': 'sub/*\n!sub/keep.txt\n',
  'tests/ﬁ.txt': 'u',
  'tests/𝒳.txt': 'v',
  'solution/solve.sh': 's',
  'notes.txt': 'n',
}

test('[HARB9] the two hashes of a task are those that Harbor 0.25.0 computed of the same files', () => {
  expect(load(golden)).toMatchObject({
    checksum: '3b5a5d5c23e888bcd711190c15f3b9c4075b8fdc325dbd85671ebc9b2dd53bf2',
    digest: 'sha256:af33112187fd98ddf37807c7f9b3adea7d289ca651e3d02c0fd14281b5f1862c',
  })
  expect(load({ '.gitignore': '*.txt\n!keep.txt\n', ...golden })).toMatchObject({
    checksum: 'd67a8d10eb8f00567d74fe8fcadf89f8058161d41ba627e85a96731ee4802122',
    digest: 'sha256:133918dd2600d2b0ead23495658a265f5f051a6970a11b39cde32f4d6efe5f24',
  })
})

test('[HARB9] what lies in a folder that is left out stays out, whatever a later line says of it', () => {
  const files = { ...plainTask, 'tests/sub/keep.txt': 'k', 'tests/deep/.harborignore': 'x\n', 'tests/deep/x': 'x', 'tests/x': 'x' }
  const paths = (lines: string) => load({ ...files, 'tests/.harborignore': lines }).steps[0].verifier.tests.map(({ path }) => path)
  expect(paths('sub/\n!sub/keep.txt')).toEqual(['test.sh', 'x'])
  expect(paths('*\n!*.sh\n!sub/')).toEqual(['test.sh'])
})

test('[HARB9] hashes depend on paths and bytes, not on order or modes', () => {
  const files = tree(golden)
  fc.assert(
    fc.property(fc.shuffledSubarray(files, { minLength: files.length }), fc.nat({ max: 0o777 }), (shuffled, mode) => {
      const loaded = loadTask(
        'folder',
        shuffled.map((file) => ({ ...file, mode })),
      )
      expect(loaded.ok && loaded.task.checksum).toBe('3b5a5d5c23e888bcd711190c15f3b9c4075b8fdc325dbd85671ebc9b2dd53bf2')
    }),
    draws(20),
  )
})

test('[HARB5] any files give a task or problems', () => {
  const path = fc.constantFrom(
    'task.toml',
    'instruction.md',
    'tests/test.sh',
    'tests/.harborignore',
    '.gitignore',
    'environment/Dockerfile',
    'steps/a/instruction.md',
    '__proto__',
    'x/y',
  )
  const files = fc.uniqueArray(
    fc.record({
      path,
      mode: fc.nat(),
      bytes: fc.oneof(
        fc.uint8Array(),
        fc.string().map((text) => new TextEncoder().encode(text)),
      ),
    }),
    { selector: (file) => file.path },
  )
  fc.assert(
    fc.property(files, (all) => typeof loadTask('f', all).ok === 'boolean'),
    draws(1000),
  )
})
