import { afterAll, test as everyTest, expect, it } from 'vitest'
import type { Tampering } from '#shared/contract/evidence/reward.ts'
import { commandWorker } from '#shared/episode/command-worker.ts'
import { terminalOracle } from '#shared/episode/oracle-terminal.ts'
import { terminus1, terminus2 } from '#shared/episode/terminus-worker.ts'
import { nop, oracle } from '#shared/episode/worker.ts'
import type { HarborTask } from '#shared/harbor/task.ts'
import { tree } from '#shared/harbor/testing/task-files.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { type Form, loadTask1 } from '#shared/terminal-bench-1/load-task.ts'
import { plainCompose } from '#shared/terminal-bench-1/testing/plain-task1.ts'
import { ownTerminus2 } from '#shared/terminus/own-texts.ts'
import { ownTerminus1 } from '#shared/terminus/terminus1-texts.ts'
import { jsonReply } from '#shared/terminus/testing/at-terminal.ts'
import { drawnTests, someOf } from '#shared/testing/draws.ts'
import { createMachines } from './open-machines.ts'
import { bashAsk, calls, loop } from './testing/command-agents.ts'
import { ensureMachineImage, machineImage } from './testing/machine-image.ts'
import { type FixtureRun, runTask } from './testing/run-fixture.ts'

const absent = await ensureMachineImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = 120_000
const machines = await createMachines({ owner: `terminal-bench-1-test-${process.pid}`, room: { cpus: 64, memory_mb: 65_536 } })
afterAll(() => machines.close())

const settings = (more = '') => `instruction: |-
  Write the number of lines of /app/in.txt to /app/out.txt.
difficulty: hard
max_agent_timeout_sec: 60.0
max_test_timeout_sec: 30.0
${more}`

const helloCount: Readonly<Record<string, string>> = {
  'task.yaml': settings(),
  'docker-compose.yaml': plainCompose(),
  Dockerfile: `FROM ${machineImage}\nWORKDIR /app\nRUN printf 'a\\nb\\nc\\n' > /app/in.txt\n`,
  'run-tests.sh': 'python3 -m pytest -rA $TEST_DIR/test_outputs.py\n',
  'solution.sh': 'wc -l < /app/in.txt > /app/out.txt\n',
  'tests/test_outputs.py': `from pathlib import Path

def test_exists():
    assert Path("/app/out.txt").exists()

def test_count():
    assert Path("/app/out.txt").read_text().strip() == "3"
`,
}
const taskOf = (changes: Readonly<Record<string, string>> = {}, form: Form = 'terminal-bench'): HarborTask => {
  const loaded = loadTask1('hello-count', tree({ ...helloCount, ...changes }), form)
  if (!loaded.ok) throw new Error(loaded.problems.map(({ entry, text }) => `${entry}: ${text}`).join('; '))
  return { ...loaded.task, environment: { ...loaded.task.environment, network: { mode: 'no-network', allowed_hosts: [] }, memory_mb: 256 } }
}
const solvedBy = (changes: Readonly<Record<string, string>>) => runTask(machines, taskOf(changes), terminalOracle)

const stepOf = ({ outcome }: FixtureRun) => {
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value.steps[0]!
}
const scored = ({ score }: FixtureRun) => score && [score.value, ...score.flags]

const test = drawnTests(everyTest, 6, 12)

test('[SCORE295] a task’s own solution resolves it and doing nothing does not, by what a terminal of 160 columns shows', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const [solved, left] = [await runTask(machines, taskOf(), terminalOracle), await runTask(machines, taskOf(), nop)]
  expect([scored(solved), scored(left)]).toEqual([[1], [0]])
  expect(stepOf(solved)).toMatchObject({ agent: { end: 'completed' }, rewards: { reward: 1 }, tampering: [], problem: null })
  const pane = stepOf(solved).verifier!.output
  expect(pane).toContain('PASSED ../tests/test_outputs.py::test_count')
  expect(Math.max(...pane.split('\n').map((line) => line.length))).toBe(160)
  expect(stepOf(left).verifier!.output).toContain('FAILED ../tests/test_outputs.py::test_exists')
  expect(new TextDecoder().decode(solved.kept.get('verifier/test-stdout.txt'))).toBe(pane)
})

