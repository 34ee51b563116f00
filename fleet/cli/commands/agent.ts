import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { healthPath, readHealth } from '#fleet/agent-health.ts'
import { defaultAgentId, serveAgent } from '#fleet/serve-agent.ts'
import { MetricsAddress } from '#fleet/telemetry/serve-metrics.ts'
import { providersFrom } from '../../configured-providers.ts'
import { defineCommand, integer } from '../command.ts'
import { installAgent, uninstallAgent } from '../install-agent.ts'
import { exitCodes, type Io, UsageError } from '../io.ts'

export const agent = defineCommand({
  name: 'agent',
  summary:
    'Joins a fleet with this machine. It dials out; no port is opened, but for --metrics. Providers and their keys come from CHUTES_API_KEY, OPENAI_BASE_URL and OPENAI_API_KEY, LMSTUDIO_BASE_URL or BENCH_PROVIDERS and stay here. Ctrl-C drains it. A service that cannot be reached is tried again for ever; one that refuses this agent ends it with exit code 1. `install` writes a unit of systemd that does the same at every start of this machine, with the variables of now in a file that only its owner reads; `uninstall` removes both.',
  arguments: ['[ACTION]'],
  words: { ACTION: ['install', 'uninstall'] },
  options: {
    edge: { help: 'address of the service (BENCH_EDGE_URL, else --url or BENCH_URL)', value: 'URL' },
    token: { help: 'agent token or a key with the scope agents:join (better: BENCH_AGENT_TOKEN)', value: 'TOKEN' },
    name: { help: 'stable name of this agent (BENCH_AGENT_ID)', value: 'NAME' },
    slots: { help: 'trials at once (BENCH_SLOTS, default 256)', value: 'N' },
    'data-dir': { help: 'where data sets are kept (BENCH_DATA, else .data/)', value: 'DIR' },
    metrics: {
      help: 'serves /metrics for Prometheus and /health at this port of this machine, or at an address:port (BENCH_METRICS)',
      value: 'PORT',
    },
    health: { help: 'start nothing: say how the agent of this name and data directory is, exit code 0 when it works' },
    'dry-run': { help: 'with install or uninstall: write nothing, print what would be written' },
    root: { help: 'with install or uninstall: folder that stands for / (such as an image that is being made)', value: 'DIR' },
  },
  values: z.object({
    edge: z.string().optional(),
    token: z.string().optional(),
    name: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,80}$/, 'may have letters, digits, dots, dashes and underscores')
      .optional(),
    slots: integer(1, 10_000).optional(),
    'data-dir': z.string().optional(),
    metrics: z
      .string()
      .refine((text) => MetricsAddress.safeParse(text).success, 'must be a port, or address:port')
      .optional(),
    health: z.boolean().default(false),
    'dry-run': z.boolean().default(false),
    root: z.string().optional(),
  }),
  examples: [
    'BENCH_AGENT_TOKEN=agt_… bench agent --edge https://bench.example.org',
    'bench agent --slots 200 --name gpu-box-1',
    'BENCH_AGENT_TOKEN=agt_… bench agent install --edge https://bench.example.org --dry-run',
    'bench agent uninstall',
  ],
  async run({ positionals: [action], values, url, json }, io) {
    const { root = '/', 'dry-run': isDry } = values
    if (action === undefined && (isDry || values.root !== undefined))
      throw new UsageError('--dry-run and --root go with install or uninstall.')
    if (action === 'uninstall') return uninstallAgent({ root, isDry, json }, io)
    if (action === 'install') {
      if (values['data-dir'] !== undefined)
        throw new UsageError('An installed agent keeps its data where systemd has its state: leave --data-dir out.')
      return installAgent({ root, isDry, json, given: installedEnv(values, url, io.env) }, io)
    }
    const dataDir = resolve(values['data-dir'] ?? (io.env.BENCH_DATA || '.data'))
    if (values.health) return tellHealth(healthPath(dataDir, values.name ?? (io.env.BENCH_AGENT_ID || defaultAgentId())), json, io)
    const edge = values.edge ?? io.env.BENCH_EDGE_URL ?? url ?? io.env.BENCH_URL
    const token = values.token ?? io.env.BENCH_AGENT_TOKEN
    if (!edge) throw new UsageError('Say which service to join: --edge URL or BENCH_EDGE_URL.')
    if (!token) throw new UsageError('Give the agent token in BENCH_AGENT_TOKEN; the operator of the service has it.')
    const providers = await providersFrom(io.env, io.fetch, io.err)
    if (providers.length === 0) io.err('No provider is configured here: only runs whose owners bring their own key will work.')
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const more = {
      BENCH_EDGE_URL: edge.replace(/\/+$/, ''),
      BENCH_AGENT_TOKEN: token,
      BENCH_DATA: dataDir,
      BENCH_PROVIDERS: JSON.stringify(providers),
      ...(values.name ? { BENCH_AGENT_ID: values.name } : {}),
      ...(values.slots ? { BENCH_SLOTS: String(values.slots) } : {}),
      ...(values.metrics ? { BENCH_METRICS: values.metrics } : {}),
    }
    io.holdOn()
    const form = json || io.columns === null ? 'json' : 'plain'
    return serveAgent({ ...io.env, ...more }, { form, write: io.out, stop: io.signal })
  },
})

/** Options of the command line as variables of the installed agent. */
const installedEnv = ({ edge, token, name, slots, metrics }: Settings, url: string | undefined, env: Io['env']): Io['env'] => ({
  BENCH_EDGE_URL: (edge ?? env.BENCH_EDGE_URL ?? url ?? env.BENCH_URL)?.replace(/\/+$/, ''),
  BENCH_AGENT_TOKEN: token,
  BENCH_AGENT_ID: name,
  BENCH_SLOTS: slots === undefined ? undefined : String(slots),
  BENCH_METRICS: metrics,
})

type Settings = {
  edge?: string | undefined
  token?: string | undefined
  name?: string | undefined
  slots?: number | undefined
  metrics?: string | undefined
}

function tellHealth(path: string, json: boolean, io: Io): number {
  const health = readHealth(path, new Date())
  io.out(json ? JSON.stringify(health) : `${health.ok ? 'ok' : 'not ok'}: ${health.detail}`)
  return health.ok ? exitCodes.ok : exitCodes.error
}
