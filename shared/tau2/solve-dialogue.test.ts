import { expect, test } from 'vitest'
import type { DialogueEvidence } from '../contract/evidence/dialogue.ts'
import type { Item } from '../contract/item.ts'
import type { ToolCall } from '../contract/message.ts'
import type { Completion } from '../solvers/kit.ts'
import { said } from '../solvers/testing/said.ts'
import { type Script, scriptedKit, unsetParams } from '../solvers/testing/scripted-kit.ts'
import type { DialogueFacts } from './facts.ts'
import { scoreDialogue } from './score-dialogue.ts'
import { solveDialogue } from './solve-dialogue.ts'
import { lampDomain } from './testing/lamp-domain.ts'

const facts: DialogueFacts = {
  intent: 'lamp',
  persona: 'None',
  purpose: null,
  scenario: 'Your lamp is dark.',
  question: 'It is dark.',
  seed: 626729,
  begins: [],
  actions: [
    { party: 'assistant', name: 'power', args: '{"on": true}', compare: null },
    { party: 'user', name: 'switch', args: '{}', compare: null },
  ],
  assertions: [{ party: 'user', name: 'assert_lamp', args: '{"lamp": "on"}', value: true, message: null }],
  basis: ['ENV_ASSERTION', 'ACTION'],
}
const item: Item = {
  item_id: '0',
  source_id: 'lamp',
  item_hash: '',
  group: 'lamp',
  messages: [
    { role: 'system', content: 'You help.' },
    { role: 'assistant', content: 'Good day.' },
  ],
  target: 'every assertion holds',
  metadata: facts,
}
const call = (name: string | null, written: string, id: string | null = name): ToolCall => ({ id, name, arguments: written })
const calls = (tool_calls: ToolCall[], text = ''): Completion => ({ ...said(text), finish_reason: 'tool_calls', tool_calls })

async function play(
  model: Script,
  user: Script,
  options: { most?: { steps: number; errors: number }; domain?: ReturnType<typeof lampDomain> } = {},
) {
  const kit = scriptedKit({ model, user }, { user: { params: { ...unsetParams, temperature: 0 } } })
  const { most = { steps: 200, errors: 10 }, domain = lampDomain() } = options
  const solve = solveDialogue({ userSystem: (scenario) => `Be a user. ${scenario}`, most }, () => domain)
  return { kit, solved: await solve(item, kit) }
}
const evidenceIn = ({ solved }: Awaited<ReturnType<typeof play>>): DialogueEvidence => {
  if (!solved.ok) throw new Error(JSON.stringify(solved.failure))
  return solved.value
}

const power = calls([call('power', '{"on":true}', 'p')])
const happyModel = [power, 'Please switch it.', 'You are welcome.']
const happyUser = ['It is dark.', calls([call('switch', '{}', 's')]), 'It shines.', 'Thanks ###STOP###']

