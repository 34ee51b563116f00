import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { defineCommand, integer } from '../command.ts'
import { CommandError, exitCodes, UsageError } from '../io.ts'
import { providersFrom } from '../providers.ts'

export const agent = defineCommand({
  name: 'agent',
  summary:
    'Joins a fleet with this machine. It dials out; no port is opened. Provider keys come from CHUTES_API_KEY or OPENAI_BASE_URL and OPENAI_API_KEY and stay here. Ctrl-C drains it.',
  options: {
    edge: { help: 'address of the service (BENCH_EDGE_URL, else --url or BENCH_URL)', value: 'URL' },
    token: { help: 'agent token or a key with the scope agents:join (better: BENCH_AGENT_TOKEN)', value: 'TOKEN' },
    name: { help: 'stable name of this agent (BENCH_AGENT_ID)', value: 'NAME' },
    slots: { help: 'trials at once (BENCH_SLOTS, default 256)', value: 'N' },
    'data-dir': { help: 'where data sets are kept (BENCH_DATA, else .data/)', value: 'DIR' },
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
  }),
  examples: ['BENCH_AGENT_TOKEN=agt_… bench agent --edge https://bench.example.org', 'bench agent --slots 200 --name gpu-box-1'],
  async run({ values, url }, io) {
    const edge = values.edge ?? io.env.BENCH_EDGE_URL ?? url ?? io.env.BENCH_URL
    const token = values.token ?? io.env.BENCH_AGENT_TOKEN
    if (!edge) throw new UsageError('Say which service to join: --edge URL or BENCH_EDGE_URL.')
    if (!token) throw new UsageError('Give the agent token in BENCH_AGENT_TOKEN; the operator of the service has it.')
    const providers = await providersFrom(io.env, io.fetch, io.err)
    if (providers.length === 0) io.err('No provider is configured here: only runs whose owners bring their own key will work.')
    const dataDir = resolve(values['data-dir'] ?? (io.env.BENCH_DATA || '.data'))
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const more = {
      BENCH_EDGE_URL: edge.replace(/\/+$/, ''),
      BENCH_AGENT_TOKEN: token,
      BENCH_DATA: dataDir,
      BENCH_PROVIDERS: JSON.stringify(providers),
      ...(values.name ? { BENCH_AGENT_ID: values.name } : {}),
      ...(values.slots ? { BENCH_SLOTS: String(values.slots) } : {}),
    }
    return runAgent({ ...io.env, ...more })
  },
})

/** The agent is a program of its own; signals are passed on and its exit code is ours. */
async function runAgent(env: NodeJS.ProcessEnv): Promise<number> {
  const file = join(import.meta.dirname, '..', '..', 'main.ts')
  const child = spawn(process.execPath, [file], { stdio: 'inherit', env })
  const pass = () => child.kill('SIGTERM')
  process.on('SIGTERM', pass)
  try {
    const [code, signal] = await once(child, 'exit')
    if (signal) throw new CommandError(`The agent was ended by ${signal}.`)
    return typeof code === 'number' ? code : exitCodes.error
  } finally {
    process.off('SIGTERM', pass)
  }
}
