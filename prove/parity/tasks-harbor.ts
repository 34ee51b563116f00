import { echoFile, type FixtureFiles, type FixtureToml, fixtureToml, solvedBy, verifiedBy } from '#fleet/machine/testing/fixture-tasks.ts'
import { machineImage } from '#fleet/machine/testing/machine-image.ts'
import { serviceTasks } from './tasks-harbor-services.ts'

/**
 * A task that Harbor and we both run. `differs`: why the two are meant to disagree about it, by who works there; undefined where they must not.
 */
export type HarborParityTask = { name: string; files: FixtureFiles; differs?: { oracle?: string; nop?: string } }

const reward = '/logs/verifier/reward'
const hello = `grep -qx hello /app/out.txt`
const graded = (yes: string, no = `echo 0 > ${reward}.txt`): FixtureFiles => verifiedBy(`if ${hello}; then ${yes}; else ${no}; fi`)
const always = verifiedBy

const build = (dockerfile: string): [FixtureToml, FixtureFiles] => [
  { environment: 'docker_image = ""' },
  { 'environment/Dockerfile': `FROM ${machineImage}\n${dockerfile}\n` },
]

/** Tasks of three steps; what each step's tests give where its file is there, and a threshold for going on from the second. */
function steps(strategy: 'mean' | 'final', gives: readonly [string, string, string], least = '0'): FixtureFiles {
  const names = ['one', 'two', 'three'] as const
  const told = names.map((name) => `[[steps]]\nname = "${name}"\n${name === 'two' ? `min_reward = ${least}\n` : ''}`)
  const files = names.map((name, index): FixtureFiles => {
    const [solution, test] = [
      `#!/bin/bash\necho ${name} >> /app/out.txt\n`,
      `if grep -qx ${name} /app/out.txt; then echo ${gives[index]}; else echo 0; fi > ${reward}.txt`,
    ]
    return {
      [`steps/${name}/instruction.md`]: `Add a line that says ${name} to /app/out.txt.\n`,
      [`steps/${name}/solution/solve.sh`]: solution,
      [`steps/${name}/tests/test.sh`]: `#!/bin/bash\ntouch /app/out.txt\n${test}\n`,
    }
  })
  return {
    'task.toml': fixtureToml({ first: `multi_step_reward_strategy = "${strategy}"`, more: told.join('') }),
    'environment/Dockerfile': `FROM ${machineImage}\n`,
    ...Object.assign({}, ...files),
  }
}

const unfinished = 'Harbor takes any number for a reward, ours is one from 0 to 1 (HARB15)'
const whole = 'Harbor refuses a reward file in which one value is no number, we leave that name out (HARB14)'
const unsolved = 'Harbor ends with FileNotFoundError, we grade what nobody did (EPI1)'
const halted = 'Harbor counts the steps before one that cannot be set up, for us the episode has failed (EPI6)'
const caught = 'Harbor leaves cheats to judges, we score a sign of tampering 0 (EPI8)'

const single: HarborParityTask[] = [
  { name: 'single', files: echoFile() },
  { name: 'built', files: echoFile(...build('RUN mkdir -p /opt/made')) },
  { name: 'half', files: echoFile({}, graded(`echo '{"reward": 0.5}' > ${reward}.json`)) },
  { name: 'text-half', files: echoFile({}, graded(`echo 0.25 > ${reward}.txt`)) },
  {
    name: 'named',
    files: echoFile({}, graded(`echo '{"speed": 1, "size": 0.5}' > ${reward}.json`, `echo '{"speed": 0, "size": 0}' > ${reward}.json`)),
  },
  { name: 'both-files', files: echoFile({}, graded(`echo '{"reward": 0.75}' > ${reward}.json; echo 1 > ${reward}.txt`)) },
  { name: 'broken-beside-good', files: echoFile({}, graded(`echo '{' > ${reward}.json; echo 1 > ${reward}.txt`)) },
  { name: 'broken-text', files: echoFile({}, always(`echo abc > ${reward}.txt`)) },
  { name: 'broken-json', files: echoFile({}, always(`echo '[1]' > ${reward}.json`)) },
  { name: 'empty-file', files: echoFile({}, always(`: > ${reward}.txt`)) },
  { name: 'no-file', files: echoFile({}, always('true')) },
  { name: 'exit-code', files: echoFile({}, graded(`echo 1 > ${reward}.txt; exit 1`)) },
  { name: 'spaces', files: echoFile({}, graded(`printf ' 1.0 \\n\\n' > ${reward}.txt`)) },
  { name: 'too-much', files: echoFile({}, graded(`echo 1.5 > ${reward}.txt`)), differs: { oracle: unfinished } },
  { name: 'below-nothing', files: echoFile({}, graded(`echo 1 > ${reward}.txt`, `echo -1 > ${reward}.txt`)), differs: { nop: unfinished } },
  { name: 'a-word-among', files: echoFile({}, graded(`echo '{"a": 1, "b": "x"}' > ${reward}.json`)), differs: { oracle: whole } },
]