test('[TAU30] agent and user talk by turns from the fixed greeting on: each sees its own calls and the words of the other, tools and seed go with every request', async () => {
  const played = await play(happyModel, happyUser)
  const evidence = evidenceIn(played)
  const { model, user } = played.kit.asked
  expect(user.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`)).at(-1)).toEqual([
    'system: Be a user. Your lamp is dark.',
    'user: Good day.',
    'assistant: It is dark.',
    'user: Please switch it.',
    'assistant: ',
    'tool: the lamp is on',
    'assistant: It shines.',
    'user: You are welcome.',
  ])
  expect(model.at(-1)?.messages).toEqual([
    ...item.messages,
    { role: 'user', content: 'It is dark.' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'p', name: 'power', arguments: '{"on": true}' }] },
    { role: 'tool', content: 'true', tool_call_id: 'p' },
    { role: 'assistant', content: 'Please switch it.' },
    { role: 'user', content: 'It shines.' },
  ])
  expect([model[0]?.tools?.map(({ name }) => name), user[0]?.tools?.map(({ name }) => name)]).toEqual([
    ['power', 'look', 'transfer'],
    ['switch'],
  ])
  expect([...model, ...user].map(({ params }) => params?.seed)).toEqual(Array(7).fill(626729))
  expect(user[0]?.params?.temperature).toBe(0)
  expect(evidence).toMatchObject({ end: 'user-stop', steps: 9, errors: 0, text: 'You are welcome.', broken: [] })
  expect(evidence.turns.filter((turn) => turn.type === 'result').map(({ party, name, changes }) => [party, name, changes])).toEqual([
    ['assistant', 'power', [{ party: 'assistant', path: 'line.power', before: false, after: true }]],
    ['user', 'switch', [{ party: 'user', path: 'lamp', before: 'off', after: 'on' }]],
  ])
  expect(played.kit.notes).toEqual(['power true', 'switch the lamp is on'])
})

test('[TAU31] several calls of a message run in order and come back one by one; words beside calls reach nobody, and stop words beside calls end nothing', async () => {
  const both = calls([call('power', '{"on": true}', null), call('look', '{}', 'l')], 'I look.')
  const user = ['Dark.', calls([call('switch', '{}')], '###STOP###'), 'Bye ###TRANSFER###']
  const played = await play([both, 'Switch it.'], user)
  const evidence = evidenceIn(played)
  expect(played.kit.asked.model[1]?.messages.slice(-3)).toEqual([
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'call_2_0', name: 'power', arguments: '{"on": true}' },
        { id: 'l', name: 'look', arguments: '{}' },
      ],
    },
    { role: 'tool', content: 'true', tool_call_id: 'call_2_0' },
    { role: 'tool', content: '{"lamp":"off"}', tool_call_id: 'l' },
  ])
  expect(JSON.stringify(played.kit.asked.user)).not.toContain('I look.')
  expect(evidence).toMatchObject({ end: 'user-stop', steps: 7 })
  expect(scoreDialogue(item, evidence)).toMatchObject({ value: 1, outcome: 'right', answer: '1 of 1 assertions held', flags: [] })
})

test('[TAU32] a limit of steps or of failed calls ends a dialogue when the tools have answered, also one that the user has just ended, and nothing is evaluated then', async () => {
  const steps = evidenceIn(await play(happyModel, happyUser, { most: { steps: 9, errors: 10 } }))
  expect(steps).toMatchObject({ end: 'max-steps', steps: 9, assertions: null })
  const late = evidenceIn(await play(happyModel, happyUser, { most: { steps: 2, errors: 10 } }))
  expect([late.end, late.steps, late.turns.at(-1)]).toEqual(['max-steps', 3, expect.objectContaining({ name: 'power' })])
  const wrong = calls([call('switch', '{}'), call('nothing', '{}')])
  const errors = evidenceIn(await play([wrong, 'Well.'], ['Dark.', '###STOP###'], { most: { steps: 3, errors: 2 } }))
  expect(errors).toMatchObject({ end: 'too-many-errors', errors: 2 })
  expect(scoreDialogue(item, errors)).toMatchObject({ value: 0, answer: null, flags: ['too_many_errors'] })
  const limited = evidenceIn(await play(['Well.', { limit: { limit: 'turns', most: 1 } }], ['Dark.', 'So?']))
  expect(limited).toMatchObject({ end: 'limit', limit: { limit: 'turns', most: 1 }, text: 'Well.' })
  expect(scoreDialogue(item, limited)).toMatchObject({ value: 0, flags: ['limit'] })
})

test('[TAU33] what officially raises begins the dialogue anew in a fresh world, three times at most; then it is a failure of whoever broke it', async () => {
  const bad = calls([call('power', '{"on": true')])
  const mended = await play([power, bad, ...happyModel], [happyUser[0]!, ...happyUser])
  const evidence = evidenceIn(mended)
  expect(evidence.broken).toEqual(['by the agent: the arguments of power are no JSON object: {"on": true'])
  expect(evidence.turns.filter((turn) => turn.type === 'result')).toHaveLength(2)
  expect(scoreDialogue(item, evidence)).toMatchObject({ value: 1, flags: ['begun_anew'] })
  for (const broken of [bad, calls([call('power', '[]')]), calls([call(null, '{}')]), ' \n', '<think>no end'])
    expect(
      await play(
        () => broken,
        () => 'Dark.',
      ),
    ).toMatchObject({
      kit: { asked: { model: { length: 4 } } },
      solved: { ok: false, failure: { at: 'provider', reason: 'bad-response', retryable: false } },
    })
  expect((await play([], () => '')).solved).toMatchObject({ failure: { at: 'user', reason: 'unreadable' } })
  expect((await play([], [null])).solved).toMatchObject({ failure: { at: 'user', reason: 'overloaded', retryable: true } })
  expect((await play([], [], { domain: lampDomain({ dark: 9 }) })).solved).toMatchObject({ failure: { at: 'solver', reason: 'error' } })
  expect(evidenceIn(await play(happyModel, happyUser, { domain: lampDomain({ dark: 1 }) })).broken).toEqual([
    'by its world: the line was not found',
  ])
})

test('[TAU34] an evaluation replays in a fresh world what changed something; a call that answers otherwise then is an exception', async () => {
  const evidence = evidenceIn(await play(happyModel, happyUser))
  expect(evidence.assertions).toEqual([{ ...facts.assertions[0], held: true }])
  const flickering = await play(
    (request) => happyModel[request.messages.filter(({ role }) => role === 'assistant').length - 1],
    (request) => happyUser[request.messages.filter(({ role }) => role === 'assistant').length],
    {
      domain: lampDomain({ flicker: true }),
    },
  )
  expect(flickering.solved).toMatchObject({ failure: { at: 'solver', detail: expect.stringContaining('switch answered otherwise') } })
})

test('[TAU35] a reward is the product of its basis, from the evidence alone: assertions as replayed, wanted calls among those of both parties', async () => {
  const evidence = evidenceIn(await play(happyModel, happyUser))
  const scored = (change: Partial<DialogueFacts>, other: Partial<DialogueEvidence> = {}) =>
    scoreDialogue({ ...item, metadata: { ...facts, ...change } }, { ...evidence, ...other }).value
  const fallen = { assertions: [{ ...evidence.assertions![0]!, held: false }] }
  expect([scored({}), scored({}, fallen), scored({ basis: ['ACTION'] }, fallen), scored({}, { end: 'max-steps' })]).toEqual([1, 0, 1, 0])
  const action = (args: string, compare: string[] | null, name = 'power') =>
    scored({ basis: ['ACTION'], actions: [{ party: 'user', name, args, compare }] })
  expect([
    action('{"on": 1.0}', null),
    action('{"on": false}', null),
    action('{"on": false}', []),
    action('{"on": true, "x": 2}', null),
  ]).toEqual([1, 0, 1, 1])
  expect([action('{"on": true, "x": 2}', ['x']), action('{"a": 1}', null, 'switch'), action('{}', null, 'transfer')]).toEqual([0, 1, 0])
  expect(scoreDialogue({ ...item, metadata: { ...facts, actions: [{ ...facts.actions[0]!, name: 'transfer' }] } }, evidence)).toMatchObject(
    {
      outcome: 'wrong',
      explanation: '1 of 1 assertions held; nobody called transfer.',
      detail: { intent: 'lamp', persona: 'None', end: 'user-stop', steps: 9, errors: 0, actions_matched: 0, actions: 1 },
    },
  )
})