test('[SCORE295] tests run as root in a session of their own, whoever worked', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const run = await solvedBy({
    Dockerfile: `${helloCount.Dockerfile}RUN chmod 777 /app\nUSER nobody\n`,
    'solution.sh': 'id -un > /app/who; cd /tmp; wc -l < /app/in.txt > /app/out.txt\n',
    'run-tests.sh': `echo "by $(id -un) after $(cat /app/who) in $PWD at $(tmux display -p '#S') with $TEST_DIR"; ${helloCount['run-tests.sh']}`,
  })
  expect(stepOf(run).verifier!.output).toContain('by root after nobody in /app at tests with /tests')
  expect(scored(run)).toEqual([1])
})

test('[SCORE295] whoever runs out of time is graded by what was done; tests that take too long resolve nothing', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const late = settings().replace('max_agent_timeout_sec: 60.0', 'max_agent_timeout_sec: 3.0')
  const run = await solvedBy({ 'task.yaml': late, 'solution.sh': `${helloCount['solution.sh']}sleep 60\n` })
  expect([stepOf(run).agent.end, scored(run)]).toEqual(['timeout', [1, 'agent_timeout']])
  const short = settings().replace('max_test_timeout_sec: 30.0', 'max_test_timeout_sec: 3.0')
  const slow = await solvedBy({ 'task.yaml': short, 'run-tests.sh': `${helloCount['run-tests.sh']}sleep 60\n` })
  expect([stepOf(slow).problem, scored(slow)]).toEqual(['timeout', [0, 'verifier_timeout']])
})

test('[SCORE290] a pane without a summary, and one whose summary names no test, are told and resolve nothing', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const none = await solvedBy({ 'run-tests.sh': 'python3 -m pytest -q $TEST_DIR/test_outputs.py\n' })
  const empty = await solvedBy({ 'run-tests.sh': 'echo "=== short test summary info ==="\n' })
  expect([none, empty].map((run) => [stepOf(run).problem, scored(run)])).toEqual([
    ['no-summary', [0, 'no_reward']],
    ['no-tests', [0, 'no_reward']],
  ])
})

test('[SCORE296] tests that want the shell of who worked run in it, with its variables and directory; nobody’s is opened for them', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const same = { 'task.yaml': settings('run_tests_in_same_shell: true\n') }
  const steps = '- command: export WORD=shared; cd /srv\n  block: true\n- command: wc -l < /app/in.txt > /app/out.txt\n  block: true\n'
  const tests = `echo "at $(tmux display -p '#S') in $PWD: $WORD"; ${helloCount['run-tests.sh']}`
  const { 'solution.sh': _, ...without } = helloCount
  const loaded = loadTask1('same', tree({ ...without, ...same, 'solution.yaml': steps, 'run-tests.sh': tests }), 'terminal-bench')
  if (!loaded.ok) throw new Error('it is no task')
  const environment = { ...loaded.task.environment, network: { mode: 'no-network' as const, allowed_hosts: [] }, memory_mb: 256 }
  const run = await runTask(machines, { ...loaded.task, environment }, terminalOracle)
  expect(stepOf(run).verifier!.output).toContain('at agent in /srv: shared')
  expect(scored(run)).toEqual([1])
  const left = await runTask(machines, taskOf({ ...same, 'run-tests.sh': tests }), nop)
  expect(stepOf(left).verifier!.output).toContain('at agent in /app:\n')
  expect(scored(left)).toEqual([0])
})

test('[SCORE300] a solution of keys types them one after another, waits as it is told, and ends where one takes too long', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const typed = async (yaml: string) => {
    const { 'solution.sh': _, ...without } = helloCount
    const loaded = loadTask1('typed', tree({ ...without, 'solution.yaml': yaml }), 'terminal-bench')
    if (!loaded.ok) throw new Error('it is no task')
    const environment = { ...loaded.task.environment, network: { mode: 'no-network' as const, allowed_hosts: [] }, memory_mb: 256 }
    return runTask(machines, { ...loaded.task, environment }, terminalOracle)
  }
  const keys = '- command: cat > /app/out.txt\n- command: "3"\n- command: C-d\n  append_enter: false\n- command: "true"\n  block: true\n'
  expect(scored(await typed(keys))).toEqual([1])
  const late = await typed('- command: sleep 60\n  block: true\n  max_timeout_sec: 1\n- command: echo 3 > /app/out.txt\n  block: true\n')
  expect(stepOf(late).agent).toMatchObject({ end: 'failed', detail: 'a command of the solution took more than 1 s' })
  expect(scored(late)).toEqual([0])
  expect(stepOf(await typed('{}')).agent).toMatchObject({ end: 'failed', detail: 'solution.yaml is no list of commands' })
})

