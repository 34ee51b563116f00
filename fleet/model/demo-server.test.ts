import { expect, test } from 'vitest'
import { demoText, planDemo } from './demo-reply.ts'
import { demoModelId, startDemoModel } from './demo-server.ts'
import { createModelClient, defaultTimeouts } from './model-client.ts'

const answers = { right: 'The answer is (B).', wrong: 'The answer is (C).' }
const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }

test('[MODEL22] the demo model is right on about 70 % of the known items, always the same, with a rationale before the answer', () => {
  const texts = Array.from({ length: 2000 }, (_, item) => demoText(`question ${item}`, answers))
  expect(texts).toEqual(Array.from({ length: 2000 }, (_, item) => demoText(`question ${item}`, answers)))
  const right = texts.filter((text) => text.endsWith(answers.right)).length
  expect(right).toBeGreaterThan(1320)
  expect(right).toBeLessThan(1480)
  expect(texts.every((text) => text.length > 60 && (text.endsWith(answers.right) || text.endsWith(answers.wrong)))).toBe(true)
})

test('[MODEL22] it says that it does not know what it was given no answer for', () => {
  expect(demoText('unknown', undefined)).toContain('I do not know')
})

test('[MODEL22] its pieces make up the text exactly, within the time asked for, and a token limit cuts them', () => {
  const text = demoText('q', { right: 'x\n  ```code```\n y', wrong: 'x\n  ```code```\n y' })
  const plan = planDemo('q', text, 900, null)
  expect(plan.chunks.join('')).toBe(text)
  expect(plan.first_ms + plan.pause_ms * plan.chunks.length).toBeLessThanOrEqual(900 * 1.4)
  expect(planDemo('q', text, 900, 3)).toMatchObject({ chunks: plan.chunks.slice(0, 3), finish_reason: 'length', output_tokens: 3 })
})

test('[MODEL22] it speaks the protocol on loopback: models, streamed and whole answers, refusals', async () => {
  const demo = await startDemoModel({ port: 0, latencyMs: 0, answerFor: (prompt) => (prompt === 'known' ? answers : undefined) })
  const client = createModelClient({
    baseUrl: demo.url,
    apiKey: null,
    model: demoModelId,
    kind: 'demo',
    connections: 2,
    timeouts: defaultTimeouts,
  })
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'known' },
  ]
  const streamed = await client.call({ messages, params }, null)
  expect(streamed).toMatchObject({
    ok: true,
    value: { text: demoText('known', answers), finish_reason: 'stop', usage_known: true, model_reported: demoModelId },
  })
  expect(await client.call({ messages, params: { ...params, max_tokens: 2 } }, null)).toMatchObject({
    ok: true,
    value: { finish_reason: 'length' },
  })
  const post = (body: string) => fetch(`${demo.url}/chat/completions`, { method: 'POST', body })
  const whole = await (await post(JSON.stringify({ messages: [{ role: 'user', content: 'unknown' }] }))).json()
  expect(whole).toMatchObject({ object: 'chat.completion', choices: [{ message: { content: demoText('unknown', undefined) } }] })
  expect((await post('{"messages":[]}')).status).toBe(400)
  expect((await post('nonsense')).status).toBe(400)
  expect((await fetch(`${demo.url}/nowhere`)).status).toBe(404)
  expect(await (await fetch(`${demo.url}/models`)).json()).toMatchObject({ data: [{ id: demoModelId }] })
  await client.close()
  await demo.close()
})

test('[MODEL63] it reads the texts of content parts, and replies word by word where it judges', async () => {
  const heard: string[] = []
  const answerFor = (prompt: string) => {
    heard.push(prompt)
    return { reply: '{"correct": "yes"}' }
  }
  const demo = await startDemoModel({ port: 0, latencyMs: 0, answerFor })
  const client = createModelClient({
    baseUrl: demo.url,
    apiKey: null,
    model: demoModelId,
    kind: 'demo',
    connections: 1,
    timeouts: defaultTimeouts,
  })
  const picture = { media_type: 'image/png', sha256: 'a'.repeat(64), bytes: 3, data: 'data:image/png;base64,AAAA' }
  const messages = [{ role: 'user' as const, content: 'What is shown?', pictures: [picture] }]
  expect(await client.call({ messages, params }, null)).toMatchObject({ ok: true, value: { text: '{"correct": "yes"}' } })
  expect(heard).toEqual(['What is shown?'])
  await client.close()
  await demo.close()
})
