import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { exampleSpec } from '#db/example-run.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import type { ProviderKind } from '#shared/providers/provider.ts'
import { ownRateGate } from './model/rate-gate.ts'
import { openEndpoints } from './open-endpoints.ts'
import { createLimiters } from './open-models.ts'
import { makePreflight } from './preflight.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

type Body = {
  tools?: { function: { name: string } }[]
  model: string
  max_tokens: number
  temperature?: number
  messages: { content: unknown }[]
  response_format?: object
}
type Asked = { path: string; key: string | undefined; body: Body | null }
type Plays = (asked: Asked, res: ServerResponse) => void

const usage = { prompt_tokens: 9, completion_tokens: 2 }
const stream = (chunks: object[], res: ServerResponse): void => {
  res.writeHead(200, { 'content-type': 'text/event-stream', server: 'uvicorn' })
  res.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`)
}
const refuse = (status: number, body: object, res: ServerResponse): void => void res.writeHead(status).end(JSON.stringify(body))
const answer = (model: string, told: object = { usage }) => [
  { model, system_fingerprint: 'fp_1', choices: [{ delta: { content: 'OK' } }] },
  { model, choices: [{ delta: {}, finish_reason: 'stop' }], ...told },
]
const good: Plays = ({ body }, res) => stream(answer(body!.model), res)
const listing =
  (...data: object[]): Plays =>
  (_asked, res) =>
    void res.end(JSON.stringify({ data }))

const price = { input_per_million_usd: 1, output_per_million_usd: 2, cached_input_per_million_usd: null }

/** A pre-flight of a run against a server that plays as told; `asked` is all it was sent. */
async function lookAt(
  chat: Plays,
  {
    list = listing({ id: 'org/m', max_model_len: 4096 }),
    props = (_asked, res) => refuse(404, {}, res),
    kind = 'openai',
    pictures = false,
    own = false,
    spec = {},
    withinMs,
  }: {
    list?: Plays
    props?: Plays
    kind?: ProviderKind
    pictures?: boolean
    own?: boolean
    spec?: Partial<RunSpec>
    withinMs?: number
  } = {},
) {
  const asked: Asked[] = []
  const server = createServer((req: IncomingMessage, res) => {
    let text = ''
    req.on('data', (chunk) => (text += chunk))
    req.on('end', () => {
      const one = { path: req.url!, key: req.headers.authorization, body: text ? (JSON.parse(text) as Body) : null }
      asked.push(one)
      if (one.path === '/v1/models') list(one, res)
      else if (one.path === '/props') props(one, res)
      else chat(one, res)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` // a listening TCP server has an address record
  const provider = { id: 'lab', label: 'Lab', kind, base_url, models: [], api_key: 'sk-of-the-agent' }
  const whose = own ? { provider: 'lab', api_key: () => 'sk-of-the-owner' } : null
  const limiterFor = createLimiters(4, () => ownRateGate(null))
  const places = { now: 0, taken: 0 }
  const place = async () => {
    places.now++
    places.taken++
    return () => void places.now--
  }
  const run: RunSpec = { ...exampleSpec(), model: { id: 'm', slug: 'org/m', provider: 'lab' }, price, ...spec }
  const made = await makePreflight(
    run,
    pictures,
    openEndpoints([provider], whose, limiterFor, { place }),
    new AbortController().signal,
    withinMs,
  )
  return { ...made, asked, places, chats: asked.filter(({ path }) => path === '/v1/chat/completions') }
}

test("[PROV7] a good endpoint is asked one small question with the run's key and parameters, and what it tells is kept", async () => {
  const { found, halt, chats, asked } = await lookAt(good, { own: true })
  expect(halt).toBeNull()
  expect(found).toMatchObject({
    calls: [{ role: 'model', ask: 'plain', failure: null, streamed: true, usage_told: true, model_reported: 'org/m', server: 'uvicorn' }],
    listed: true,
    context_length: 4096,
    spent: { usage: { input_tokens: 9, output_tokens: 2 }, cost_usd: 13 / 1e6 },
  })
  expect(found.calls[0]!.system_fingerprint).toBe('fp_1')
  expect(chats).toHaveLength(1)
  expect(chats[0]!.body).toMatchObject({ model: 'org/m', max_tokens: 16, temperature: exampleSpec().benchmarks[0]!.params.temperature })
  expect(asked.map(({ key }) => key)).toEqual(['Bearer sk-of-the-owner', 'Bearer sk-of-the-owner'])
})

