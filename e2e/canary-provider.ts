import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { preflightTexts } from '#fleet/preflight.ts'

const hex = (text: string): string => Buffer.from(text).toString('hex')
const each = (text: string, form: (code: number) => string): string => [...Buffer.from(text)].map(form).join('')
const two = (code: number): string => code.toString(16).padStart(2, '0')

/** A secret in every form that a provider may give it. */
export function formsOf(secret: string): string[] {
  const base64 = ['', 'x', 'xy'].map((before) => Buffer.from(before + secret).toString('base64'))
  const reversed = [...secret].reverse().join('')
  const spelled = [
    each(secret, (code) => `%${two(code)}`),
    each(secret, (code) => `\\u00${two(code)}`),
    each(secret, (code) => `&#${code};`),
    each(secret, (code) => `&#x${two(code)};`),
  ]
  return [secret, reversed, hex(secret), hex(secret).toUpperCase(), ...base64, Buffer.from(secret).toString('base64url'), ...spelled]
}

/** The ways to fail, by the name of the model that is asked. */
const statuses: Record<string, number> = { e400: 400, e401: 401, e402: 402, e403: 403, e404: 404, e429: 429, e500: 500 }
export const models = [
  'echo',
  ...Object.keys(statuses),
  'cut',
  'html',
  'wrong',
  'error-object',
  'filtered',
  'judge-babbles',
  'judge-403',
  'judge-echo',
]

export type CanaryProvider = { url: string; catalogue: string; hub: string; close(): Promise<void> }

/**
 * A provider that repeats whatever it was sent and all that it could know, in every field that it fills: the bearer of the request, the
 * `secrets` and the prompt. It is its own catalogue of Chutes too,
 * with one model `echo`, and a hub of data sets that gives none.
 */
export async function startCanaryProvider(secrets: readonly string[]): Promise<CanaryProvider> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => answer(request, response, body, secrets))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  const origin = `http://127.0.0.1:${port}`
  return { url: `${origin}/v1`, catalogue: origin, hub: origin, close }
}

function answer(request: IncomingMessage, response: ServerResponse, body: string, secrets: readonly string[]): void {
  const bearer = (request.headers.authorization ?? '').replace('Bearer ', '')
  if (request.url?.startsWith('/datasets/')) return refuseData(request.url, response, keysAsWords(bearer, secrets))
  if (request.method === 'GET') return void response.end(JSON.stringify(catalogueAt(request.url ?? '')))
  const asked = JSON.parse(body) as { model: string; messages: { content: unknown }[] }
  const prompt = asked.messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n')
  const words = `You said: ${prompt} ${keysAsWords(bearer, secrets)}`
  // But for one of them, who refuses does so with the first trial, so that an item is quoted.
  const looked = Object.values(preflightTexts).some((one) => prompt.includes(one)) && asked.model !== 'e402'
  const status = looked ? 200 : (statuses[asked.model] ?? (asked.model === 'judge-403' ? 403 : 200))
  response.writeHead(status, { 'content-type': 'text/event-stream', 'x-key': bearer, server: `box ${bearer}` })
  if (status !== 200) return void response.end(JSON.stringify({ error: { message: words, type: words, code: words } }))
  switch (asked.model) {
    case 'html':
      return void response.end(`<html>${words}</html>`)
    case 'wrong':
      return void response.end(`data: ${JSON.stringify({ choices: words })}\n\ndata: [DONE]\n\n`)
    case 'error-object':
      return void response.end(`data: ${JSON.stringify({ error: { message: words } })}\n\n`)
    case 'cut':
      response.write(chunk({ content: words }))
      return void setImmediate(() => response.destroy())
    case 'filtered':
      return void response.end(`${chunk({ content: words }, { finish_reason: 'content_filter' })}data: [DONE]\n\n`)
    default:
      return void stream(response, asked.model === 'judge-echo' ? verdictOf(words) : `${words}\nAnswer: A`, words)
  }
}

const keysAsWords = (bearer: string, secrets: readonly string[]): string =>
  `KEYS ${[...new Set([bearer, ...secrets])].flatMap(formsOf).join(' ')} END`

/** A hub of data sets that refuses by name, sends elsewhere, or breaks, and repeats what it knows in status line, headers, address and body. */
function refuseData(path: string, response: ServerResponse, words: string): void {
  const short = words.slice(0, 3000)
  const headers = { 'x-error-message': short, 'x-error-code': short, 'x-repo-commit': short }
  if (path.includes('gpqa')) response.writeHead(403, short, headers)
  else if (path.includes('elsewhere')) response.writeHead(404, short, headers)
  else response.writeHead(302, short, { ...headers, location: `/datasets/elsewhere?${encodeURIComponent(short)}` })
  response.end(words)
}

/** A verdict in the form that Humanity's Last Exam asks for. */
const verdictOf = (words: string): string =>
  JSON.stringify({ extracted_final_answer: words, reasoning: words, correct: 'yes', confidence: 50, strict: true })

const chunk = (delta: object, more: object = {}, top: object = {}): string =>
  `data: ${JSON.stringify({ ...top, choices: [{ delta, ...more }] })}\n\n`

/** The whole of it in small pieces, so that every secret lies over chunks; names, reasoning and tool calls say the same. */
function stream(response: ServerResponse, text: string, words: string): void {
  const pieces = text.match(/.{1,7}/gs) ?? []
  for (const piece of pieces) response.write(chunk({ content: piece, reasoning_content: piece }))
  response.write(chunk({ tool_calls: [{ index: 0, id: words, function: { name: words, arguments: words } }] }))
  const usage = { prompt_tokens: 10, completion_tokens: 5 }
  response.end(`${chunk({}, { finish_reason: `stop ${words}` }, { model: words, system_fingerprint: words, usage })}data: [DONE]\n\n`)
}

function catalogueAt(path: string): object {
  const price = { per_million_tokens: { input: { usd: 1 }, output: { usd: 1 } } }
  if (path.includes('/chutes/'))
    return {
      total: 1,
      items: [
        { chute_id: 'echo-chute', name: 'chutes/echo', public: true, hot: true, standard_template: 'vllm', current_estimated_price: price },
      ],
    }
  if (path.endsWith('/models')) return { data: [{ id: 'chutes/echo', chute_id: 'echo-chute', pricing: { prompt: 1, completion: 1 } }] }
  return { user_id: 'somebody', username: 'somebody' }
}
