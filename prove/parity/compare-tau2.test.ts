import { expect, test } from 'vitest'
import { readTelecom } from '#shared/tau2/telecom.ts'
import { inventedTelecom } from '#shared/tau2/testing/invented-telecom.ts'
import { readTasks, worldSessions } from './calls-tau2.ts'
import { playSession, tallySessions } from './compare-tau2.ts'
import { type CameOfDialogue, tallyDialogues } from './compare-tau2-dialogues.ts'

const tasks = readTasks(`[{
  "id": "one",
  "initial_state": {"initialization_actions": [{"env_type": "user", "func_name": "set_user_location", "arguments": {"abroad": true}}]},
  "evaluation_criteria": {
    "actions": [{"requestor": "assistant", "name": "refuel_data", "arguments": {"gb_amount": 2.0}}],
    "env_assertions": [{"env_type": "user", "func_name": "assert_can_send_mms", "arguments": {"expected_status": true}, "assert_value": true}]
  }
}]`)
const domain = readTelecom(inventedTelecom)

test('[TAU10] sessions are seeded: gold actions of every task between its assertions, then random steps', () => {
  const sessions = worldSessions(tasks, 3, 200)
  expect(worldSessions(tasks, 3, 200)).toEqual(sessions)
  expect(worldSessions(tasks, 4, 200)).not.toEqual(sessions)
  expect(sessions[0]?.steps.map((step) => step.kind)).toEqual(['ask', 'call', 'ask'])
  expect(sessions[0]?.steps[1]).toMatchObject({ call: { arguments: '{"gb_amount": 2.0}' } })
  expect(sessions.flatMap(({ steps }) => steps).filter(({ kind }) => kind === 'call').length).toBeGreaterThanOrEqual(200)
})

test('[TAU10] every session that differs from the official one is counted by its first difference', () => {
  const sessions = worldSessions(tasks, 5, 300)
  const ours = sessions.map((session) => playSession(domain, session))
  const same = tallySessions(ours, structuredClone(ours))
  expect(same).toMatchObject({ disagreements: [] })
  expect(same.calls).toBeGreaterThanOrEqual(300)
  expect(same.errors).toBeGreaterThan(30)
  expect(same.questions).toBeGreaterThan(2)

  const theirs = structuredClone(ours)
  theirs[0]![2]!.content += ' '
  theirs[0]![3]!.holds = null
  theirs[1]![0]!.user += ' '
  theirs[2]!.splice(4)
  const found = tallySessions(ours, theirs).disagreements.map(({ session, step }) => [session, step])
  expect(found).toEqual([[0, 2], [1, 0], [2, 4]]) // biome-ignore format: a list of places
  expect(() => tallySessions(ours, [])).toThrow('0 results')
})

test('[TAU11] every dialogue that differs in messages, end, data bases or reward is counted', () => {
  const one: CameOfDialogue = { end: 'user_stop', steps: 3, errors: 0, turns: [['said', 'user', 'x', []]], assistant: '{}', user: '{}', reward: 1, asked: [['user', [{ role: 'system', content: 'a' }, { role: 'user', content: 'b' }], 30]] } // biome-ignore format: one value, one line
  const changed = [
    { steps: 4 },
    { errors: 1 },
    { reward: 0 },
    { user: '{"a": 1}' },
    { turns: [] },
    { end: 'max_steps' },
    { asked: [] },
    { raised: 'X' },
  ]
  expect(tallyDialogues([one], [structuredClone(one)])).toMatchObject({ compared: 1, rewarded: 1, requests: 1, disagreements: [] })
  const theirs = changed.map((change) => ({ ...one, ...change }))
  expect(tallyDialogues(changed.map(() => one), theirs).disagreements).toEqual(changed.map((_, index) => index)) // biome-ignore format: two lists
  expect(() => tallyDialogues([one], [])).toThrow('0 results')
})
