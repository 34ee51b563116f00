import WebSocket from 'ws'
import * as z from 'zod'
import { AgentList, ModelList, RunList, Status } from '#shared/contract/api.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { sentHeaders } from '#shared/providers/provider-headers.ts'
import { providersFrom } from '../configured-providers.ts'
import { proxyFor, throughProxy } from '../proxy/proxy-env.ts'
import { ProxyError, tunnelAgent } from '../proxy/tunnel.ts'
import type { Check } from './checks.ts'
import { createClient } from './client.ts'
import type { Io } from './io.ts'
import { count } from './numbers.ts'

const timeoutMs = 10_000
const Models = z.object({ data: z.array(z.unknown()) })

/** What the commands talk to: the service and the key for it, the providers, and for an agent the fleet it is to join. Nothing is sent but questions. */
export async function serviceChecks(io: Io, url: string | undefined): Promise<Check[]> {
  const asking = { ...io, signal: AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]) }
  const notes: string[] = []
  const providers = await providersFrom(io.env, io.fetch, (line) => notes.push(line))
  const served = await modelsServed(asking, url).catch(() => null)
  return [
    ...proxyChecks(io.env),
    {
      name: 'service',
      needed_for: 'runs, lists and exports of a service (bench run --local works without)',
      fix: 'start one here with npm start, or name another with --url or BENCH_URL; bench agents shows how its agents are',
      look: () => askService(asking, url),
    },
    ...(io.env.BENCH_API_KEY ? [keyCheck(asking, url)] : []),
    ...providers.map((provider) => providerCheck(provider, asking)),
    ...(served === null ? [] : [serviceModels(served)]), // a service that does not answer has its own line
    ...(providers.length === 0 ? [noProvider(served)] : []),
    ...(io.env.BENCH_AGENT_TOKEN
      ? [tokenCheck(io.env.BENCH_AGENT_TOKEN, io.env.BENCH_EDGE_URL || createClient(asking, url).url, io.env)]
      : []),
  ]
}

/** One line for each proxy of the environment, where there is any. */
function proxyChecks(env: Io['env']): Check[] {
  const used = (['http', 'https'] as const).flatMap((scheme) => {
    const proxy = proxyFor(`${scheme}://proxied.invalid`, env)
    return proxy === null ? [] : [`${scheme} through ${proxy.shown} (${proxy.variable})`]
  })
  const exempt = env.no_proxy?.trim() || env.NO_PROXY?.trim()
  const detail = `${used.join(', ')}; reached directly: this machine${exempt ? `, ${exempt}` : ''}`
  return used.length === 0
    ? []
    : [{ name: 'proxy', needed_for: 'calls to other machines', fix: 'correct the variable', look: async () => detail }]
}

async function askService(io: Io, url: string | undefined): Promise<string> {
  const client = createClient({ ...io, env: { ...io.env, BENCH_API_KEY: undefined } }, url)
  const { version, agents, silent_agents } = await client.get('/api/status', Status)
  const place = `${client.url} (version ${version}) answers`
  if (silent_agents > 0) throw new Error(`${place}, but ${await silentAgents(io, client.url, silent_agents)}`)
  if (agents === 0) throw new Error(`${place}, but no agent is connected: its runs wait`)
  return `${client.url}, version ${version}, ${count(agents)} ${agents === 1 ? 'agent' : 'agents'}`
}

/** Which agents are silent; their number where this key may not ask for names. */
async function silentAgents(io: Io, url: string, silent: number): Promise<string> {
  const { agents } = await createClient(io, url)
    .get('/api/agents', AgentList)
    .catch(() => ({ agents: [] }))
  const names = agents.filter((agent) => agent.connected && agent.silent).map((agent) => `${agent.agent_id} since ${agent.last_seen}`)
  const many = silent === 1 ? '1 agent is silent' : `${count(silent)} agents are silent`
  return `${many}${names.length > 0 ? ` (${names.join(', ')})` : ''}: frozen, or their machine is, and their trials go to others`
}

const keyCheck = (io: Io, url: string | undefined): Check => ({
  name: 'key',
  needed_for: 'runs of your own there',
  fix: 'set BENCH_API_KEY to a key of this service (cbr_…) or to your Chutes key (cpk_…)',
  look: async () => {
    const { total } = await createClient(io, url).get('/api/runs?limit=1&mine=true', RunList)
    return `accepted, ${count(total)} runs of its owner`
  },
})

