import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'

const Chat = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })).min(1),
  tools: z.array(z.unknown()).optional(),
})
type Chat = z.infer<typeof Chat>
type Message = Chat['messages'][number]

/** What a role says: text, said in so many pieces with a pause between, or the call of a tool. */
type Said = { text: string; pieces?: number; pause_ms?: number; place?: number }

const numbers = (messages: readonly Message[]): number[] =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => Number(content))

/** The tested model looks one number up a turn and adds them up; the last answer comes slowly, so that somebody may watch it come. */
function model({ messages, tools }: Chat, slow: boolean): Said {
  const found = numbers(messages)
  if (tools) return { text: `I look place ${found.length} up.`, place: found.length }
  const sum = found.reduce((all, one) => all + one, 0)
  return {
    text: `All ${found.length} numbers were looked up, one after the other. Their sum is ${sum}`,
    ...(slow && { pieces: 40, pause_ms: 100 }),
  }
}

/** Works at a terminal: sleeps there as long as it is told to, else does what the task asks for and says that it is done. */
const worker = (sleep: string, duration: number): Said => ({
  text: JSON.stringify({
    ...{ analysis: 'The file is not there.', plan: 'Write it.', task_complete: sleep === '0' },
    commands: [sleep === '0' ? { keystrokes: 'echo hello > /app/out.txt\n', duration: 0.1 } : { keystrokes: `sleep ${sleep}\n`, duration }],
  }),
})

const roles: Record<string, (chat: Chat, slow: boolean) => Said> = {
  'scripted-model': model,
  'scripted-user': ({ messages }) => ({ text: `Thank you. Now place ${messages.length / 2}, or the sum.` }),
  'scripted-judge'({ messages }) {
    const [, expected, candidate] = /Reference: (\d+)\. Candidate: .*?(\d+)\. CORRECT/s.exec(messages[0]?.content ?? '') ?? []
    return { text: expected === candidate ? 'CORRECT' : 'INCORRECT' }
  },
}

export type ModelServer = {
  url: string
  /** Tokens of the requests that were answered to their end, by model. */
  billed: Map<string, number>
  /** Whether last answers come slowly. */
  slow: boolean
  /** What the sleeper says and how long the worker sleeps, in seconds. */
  sleep: string
  /** Seconds that the worker waits for its command before it asks the model again. */
  wait: number
  close(): Promise<void>
}

/** The models of the scripted benchmarks on loopback, as an OpenAI-compatible server that streams. */
export async function startModelServer(): Promise<ModelServer> {
  const billed = new Map<string, number>()
  const self: ModelServer = { url: '', billed, slow: false, sleep: '0', wait: 60, close: async () => undefined }
  const server = createServer((req, res) => {
    if (req.method !== 'POST') return void res.writeHead(404).end()
    void json(req).then(async (body) => {
      const chat = Chat.parse(body)
      const sleepers: typeof roles = {
        'scripted-sleeper': () => ({ text: self.sleep }),
        'scripted-worker': () => worker(self.sleep, self.wait),
      }
      const say = sleepers[chat.model] ?? roles[chat.model]
      if (!say) return void res.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such model"}}')
      const tokens = await stream(res, chat, say(chat, self.slow))
      billed.set(chat.model, (billed.get(chat.model) ?? 0) + tokens)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` // a listening TCP server has an address record
  self.close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return self
}

/** Sends an answer and gives the tokens that it and its prompt are billed for. */
async function stream(res: ServerResponse, chat: Chat, { text, pieces = 1, pause_ms = 0, place }: Said): Promise<number> {
  const send = (value: object): boolean => res.write(`data: ${JSON.stringify({ id: 'c', model: chat.model, ...value })}\n\n`)
  const delta = (fields: object, finish_reason: string | null = null) => send({ choices: [{ index: 0, delta: fields, finish_reason }] })
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const size = Math.ceil(text.length / pieces)
  for (let at = 0; at < text.length; at += size) {
    delta({ content: text.slice(at, at + size) })
    if (pause_ms > 0) await delay(pause_ms)
  }
  const call = { index: 0, id: `call-${place}`, type: 'function', function: { name: 'look_up', arguments: JSON.stringify({ place }) } }
  if (place !== undefined) delta({ tool_calls: [call] })
  delta({}, place === undefined ? 'stop' : 'tool_calls')
  const prompt_tokens = Math.ceil(chat.messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0) / 4)
  const completion_tokens = Math.max(1, Math.ceil(text.length / 4)) // a call of a tool takes tokens too
  send({ choices: [], usage: { prompt_tokens, completion_tokens } })
  res.end('data: [DONE]\n\n')
  return prompt_tokens + completion_tokens
}