test('[SCORE297] a service that was left running runs while the tests do, and whether it was needed is told', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const run = await solvedBy({
    'solution.sh': 'cd /app; cp in.txt out.txt; (setsid python3 -m http.server 8080 --bind 127.0.0.1 > /dev/null 2>&1 &)\n',
    'tests/test_outputs.py': `from urllib.request import urlopen

def test_served():
    assert urlopen("http://127.0.0.1:8080/in.txt", timeout=5).read() == b"a\\nb\\nc\\n"
`,
  })
  expect(stepOf(run)).toMatchObject({ rewards: { reward: 1 }, tampering: [], left_running: { needed: true } })
  expect(run.score?.value).toBe(1)
  expect(stepOf(await runTask(machines, taskOf(), terminalOracle))).not.toHaveProperty('left_running')
})

test('[SCORE299] mapped to Harbor’s form a task is resolved by the exit status of its tests', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const [solved, left] = [await runTask(machines, taskOf({}, 'harbor'), oracle), await runTask(machines, taskOf({}, 'harbor'), nop)]
  expect([scored(solved), scored(left)]).toEqual([[1], [0]])
  expect([stepOf(solved).verifier!.exit_code, stepOf(left).verifier!.exit_code]).toEqual([0, 1])
  const quiet = await runTask(machines, taskOf({ 'run-tests.sh': 'python3 -m pytest -q $TEST_DIR/test_outputs.py\n' }, 'harbor'), oracle)
  const left2 = await runTask(machines, taskOf({ 'run-tests.sh': 'set -e\nfalse\n' }, 'harbor'), oracle)
  expect([scored(quiet), scored(left2)]).toEqual([[1], [0, 'no_reward']])
})

const texts = { ...ownTerminus2('json'), harness: 'terminal-bench' as const, fallbacks: null }
const unknown = { context_tokens: null, output_tokens: null }
test('[SCORE301] a model solves a task as terminus-2 and as terminus-1 of the first Terminal-Bench', { timeout: patience }, async ({
  skip,
}) => {
  skip(absent !== null, String(absent))
  const answers = [jsonReply([['wc -l < /app/in.txt > /app/out.txt\n', 0.5]]), jsonReply([], true), jsonReply([], true)]
  const second = await runTask(machines, taskOf(), terminus2({ texts, ...unknown }), answers)
  expect([stepOf(second).agent, scored(second)]).toEqual([{ end: 'completed', turns: 3, detail: '' }, [1]])
  const command = { keystrokes: 'wc -l < /app/in.txt > /app/out.txt\n', is_blocking: true, timeout_sec: 10 }
  const reply = { state_analysis: 'a', explanation: 'e', commands: [command], is_task_complete: true }
  const first = await runTask(machines, taskOf(), terminus1(ownTerminus1), [JSON.stringify(reply)])
  expect([stepOf(first).agent, scored(first)]).toEqual([{ end: 'completed', turns: 1, detail: '' }, [1]])
  expect(first.kept.has('recording.cast')).toBe(true)
})

test('[SCORE305] a command asks the model in its machine and solves a task of the first Terminal-Bench; what it leaves is graded whatever its exit code', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const agent = { command: loop, install: 'id -un; mv /usr/bin/python3 /usr/bin/python3.real; ln -s python3.real /usr/bin/python3' }
  const answers = [calls('wc -l < /app/in.txt > /app/out.txt'), 'It is counted.']
  const solved = await runTask(machines, taskOf(), commandWorker(agent), answers)
  expect([scored(solved), stepOf(solved).agent]).toEqual([[1], { end: 'completed', turns: 2, detail: 'exit code 0' }])
  expect(stepOf(solved)).toMatchObject({ tampering: [], problem: null, rewards: { reward: 1 } })
  expect(solved.asked[0]).toMatchObject({ messages: [{ content: 'Write the number of lines of /app/in.txt to /app/out.txt.' }] })
  expect(new TextDecoder().decode(solved.kept.get('agent/command.txt'))).toBe('It is counted.\n')
  expect(new TextDecoder().decode(solved.kept.get('agent/install.txt'))).toBe('root\n')
  const ended = await runTask(machines, taskOf(), commandWorker({ command: 'wc -l < /app/in.txt > /app/out.txt; exit 7' }))
  expect([scored(ended), stepOf(ended).agent]).toEqual([[1], { end: 'failed', turns: 0, detail: 'exit code 7' }])
})

