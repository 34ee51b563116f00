import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { type DemoAnswers, type DemoPlan, type DemoReply, type DemoTalk, demoText, planDemo } from './demo-reply.ts'

export type DemoModel = { port: number; url: string; close(): Promise<void> }

type MaybeKnown = DemoAnswers | DemoReply | DemoTalk | undefined

export const demoModelId = 'demo-model'

const Part = z.object({ type: z.string(), text: z.string().default(''), image_url: z.object({ url: z.string() }).optional() })
/** A message's text, of content parts the texts, and its pictures, which the demo model knows again and does not look at. */
const Content = z
  .union([z.string(), z.null().transform(() => ''), z.array(Part)])
  .transform((content) =>
    typeof content === 'string'
      ? { content, pictures: [] }
      : { content: content.map((part) => part.text).join(''), pictures: content.flatMap((part) => part.image_url?.url ?? []) },
  )

const ChatRequest = z.object({
  model: z.string().default(demoModelId),
  messages: z
    .array(
      z
        .object({ role: z.string(), content: Content.default({ content: '', pictures: [] }) })
        .transform(({ role, content }) => ({ role, ...content })),
    )
    .min(1),
  stream: z.boolean().default(false),
  max_tokens: z.int().min(1).nullish(),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
})
type ChatRequest = z.infer<typeof ChatRequest>
/** A message as the demo model sees it. */
export type DemoMessage = ChatRequest['messages'][number]
type Calls = readonly object[]

export type DemoModelOptions = {
  port: number
  answerFor: (promptText: string, messages: readonly DemoMessage[], tools: readonly string[]) => MaybeKnown | Promise<MaybeKnown>
  latencyMs?: number
}

/**
 * The demo model for a first run without any key: an OpenAI-compatible server on loopback that answers about 70 % of the items rightly,
 * always the same ones. `answerFor` gets the text of the last user message, all messages and the names of the tools, and may look for its answer first; `latencyMs` is the mean time of a whole answer.
 */
export async function startDemoModel(options: DemoModelOptions): Promise<DemoModel> {
  const { latencyMs = 600 } = options
  let newCall = 0
  const chat = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const request = ChatRequest.safeParse(await readJson(req))
    if (!request.success) return sendJson(res, 400, { error: { message: 'not a chat completion request', code: 'invalid_request' } })
    const prompt = request.data.messages.findLast((message) => message.role === 'user')?.content ?? ''
    const tools = (request.data.tools ?? []).map((tool) => tool.function.name)
    const known = await options.answerFor(prompt, request.data.messages, tools)
    const talk = known && 'turn' in known ? known.turn : null
    const text = talk ? talk.text : known && 'reply' in known ? known.reply : demoText(prompt, known as DemoAnswers | undefined)
    const plan = planDemo(prompt, text, latencyMs, request.data.max_tokens ?? null)
    const calls = (talk?.calls ?? []).map((call, index) => ({ index, id: `call_${newCall++}`, type: 'function', function: call }))
    if (request.data.stream) await streamAnswer(res, request.data, plan, calls)
    else await sendAnswer(res, request.data, plan, calls)
  }
  const server = createServer((req, res) => {
    if (req.method === 'POST' && req.url === '/v1/chat/completions') {
      chat(req, res).catch((error) => res.destroy(error))
    } else if (req.method === 'GET' && req.url === '/v1/models') {
      sendJson(res, 200, { object: 'list', data: [{ id: demoModelId, object: 'model', created: 0, owned_by: 'demo' }] })
    } else sendJson(res, 404, { error: { message: 'no such route', code: 'not_found' } })
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  return {
    port,
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size > 16 * 1024 * 1024) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

function usageOf(request: ChatRequest, plan: DemoPlan): object {
  const completion_tokens = Math.max(1, plan.output_tokens) // a call of a tool alone takes tokens too
  const words = request.messages.reduce((sum, message) => sum + message.content.split(/\s+/).length, 0)
  const prompt_tokens = Math.ceil(words * 1.3)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

const envelope = (request: ChatRequest, object: string): object => ({
  id: 'chatcmpl-demo',
  object,
  created: Math.floor(Date.now() / 1000),
  model: request.model,
  system_fingerprint: 'demo',
})

async function streamAnswer(res: ServerResponse, request: ChatRequest, plan: DemoPlan, calls: Calls): Promise<void> {
  const base = envelope(request, 'chat.completion.chunk')
  const send = (fields: object): boolean => res.write(`data: ${JSON.stringify({ ...base, ...fields })}\n\n`)
  const choice = (delta: object, finish_reason: string | null): object => ({ choices: [{ index: 0, delta, finish_reason }] })
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  send(choice({ role: 'assistant', content: '' }, null))
  if (plan.first_ms > 0) await delay(plan.first_ms)
  for (const content of plan.chunks) {
    if (res.destroyed) return
    send(choice({ content }, null))
    if (plan.pause_ms > 0) await delay(plan.pause_ms)
  }
  if (calls.length > 0) send(choice({ tool_calls: calls }, null))
  send(choice({}, calls.length > 0 ? 'tool_calls' : plan.finish_reason))
  send({ choices: [], usage: usageOf(request, plan) })
  res.end('data: [DONE]\n\n')
}

async function sendAnswer(res: ServerResponse, request: ChatRequest, plan: DemoPlan, calls: Calls): Promise<void> {
  const whole_ms = plan.first_ms + plan.pause_ms * plan.chunks.length
  if (whole_ms > 0) await delay(whole_ms)
  const called = calls.length > 0
  const message = { role: 'assistant', content: plan.chunks.join(''), ...(called && { tool_calls: calls }) }
  const choices = [{ index: 0, message, finish_reason: called ? 'tool_calls' : plan.finish_reason }]
  sendJson(res, 200, { ...envelope(request, 'chat.completion'), choices, usage: usageOf(request, plan) })
}

function sendJson(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(JSON.stringify(value))
}
