import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type HeldModel = { key: string; type?: 'llm' | 'vlm' | 'embedding'; window?: number; levels?: string[] }
type Options = {
  /** What it has calls for: since 0.4 loading and unloading, since 0.3 a list that tells what is loaded, before that OpenAI's protocol alone. */
  version?: '0.2' | '0.3' | '0.4'
  models?: HeldModel[]
  loaded?: string[]
  /** Whether a question loads the model it is for, in place of the one that was loaded so before; otherwise whatever is loaded answers. */
  jit?: boolean
  /** How many models fit into memory. */
  room?: number
  token?: string
  /** The name by which it calls every model it answers with. */
  callsItself?: string
  /** Before which answer, counted from 0, somebody loads this model in place of all others. */
  replaced?: { before: number; by: string }
}
type Body = { model?: string; instance_id?: string; stream?: boolean }
type Answer = { status?: number; json: unknown }

const text = (answer: string) => ({ status: 200, json: { error: answer } })
const refusal = (status: number, type: string, message: string): Answer => ({ status, json: { error: { type, message } } })

/**
 * A server that behaves as LM Studio's documentation and its users' reports say that it does: native lists of two versions, calls to load and
 * unload, loading on demand, and status 200 for addresses that it does not know. For tests, on loopback; `asked` is all that it was sent.
 */
export async function openLmStudio(options: Options = {}) {
  const { version = '0.4', jit = true, room = 2, token, callsItself, replaced } = options
  const models = options.models ?? [{ key: 'qwen/qwen3-4b' }, { key: 'lab/other' }, { key: 'text-embedding-nomic', type: 'embedding' }]
  const memory = new Map((options.loaded ?? []).map((key) => [key, 'call' as 'call' | 'question']))
  const asked: string[] = []

  /** Somebody loads another model there. */
  const replaceWith = (key: string): void => {
    memory.clear()
    memory.set(key, 'call')
  }
  const load = (key: string, by: 'call' | 'question'): Answer | null => {
    if (by === 'question') for (const [other, how] of memory) if (how === 'question') memory.delete(other)
    if (memory.size >= room) return refusal(500, 'model_load_failed', 'Failed to load model: not enough memory.')
    memory.set(key, by)
    return null
  }
  const native = (): Answer => ({
    json: {
      models: models.map(({ key, type = 'llm', window = 32_768, levels }) => ({
        ...{
          type,
          publisher: 'lab',
          key,
          display_name: key,
          size_bytes: 1,
          params_string: '4B',
          max_context_length: window,
          format: 'gguf',
        },
        loaded_instances: memory.has(key) ? [{ id: key, config: { context_length: 8192 } }] : [],
        ...(type === 'llm' && {
          capabilities: {
            vision: false,
            trained_for_tool_use: true,
            ...(levels && { reasoning: { allowed_options: levels, default: levels.at(-1) } }),
          },
        }),
      })),
    },
  })
  const former = (): Answer => ({
    json: {
      object: 'list',
      data: models.map(({ key, type = 'llm', window = 32_768 }) => ({
        ...{
          id: key,
          object: 'model',
          type: type === 'embedding' ? 'embeddings' : type,
          publisher: 'lab',
          arch: 'qwen3',
          quantization: 'Q4_K_M',
        },
        ...{ state: memory.has(key) ? 'loaded' : 'not-loaded', max_context_length: window },
        ...(memory.has(key) && { loaded_context_length: 8192 }),
      })),
    },
  })
  const calls: Record<string, (body: Body) => Answer> = {
    'GET /v1/models': () => ({
      json: { object: 'list', data: models.map(({ key }) => ({ id: key, object: 'model', owned_by: 'organization_owner' })) },
    }),
    ...(version !== '0.2' && { 'GET /api/v0/models': former }),
    ...(version === '0.4' && {
      'GET /api/v1/models': native,
      'POST /api/v1/models/load': ({ model = '' }) => {
        if (!models.some(({ key }) => key === model)) return refusal(404, 'model_not_found', `Model ${model} not found.`)
        return load(model, 'call') ?? { json: { type: 'llm', instance_id: model, load_time_seconds: 0.1, status: 'loaded' } }
      },
      'POST /api/v1/models/unload': ({ instance_id = '' }) =>
        memory.delete(instance_id) ? { json: { instance_id } } : refusal(404, 'model_not_found', `No model ${instance_id} is loaded.`),
    }),
  }
  /** The model that answers, or why none does. */
  const answering = (model: string): string | Answer => {
    if (memory.has(model)) return model
    const [any] = memory.keys()
    if (!jit) return any ?? refusal(404, 'model_not_found', 'No models loaded. Load one first.')
    if (!models.some(({ key }) => key === model)) return refusal(404, 'model_not_found', `Model ${model} not found.`)
    return load(model, 'question') ?? model
  }
  const server = createServer(async (request, response) => {
    const call = `${request.method} ${request.url}`
    const body = await readBody(request)
    asked.push(call)
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
      return send(response, refusal(401, 'invalid_api_key', 'An LM Studio API token is required.'))
    if (call !== 'POST /v1/chat/completions')
      return send(response, calls[call]?.(body) ?? text(`Unexpected endpoint or method. (${call}). Returning 200 anyway`))
    if (replaced && asked.filter((one) => one === call).length === replaced.before + 1) replaceWith(replaced.by)
    const model = answering(body.model ?? '')
    if (typeof model !== 'string') return send(response, model)
    sendAnswer(response, callsItself ?? model, body.stream === true)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a listening TCP server has an address record
  return {
    root,
    base_url: `${root}/v1`,
    asked,
    /** Keys of the models in memory. */
    loaded: () => [...memory.keys()],
    replaceWith,
    async [Symbol.asyncDispose](): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Body> {
  let sent = ''
  for await (const chunk of request.setEncoding('utf8')) sent += chunk
  return sent === '' ? {} : (JSON.parse(sent) as Body) // tests send it
}

function send(response: ServerResponse, { status = 200, json }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

function sendAnswer(response: ServerResponse, model: string, stream: boolean): void {
  const [content, usage] = ['The answer is (A).', { prompt_tokens: 9, completion_tokens: 5 }]
  if (!stream)
    return send(response, { json: { model, choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }], usage } })
  const chunks = [
    { model, choices: [{ delta: { content } }] },
    { model, choices: [{ delta: {}, finish_reason: 'stop' }], usage },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`)
}
