import { reset } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { LiveMessage } from '#shared/contract/live.ts'
import { dial, greeted, hello, specOf, stubOf } from './testing/agent-socket.ts'

// No object, alarm or socket of one test lives on beside the next, or beyond the last.
afterEach(() => reset())

/** The stream of one trial, message by message; null at its end. */
async function watch(id: string, item_id: string) {
  const response = await stubOf(id).fetch(`http://edge/api/runs/${id}/live?benchmark=alpha&item_id=${item_id}&epoch=0`)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<LiveMessage | null> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        text = text.slice(end + 2)
        if (data) return LiveMessage.parse(JSON.parse(data))
        continue
      }
      const { done, value } = await reader!.read()
      if (done) return null
      text += value
    }
  }
  return { status: response.status, next, close: () => reader!.cancel() }
}

test('[LIVE7] a page that watches a trial reads the answer as its agent has it, then that it has ended', async () => {
  const id = '00000000-0000-4000-8000-0000000000c1'
  await stubOf(id).create(specOf(id))
  const agent = await greeted(id)
  agent.say({ type: 'claim', ask: 1, count: 2 })
  const { leases } = await agent.until('leases')
  expect(await stubOf(id).underWay()).toMatchObject({ total: 2, trials: leases.map(({ item_id, attempt }) => ({ item_id, attempt })) })
  const viewer = await watch(id, leases[1]!.item_id)
  expect(await viewer.next()).toEqual({ type: 'waiting', why: 'not-begun' })
  const { trials } = await agent.until('watch')
  expect(trials).toEqual([{ ordinal: 1, attempt: 1, watch: expect.any(Number) }])
  const tell = (from_start: boolean, from: number, text: string) =>
    agent.say({
      type: 'live',
      watch: trials[0]!.watch,
      from_start,
      entries: [{ type: 'delta', call: 1, role: 'model', part: 'text', from, text }],
    })
  tell(true, 0, 'It')
  expect(await viewer.next()).toMatchObject({ type: 'reset', attempt: 1 })
  tell(false, 2, ' is A.')
  expect(await viewer.next()).toMatchObject({ type: 'entries', entries: [{ from: 2, text: ' is A.' }] })
  const second = await watch(id, leases[1]!.item_id)
  expect(await second.next()).toMatchObject({ type: 'reset', entries: [{ text: '' }, { text: 'It is A.' }] })
  expect(JSON.stringify(await stubOf(id).head())).not.toContain('It is')
  await stubOf(id).command({ type: 'cancel' })
  for (const one of [viewer, second]) expect([await one.next(), await one.next()]).toEqual([{ type: 'done' }, null])
  const late = await watch(id, leases[1]!.item_id)
  expect([await late.next(), await late.next()]).toEqual([{ type: 'done' }, null])
})

test('[LIVE7] an agent that comes back is told what is watched, and one that a viewer has left tells no more', async () => {
  const id = '00000000-0000-4000-8000-0000000000c2'
  await stubOf(id).create(specOf(id))
  const agent = await greeted(id)
  agent.say({ type: 'claim', ask: 2, count: 1 })
  const { leases } = await agent.until('leases')
  const viewer = await watch(id, leases[0]!.item_id)
  const first = (await agent.until('watch')).trials[0]!
  const again = await dial(id)
  again.say(hello('session-1', [[0, 1]]))
  await again.until('welcome')
  const next = (await again.until('watch')).trials[0]!
  expect(next.watch).toBeGreaterThan(first.watch)
  await viewer.close()
  const tell = () => again.say({ type: 'live', watch: next.watch, from_start: true, entries: [] })
  for (tell(); (await again.until('watch')).trials.length > 0; tell());
  expect((await watch(id, 'none')).status).toBe(404)
})