const timed: HarborParityTask[] = [
  { name: 'agent-timeout', files: echoFile({ agent: 'timeout_sec = 3.0' }, solvedBy('echo hello > /app/out.txt; sleep 60')) },
  { name: 'agent-timeout-early', files: echoFile({ agent: 'timeout_sec = 3.0' }, solvedBy('sleep 60; echo hello > /app/out.txt')) },
  { name: 'verifier-timeout', files: echoFile({ verifier: 'timeout_sec = 3.0' }, always(`echo 1 > ${reward}.txt; sleep 60`)) },
  {
    name: 'never-healthy',
    files: echoFile({ more: '[environment.healthcheck]\ncommand = "false"\ninterval_sec = 0.1\nretries = 2\n' }),
  },
  {
    name: 'soon-healthy',
    files: echoFile({ more: '[environment.healthcheck]\ncommand = "test -d /app"\ninterval_sec = 0.1\nretries = 2\n' }),
  },
  { name: 'failing-build', files: echoFile(...build('RUN exit 3')) },
]

const staged: HarborParityTask[] = [
  { name: 'steps-mean', files: steps('mean', ['1', '0.5', '1']) },
  { name: 'steps-final', files: steps('final', ['1', '1', '0.5']) },
  { name: 'steps-threshold', files: steps('mean', ['1', '0.25', '1'], '0.5') },
  {
    name: 'steps-setup-fails',
    files: { ...steps('mean', ['1', '1', '1']), 'steps/two/workdir/setup.sh': '#!/bin/bash\nexit 3\n' },
    differs: { oracle: halted, nop: halted },
  },
  {
    name: 'separate',
    files: echoFile(
      { verifier: 'environment_mode = "separate"', first: 'artifacts = ["/app/out.txt"]' },
      { 'tests/test.sh': `#!/bin/bash\nif grep -qx hello /app/out.txt; then echo 1; else echo 0; fi > ${reward}.txt\n` },
    ),
  },
  { name: 'failing-solution', files: echoFile({}, solvedBy('echo hello > /app/out.txt; exit 3')) },
  {
    name: 'users',
    files: echoFile(
      { agent: 'user = "nobody"' },
      {
        ...solvedBy('id -un > /logs/agent/who'),
        ...always(`if grep -qx nobody /logs/agent/who; then echo 1; else echo 0; fi > ${reward}.txt`),
      },
    ),
  },
  {
    name: 'variables',
    files: echoFile(
      { verifier: '[verifier.env]\nWANTED = "hello"', more: '[environment.env]\nWORD = "hello"\n' },
      {
        ...solvedBy('echo $WORD > /app/out.txt'),
        ...always(`if grep -qx "$WANTED" /app/out.txt; then echo 1; else echo 0; fi > ${reward}.txt`),
      },
    ),
  },
  {
    name: 'cheat-early',
    files: echoFile({}, { ...solvedBy(`echo 1 > ${reward}.txt`), ...always(`${hello} || exit 1; echo 1 > ${reward}.txt`) }),
    differs: { oracle: caught },
  },
  {
    name: 'cheat-path',
    files: echoFile({}, solvedBy(`printf '#!/bin/sh\\nexit 0\\n' > /usr/local/bin/python3; chmod 755 /usr/local/bin/python3`)),
    differs: { oracle: caught },
  },
]

/** What one of the two, or both, may refuse before anything runs. */
const refused: HarborParityTask[] = [
  { name: 'no-tests', files: echoFile({}, { 'tests/test.sh': undefined, 'tests/check.py': undefined }) },
  { name: 'no-solution', files: echoFile({}, { 'solution/solve.sh': undefined }), differs: { oracle: unsolved } },
  { name: 'no-instruction', files: echoFile({}, { 'instruction.md': undefined }) },
  { name: 'no-toml', files: echoFile({}, { 'task.toml': 'schema_version = ' }) },
]

/** Every task that is compared, by folder name. The network is open in all of them, as Harbor closes one with an image of its own that must be built. */
export const harborParityTasks: readonly HarborParityTask[] = [...single, ...timed, ...staged, ...refused, ...serviceTasks].map((task) => {
  const toml = task.files['task.toml']?.replace('network_mode = "no-network"', 'network_mode = "public"')
  return { ...task, files: { ...task.files, 'task.toml': toml } }
})