test('[PROV8] a key that is refused stops the run after one question, with the words of the refusal', async () => {
  const { found, halt, chats } = await lookAt((_asked, res) => refuse(401, { detail: 'Invalid token.' }, res), { pictures: true })
  expect(halt?.failure).toMatchObject({ at: 'provider', reason: 'unauthorized', status: 401 })
  expect(halt?.failure.detail).toContain('Invalid token.')
  expect([chats.length, found.calls.length, found.calls[0]!.streamed]).toEqual([1, 1, null])
})

test('[PROV8] an unknown model stops the run, whether by 404 or as a bad request about a name its list does not have', async () => {
  const gone = await lookAt((_asked, res) => refuse(404, { detail: 'no such model' }, res))
  expect(gone.halt?.failure).toMatchObject({ at: 'provider', reason: 'not-found' })
  const bad: Plays = (_asked, res) => refuse(400, { error: { message: 'org/m is not a valid model ID' } }, res)
  const strange = await lookAt(bad, { list: listing({ id: 'org/other' }) })
  expect(strange.halt?.failure).toMatchObject({ reason: 'not-found', status: 400 })
  expect(strange.halt?.failure.detail).toContain('lab does not list org/m')
  for (const list of [listing({ id: 'org/m' }), listing(), (_asked: Asked, res: ServerResponse) => refuse(404, {}, res)])
    expect((await lookAt(bad, { list })).halt).toBeNull()
})

test('[PROV8] no usage, no streaming and another name are noted and stop nothing', async () => {
  const silent = await lookAt(({ body }, res) => stream(answer(body!.model, {}), res))
  expect([silent.halt, silent.found.calls[0]!.usage_told, silent.found.spent.usage.output_tokens]).toEqual([null, false, 0])
  const whole = await lookAt(({ body }, res) => {
    res.end(JSON.stringify({ model: body!.model, choices: [{ message: { content: 'OK' }, finish_reason: 'stop' }], usage }))
  })
  expect([whole.halt, whole.found.calls[0]!.streamed, whole.found.calls[0]!.usage_told]).toEqual([null, false, true])
  const other = await lookAt((_asked, res) => stream(answer('org/quantised'), res))
  expect([other.halt, other.found.calls[0]!.model_reported]).toEqual([null, 'org/quantised'])
})

test('[PROV8] an endpoint that is busy or does not answer in time stops nothing: the trials have the patience for it', async () => {
  const busy = await lookAt((_asked, res) => refuse(503, { detail: 'no instance' }, res))
  expect([busy.halt, busy.found.calls[0]!.failure?.reason]).toEqual([null, 'overloaded'])
  const slow = await lookAt(() => undefined, { withinMs: 200, list: () => undefined })
  expect([slow.halt, slow.found.calls[0]!.failure?.reason, slow.found.listed]).toEqual([null, 'total-timeout', null])
  const silent = await lookAt(good, { withinMs: 6000, list: () => undefined })
  expect([silent.found.calls[0]!.failure, silent.found.listed]).toEqual([null, null])
})

test('[PROV7] a picture is shown where the run shows any, each helper is asked once, and there are four questions at most', async () => {
  const base = exampleSpec()
  const planned = (slug: string, schema: boolean) => ({
    ...{ model: { id: slug, slug, provider: 'lab' }, price, schema },
    params: { ...base.benchmarks[0]!.params, max_tokens: 4 },
  })
  const benchmarks = [planned('org/judge', true), planned('org/judge', true), planned('org/second', false)].map((judge) => ({
    ...base.benchmarks[0]!,
    roles: { judge },
  }))
  const { found, chats } = await lookAt(good, { pictures: true, spec: { benchmarks } })
  expect(found.calls.map(({ role, ask, model }) => [role, ask, model])).toEqual([
    ['model', 'plain', 'org/m'],
    ['model', 'picture', 'org/m'],
    ['judge', 'schema', 'org/judge'],
    ['judge', 'plain', 'org/second'],
  ])
  expect(found.spent.usage.input_tokens).toBe(36)
  expect(JSON.stringify(chats[1]!.body)).toContain('data:image/png;base64,')
  const judged = chats.find(({ body }) => body?.model === 'org/judge')!
  expect([judged.body!.max_tokens, judged.body!.response_format]).toMatchObject([4, { type: 'json_schema' }])
  const without = await lookAt(good, { spec: { benchmarks: benchmarks.slice(0, 2) } })
  expect(without.found.calls.map(({ ask }) => ask)).toEqual(['plain', 'schema'])
})

