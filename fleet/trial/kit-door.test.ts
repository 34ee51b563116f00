import { expect, onTestFinished, test } from 'vitest'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { noTrialLimits } from '#shared/contract/trial-limits.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { relayHost } from '../door/testing/relay-host.ts'
import { createKit } from './create-kit.ts'
import { noResources } from './resources.ts'
import { modelOf, usage } from './testing/model-of.ts'

const agent = { command: 'x', install: null }
const lease = { ordinal: 0, attempt: 1, benchmark: 'alpha', item_id: '0', epoch: 0 }

async function openKit(replies: Parameters<typeof modelOf>, changes: Partial<PlannedBenchmark> = {}) {
  const model = modelOf(...replies)
  const planned = { ...testSpec().benchmarks[0]!, agent, ...changes }
  const open = createKit({
    ...{ lease, planned, model, helpers: {}, price: null, first: [] },
    ...{ signal: new AbortController().signal, resources: { ...noResources, tested: 'org/tested' } },
  })
  onTestFinished(() => open.close())
  const door = await open.kit.openDoor(relayHost('python'), null)
  if (!door.ok) throw new Error(door.failure.detail)
  const post = (content: string) =>
    fetch(`${door.value.base_url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${door.value.token}` },
      body: JSON.stringify({ model: 'org/tested', temperature: 0.3, messages: [{ role: 'user', content }] }),
    })
  return { ...open, model, door: door.value, planned, post }
}

test('[KIT37] what comes through a door is asked with the plan’s parameters, counted and recorded as what the solver asks', async () => {
  const { kit, model, planned, post, spending, transcript } = await openKit([said('one'), said('two')])
  expect(kit.agent).toEqual(agent)
  expect(await (await post('first')).json()).toMatchObject({ choices: [{ message: { content: 'one' } }] })
  await post('second')
  expect(model.asked.map(({ params, messages }) => [params, messages.map(({ content }) => content)])).toEqual([
    [planned.params, ['first']],
    [planned.params, ['second']],
  ])
  expect(spending.of('model')).toMatchObject({ calls: 2, usage: { input_tokens: 2 * usage.input_tokens } })
  expect(transcript.steps).toMatchObject([
    { type: 'note', text: expect.stringContaining('temperature of its own') },
    { type: 'model_call', role: 'model', messages: [{ content: 'first' }], reply: { text: 'one' } },
    { type: 'model_call', reply: { text: 'two' } },
  ])
})

test('[KIT37] limits of the trial hold behind a door, and each door has a token of its own', async () => {
  const { kit, post, door, transcript } = await openKit([said('one')], { trial_limits: { ...noTrialLimits, turns: 1 } })
  await post('first')
  expect((await post('second')).status).toBe(429)
  expect([kit.limit(), transcript.steps.at(-1)]).toMatchObject([{ limit: 'turns', most: 1 }, { type: 'limit' }])
  const other = await kit.openDoor(relayHost('python'), null)
  expect(other.ok && other.value.token !== door.token).toBe(true)
})

test('[KIT37] a door is closed with the trial, whatever the solver did; its address is nothing any more', async () => {
  const { close, post, model } = await openKit([new Promise<never>(() => undefined)])
  const waiting = post('hi').then(
    () => 'answered',
    () => 'cut',
  )
  await expect.poll(() => model.asked.length).toBe(1)
  await close()
  expect(await waiting).toBe('cut')
  await expect(post('late')).rejects.toThrow()
})
