import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModelClient, defaultTimeouts } from './model-client.ts'

const callers = 'cpk_0a1b2c3d.4e5f6a7b.SecretOfTheCaller'
const agents = 'sk-agent-own-9f8e7d6c5b4a'
const token = 'agent-token-of-the-fleet-77'
const secrets = [callers, agents, token]
const base64 = (text: string) => Buffer.from(text).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const percent = (text: string) => [...text].map((char) => `%${hex(char)}`).join('')
const escaped = (text: string) => [...text].map((char) => `\\u00${hex(char)}`).join('')
const entities = (text: string) => [...text].map((char) => `&#${char.charCodeAt(0)};`).join('')
const reversed = (text: string) => [...text].reverse().join('')
const forms = [
  String,
  base64,
  (text: string) => base64(`x${text}`),
  hex,
  (text: string) => hex(text).toUpperCase(),
  percent,
  escaped,
  entities,
  reversed,
]
const all = secrets.flatMap((secret) => forms.map((form) => form(secret)))

type Reply = { status: number; headers?: Record<string, string>; chunks: string[]; cut?: boolean }
let reply: Reply
const server = createServer((request, response) => {
  request.resume()
  request.on('end', async () => {
    response.writeHead(reply.status, reply.headers)
    for (const chunk of reply.chunks) await new Promise<unknown>((sent) => response.write(chunk, sent))
    if (reply.cut) response.destroy()
    else response.end()
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
async function ask(given: Reply) {
  reply = given
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  const client = createModelClient({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: callers,
    model: 'm',
    kind: 'openai',
    connections: 1,
    timeouts: defaultTimeouts,
    secrets: [agents, token],
  })
  const result = await client.call({ messages: [{ role: 'user', content: 'x' }], params }, null)
  await client.close()
  return result
}
/** Nothing of the result, as it is and as JSON says it, holds a secret in any form. */
function expectClean(result: unknown): void {
  const text = JSON.stringify(result)
  for (const hidden of all)
    for (const written of [hidden, JSON.stringify(hidden).slice(1, -1)]) expect(text).not.toContain(written.slice(2, -2))
}
const chunk = (delta: object, more: object = {}) => `data: ${JSON.stringify({ choices: [{ delta, ...more }] })}\n\n`
const done = 'data: [DONE]\n\n'

test('[SEC12] no field of an answer carries on a key, in whatever form, and the answer says that one was there', async () => {
  for (const hidden of all) {
    const said = `I was sent ${hidden} here`
    const head = { model: said, system_fingerprint: said }
    const message = { content: said, reasoning_content: said, tool_calls: [{ id: said, function: { name: said, arguments: said } }] }
    const body = JSON.stringify({ ...head, choices: [{ message, finish_reason: said }] })
    const result = await ask({ status: 200, chunks: [body] })
    expectClean(result)
    expect(result).toMatchObject({
      ok: true,
      value: { text: expect.stringMatching(/^I was sent \S{0,4}\[redacted\]\S{0,4} here$/), redacted: true },
    })
  }
})

test('[SEC12] a key that comes in pieces, a character a chunk, is found', async () => {
  for (const hidden of all) {
    const chunks = [...`so ${hidden} it is`].map((char) => chunk({ content: char, reasoning_content: char }))
    const result = await ask({ status: 200, chunks: [...chunks, chunk({}, { finish_reason: 'stop' }), done] })
    expectClean(result)
    expect(result).toMatchObject({ ok: true, value: { text: expect.stringMatching(/^so \S{0,4}\[redacted\]\S{0,4} it is$/) } })
  }
})

test('[SEC12] errors of every kind hold none: statuses, headers, error objects, broken and cut replies, also where a text is cut', async () => {
  const quoted = all.join(' | ')
  const replies: Reply[] = [
    ...[400, 401, 402, 403, 404, 422, 429, 500, 503].map((status) => ({
      status,
      chunks: [JSON.stringify({ error: { message: quoted } })],
    })),
    { status: 403, chunks: [quoted] },
    { status: 500, headers: { 'x-key': callers, 'retry-after': callers }, chunks: [`${' '.repeat(65_500)}${quoted}`] },
    { status: 500, chunks: [`${' '.repeat(65_520)}${callers}`] },
    { status: 200, chunks: [`data: {"error":${JSON.stringify(quoted)}}\n\n`] },
    { status: 200, chunks: [`data: ${quoted}\n\n`, done] },
    { status: 200, chunks: [`data: ${' '.repeat(190)}${callers}\n\n`, done] },
    { status: 200, chunks: [`<html>${quoted}</html>`] },
    { status: 200, chunks: [chunk({ content: quoted })], cut: true },
    { status: 302, headers: { location: `http://127.0.0.1:1/${callers}` }, chunks: [quoted] },
  ]
  for (const given of replies) {
    const result = await ask(given)
    expect(result.ok).toBe(false)
    expectClean(result)
  }
})

test('[SEC11] an answer without a key keeps every character', async () => {
  const text = 'A key? \\u0063 %63 &#99; sk-… 😀 “x”\t\r\n'
  const result = await ask({ status: 200, chunks: [chunk({ content: text }, { finish_reason: 'stop' }), done] })
  expect(result).toMatchObject({ ok: true, value: { text } })
  expect(result.ok && 'redacted' in result.value).toBe(false)
})