test('[SCORE305] a command whose time is over is graded by what it did; tests that want its shell get one that is opened for them; a provider that failed is no score', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const late = settings('run_tests_in_same_shell: true\n').replace('max_agent_timeout_sec: 60.0', 'max_agent_timeout_sec: 3.0')
  const tests = `echo "at $(tmux display -p '#S') in $PWD"; ${helloCount['run-tests.sh']}`
  const command = `${bashAsk} ask "$OPENAI_API_KEY" > /dev/null; cd /srv; wc -l < /app/in.txt > /app/out.txt; sleep 60`
  const run = await runTask(machines, taskOf({ 'task.yaml': late, 'run-tests.sh': tests }), commandWorker({ command }), ['yes'])
  expect([scored(run), stepOf(run).agent.end]).toEqual([[1, 'agent_timeout'], 'timeout'])
  expect(stepOf(run).verifier!.output).toContain('at agent in /app')
  const broken = await runTask(machines, taskOf(), commandWorker({ command: `${bashAsk} ask "$OPENAI_API_KEY"` }), [null])
  expect(broken.outcome).toMatchObject({ ok: false, failure: { at: 'provider', reason: 'overloaded' } })
})

test('[SCORE301] a model that has read as many tokens as it may is graded by what it did', { timeout: patience }, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const reads = (text: string, input_tokens: number) => ({ ...said(text), usage: { ...said(text).usage, input_tokens } })
  const answers = [
    reads(jsonReply([['wc -l < /app/in.txt > /app/out.txt\n', 0.5]]), 10),
    reads(jsonReply([['rm /app/out.txt\n', 0.5]]), 10),
    reads(jsonReply([], true), 10),
  ]
  const run = await runTask(machines, taskOf(), terminus2({ texts, ...unknown, input_tokens: 15 }), answers)
  expect(stepOf(run).agent).toMatchObject({ end: 'limit', detail: 'it had read as many tokens as it may' })
  expect(scored(run)).toEqual([1])
})

const summary = '=== short test summary info ===\\nPASSED ../tests/test_outputs.py::test_count\\n'
const cheats: [string, string, Readonly<Record<string, string>>, readonly Tampering[]][] = [
  [
    'a tmux before the other one that shows a summary',
    `printf '%s\\n' '#!/bin/sh' 'printf "${summary}"' > /usr/local/bin/tmux; chmod 755 /usr/local/bin/tmux`,
    {},
    ['tools-replaced'],
  ],
  ['a session of the tests’ name that shows a summary', `tmux new-session -d -s tests "printf '${summary}'; exec bash"`, {}, []],
  [
    'a daemon that writes a summary to every terminal',
    `setsid sh -c 'while :; do for p in /dev/pts/[0-9]*; do printf "${summary}" > $p; done; sleep 0.01; done' > /dev/null 2>&1 &`,
    {},
    ['reward-after-tests'],
  ],
  ['tests of its own before the others come', `mkdir -p /tests; echo 'def test_a(): pass' > /tests/test_outputs.py`, {}, []],
  ['taking tmux away', 'rm -f $(command -v tmux)', {}, []],
  [
    'a python3 before the other one that shows a summary',
    `printf '%s\\n' '#!/bin/sh' 'printf "${summary}"' > /usr/local/bin/python3; chmod 755 /usr/local/bin/python3`,
    {},
    ['tools-replaced'],
  ],
]
for (const [name, script, changes, signs] of someOf(cheats, 2))
  it(`[SCORE302] nothing is won by ${name}`, { timeout: patience }, async ({ skip }) => {
    skip(absent !== null, String(absent))
    const run = await solvedBy({ ...changes, 'solution.sh': `${script}\n` })
    expect(run.score?.value).toBe(0)
    expect(stepOf(run).tampering).toEqual(signs)
  })