const providerCheck = ({ id, label, base_url, api_key, headers: own }: KeyedProvider, io: Io): Check => ({
  name: `provider ${id}`,
  needed_for: `models of ${label}, with bench run --local, npm start and bench agent`,
  fix: 'check its address and its key in the environment or .env',
  look: async () => {
    const headers = sentHeaders({ headers: own }, api_key)
    const response = await io.fetch(`${base_url}/models`, { headers, signal: io.signal })
    if (response.status === 401 || response.status === 403) throw new Error(`${base_url} refuses the key (HTTP ${response.status})`)
    if (!response.ok) throw new Error(`${base_url}/models answers HTTP ${response.status}`)
    const models = Models.safeParse(await response.json().catch(() => undefined))
    const place = `${base_url}${throughProxy(base_url, io.env)}`
    return models.success ? `${place}, ${count(models.data.data.length)} models` : place
  },
})

/** The models that the service can run, by provider; most of one answer of it. */
async function modelsServed(io: Io, url: string | undefined): Promise<Served> {
  const { models, total } = await createClient({ ...io, env: { ...io.env, BENCH_API_KEY: undefined } }, url).get(
    '/api/models?limit=500',
    ModelList,
  )
  const counts = new Map<string, number>()
  for (const { provider } of models) counts.set(provider, (counts.get(provider) ?? 0) + 1)
  const text = [...counts].map(([provider, times]) => `${provider} (${count(times)}${total > models.length ? ' or more' : ''})`).join(', ')
  return { total, text }
}

type Served = { total: number; text: string }

/** What the service itself can run; its providers are in its own environment, not in that of this command. */
const serviceModels = ({ total, text }: Served): Check => ({
  name: 'service models',
  needed_for: 'runs of a service',
  fix: 'configure a provider where the service runs, and see that it can be asked; bench models lists what it serves',
  look: async () => {
    if (total === 0) throw new Error('the service serves no model')
    return `${count(total)} ${total === 1 ? 'model' : 'models'}: ${text}`
  },
})

const noProvider = (served: Served | null): Check => ({
  name: 'provider',
  needed_for: 'any model but the demo model, with bench run --local, npm start and bench agent on this machine',
  fix: 'set CHUTES_API_KEY, OPENAI_BASE_URL with OPENAI_API_KEY, or LMSTUDIO_BASE_URL',
  look: () => {
    const elsewhere = served && served.total > 0 ? '; the service has its own, which its runs use' : ''
    return Promise.reject(new Error(`none is configured in the environment of this command${elsewhere}`))
  },
})

/** Opens the agents' socket and closes it without a word: only an accepted token gets that far. */
const tokenCheck = (token: string, edgeUrl: string, env: Io['env']): Check => ({
  name: 'agent token',
  needed_for: 'bench agent',
  fix: 'ask the operator of the service for its AGENT_TOKEN or a key with the scope agents:join, and check BENCH_EDGE_URL',
  look: () =>
    new Promise((resolve, reject) => {
      const url = `${edgeUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/api/fleet/socket`
      const proxy = proxyFor(url, env)
      const socket = new WebSocket(url, {
        ...(proxy && { agent: tunnelAgent(proxy, url.startsWith('wss:'), timeoutMs) }),
        headers: { authorization: `Bearer ${token}` },
        handshakeTimeout: timeoutMs,
      })
      socket.once('open', () => {
        socket.close(1000)
        resolve(`accepted by ${edgeUrl}`)
      })
      socket.once('unexpected-response', (request, { statusCode }) => {
        request.destroy()
        const refused = statusCode === 401 || statusCode === 403
        reject(new Error(refused ? `${edgeUrl} does not accept it` : `${edgeUrl} answers HTTP ${statusCode}`))
      })
      socket.on('error', (cause: NodeJS.ErrnoException) =>
        reject(
          new Error(`${edgeUrl} cannot be reached (${cause instanceof ProxyError ? cause.message : (cause.code ?? cause.message)})`, {
            cause,
          }),
        ),
      )
    }),
})
