import { afterAll, expect, test } from 'vitest'
import { commandWorker } from '#shared/episode/command-worker.ts'
import { agentVersion } from '#shared/run/agent-text.ts'
import { createMachines } from './open-machines.ts'
import { bashAsk, calls, loop } from './testing/command-agents.ts'
import { echoFile, type FixtureFiles, verifiedBy } from './testing/fixture-tasks.ts'
import { ensureMachineImage } from './testing/machine-image.ts'
import { type FixtureRun, runFixture } from './testing/run-fixture.ts'

const absent = await ensureMachineImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = 120_000
const machines = await createMachines({ owner: `command-test-${process.pid}`, room: { cpus: 64, memory_mb: 65_536 } })
afterAll(() => machines.close())

const evidenceOf = ({ outcome }: FixtureRun) => {
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}
const logOf = ({ kept }: FixtureRun, name = 'agent/command.txt') => new TextDecoder().decode(kept.get(name))

test('[EPI30] a command in a machine without a network asks the model, whose calls and their results pass as they are, and is graded', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const agent = { command: loop }
  const run = await runFixture(machines, echoFile(), commandWorker(agent), [calls('echo hello > /app/out.txt; echo done'), 'It is there.'])
  const { steps, text, agent: who, phases } = evidenceOf(run)
  expect([run.score?.value, steps[0]!.agent, text]).toEqual([1, { end: 'completed', turns: 2, detail: 'exit code 0' }, 'It is there.'])
  expect(who).toEqual({ name: 'command', version: agentVersion(agent) })
  expect(phases.map(({ name }) => name)).toEqual(['start', 'install', 'setup', 'agent', 'hand-over', 'verifier'])
  expect(run.asked[0]).toMatchObject({ messages: [{ role: 'user', content: 'Write hello, with a line break, into /app/out.txt.\n' }] })
  expect(run.asked[1]!.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_1', name: 'run', arguments: '{"command":"echo hello > /app/out.txt; echo done"}' }],
    },
    { role: 'tool', content: 'done\n', tool_call_id: 'call_1' },
  ])
  expect(run.notes).toEqual(['The command asked with temperature of its own; the plan’s parameters hold in their place.'])
  expect(logOf(run)).toBe('It is there.\n')
})

const withoutPython: FixtureFiles = verifiedBy('[ "$(cat /app/out.txt)" = hello ]; echo $((1-$?)) > /logs/verifier/reward.txt')
test('[EPI31] where a machine has no Python Perl stands in; an install command runs once before, as root and on nobody’s time', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const agent = {
    install: 'id -un; mv /usr/bin/python3 /usr/bin/python3.off; echo "#!/bin/sh" > /usr/bin/node',
    command: `${bashAsk} ask "$OPENAI_API_KEY" && echo hello > /app/out.txt; id -un; exit 3`,
  }
  const task = echoFile({ agent: 'user = "nobody"' }, { ...withoutPython, 'environment/.keep': '' })
  const run = await runFixture(machines, task, commandWorker({ ...agent, install: `${agent.install}; chmod 777 /app` }), [
    'yes, I hear you',
  ])
  expect(logOf(run)).toContain('"delta":{"content":"yes, I hear you"}')
  expect(logOf(run)).toMatch(/nobody\n$/)
  expect(logOf(run, 'agent/install.txt')).toBe('root\n')
  const { steps, phases } = evidenceOf(run)
  expect([run.score?.value, steps[0]]).toMatchObject([1, { agent: { end: 'failed', turns: 1, detail: 'exit code 3' }, tampering: [] }])
  expect(phases.map(({ name }) => name).slice(0, 2)).toEqual(['start', 'install'])
})

test('[EPI32] a command whose time is over is ended with all that it began, and graded by what it did', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const command = `${bashAsk} ask "$OPENAI_API_KEY" > /dev/null; echo hello > /app/out.txt; while :; do ask "$OPENAI_API_KEY"; done`
  const run = await runFixture(machines, echoFile({ agent: 'timeout_sec = 3.0' }), commandWorker({ command }), () => 'yes')
  const { steps } = evidenceOf(run)
  expect([run.score?.value, run.score?.flags, steps[0]!.agent.end]).toEqual([1, ['agent_timeout'], 'timeout'])
  expect(steps[0]!.agent.turns).toBe(run.asked.length)
})

test('[EPI33] no score where the agent could not be installed, where a machine has no way in, and where the model’s provider failed', {
  timeout: patience,
}, async ({ skip }) => {
  skip(absent !== null, String(absent))
  const failureOf = async (agent: Parameters<typeof commandWorker>[0], model: Parameters<typeof runFixture>[3] = []) => {
    const { outcome } = await runFixture(machines, echoFile(), commandWorker(agent), model)
    return outcome.ok ? null : outcome.failure
  }
  const broken = await failureOf({ command: 'true', install: 'echo no such package; exit 9' })
  expect(broken).toMatchObject({ at: 'sandbox', reason: 'unhealthy', detail: expect.stringMatching(/exit code 9: no such package/) })
  const closed = await failureOf({ command: 'true', install: 'rm /usr/bin/python3 /usr/bin/perl' })
  expect(closed).toMatchObject({
    at: 'sandbox',
    reason: 'denied',
    retryable: false,
    detail: expect.stringContaining('its install command'),
  })
  const asking = { command: `${bashAsk} ask "$OPENAI_API_KEY"; echo hello > /app/out.txt` }
  expect(await failureOf(asking, [null])).toMatchObject({ at: 'provider', reason: 'overloaded' })
  const twice = { command: `${bashAsk} ask "$OPENAI_API_KEY"; ask "$OPENAI_API_KEY"; echo hello > /app/out.txt` }
  expect(await failureOf(twice, [null, 'yes'])).toBe(null)
})