test('[PROV8] a helper that is refused stops the run at its own place', async () => {
  const base = exampleSpec()
  const judge = { model: { id: 'j', slug: 'org/judge', provider: 'lab' }, price: null, schema: false, params: base.benchmarks[0]!.params }
  const play: Plays = (asked, res) => (asked.body!.model === 'org/judge' ? refuse(402, { detail: 'no credit' }, res) : good(asked, res))
  const { halt, found } = await lookAt(play, { spec: { benchmarks: [{ ...base.benchmarks[0]!, roles: { judge } }] } })
  expect(halt?.failure).toMatchObject({ at: 'judge', reason: 'payment-required' })
  expect([found.calls[0]!.failure, found.spent.cost_usd]).toEqual([null, null])
})

test('[PROV7] a key that an endpoint repeats is in nothing that is kept', async () => {
  const key = 'sk-of-the-agent'
  const echo = await lookAt((_asked, res) => {
    res.setHeader('server', `box ${key}`)
    res.end(JSON.stringify({ model: key, system_fingerprint: key, choices: [{ message: { content: key }, finish_reason: 'stop' }] }))
  })
  expect(echo.found.calls[0]!.server).toContain('box')
  expect(JSON.stringify(echo.found)).not.toContain(key)
})

test('[PROV7] every question takes a place among the calls of the agent and leaves it, whatever comes of it', async () => {
  const asked = await lookAt(good, { pictures: true })
  expect(asked.places).toEqual({ now: 0, taken: 2 })
  const slow = await lookAt(() => undefined, { withinMs: 200 })
  expect(slow.places).toEqual({ now: 0, taken: 1 })
})

const withTools = (tool_calling?: 'text') => {
  const [planned] = exampleSpec().benchmarks
  return [{ ...planned!, name: 'janus_tool_use', params: { ...planned!.params, ...(tool_calling && { tool_calling }) } }]
}
/** A server that counts tools among the tokens of a question, or drops them before it counts. */
const counting =
  (shown: boolean, told = true): Plays =>
  ({ body }, res) =>
    stream(answer(body!.model, told ? { usage: { ...usage, prompt_tokens: shown && body!.tools ? 80 : 9 } } : {}), res)

test('[PROV354] a server that drops tools is found by the tokens that a question takes with a tool and without', async () => {
  const toolsOf = async (chat: Plays) => (await lookAt(chat, { spec: { benchmarks: withTools() } })).found.tools
  expect([await toolsOf(counting(true)), await toolsOf(counting(false)), await toolsOf(counting(true, false))]).toEqual([
    'seen',
    'dropped',
    null,
  ])
  const { found, chats, halt } = await lookAt(counting(false), { spec: { benchmarks: withTools() } })
  expect([halt, chats.map(({ body }) => body!.tools?.length), chats.map(({ body }) => body!.messages)[1]]).toEqual([
    null,
    [undefined, 1],
    chats[0]!.body!.messages,
  ])
  expect(found.spent).toMatchObject({ usage: { input_tokens: 18, output_tokens: 4 }, cost_usd: 26 / 1e6 })
  const refusing: Plays = (asked, res) => (asked.body!.tools ? refuse(400, { error: { message: 'no tools' } }, res) : good(asked, res))
  const refused = await lookAt(refusing, { spec: { benchmarks: withTools() } })
  expect([refused.halt, refused.found.tools, refused.found.calls[1]?.failure?.reason]).toEqual([null, null, 'bad-request'])
})

test('[PROV354] what llama.cpp says of its template goes before the count; nothing is asked where no tools are sent', async () => {
  const props =
    (supports_tools: unknown): Plays =>
    (_asked, res) =>
      void res.end(JSON.stringify({ chat_template_caps: { supports_tools } }))
  const toolsOf = async (told: unknown, chat: Plays) =>
    (await lookAt(chat, { kind: 'llamacpp', props: props(told), spec: { benchmarks: withTools() } })).found.tools
  expect(await toolsOf(false, counting(true))).toBe('dropped')
  expect(await toolsOf(true, counting(false))).toBe('seen')
  expect([await toolsOf('odd', counting(false)), await toolsOf(false, counting(true, false))]).toEqual(['dropped', 'dropped'])
  for (const benchmarks of [withTools('text'), exampleSpec().benchmarks]) {
    const { found, asked } = await lookAt(counting(false), { kind: 'llamacpp', spec: { benchmarks } })
    expect([found.tools, asked.filter(({ path }) => path === '/props').length, found.calls.length]).toEqual([undefined, 0, 1])
  }
})
