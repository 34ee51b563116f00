import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { startAgent } from './agent.ts'
import { datasetEnv } from './dataset/dataset-env.ts'
import { createEquip } from './equip.ts'
import { benchmarksDir, programVersion } from './program.ts'
import { capabilitiesOf, Provider, withChutes } from './provider.ts'

const Environment = z.object({
  BENCH_EDGE_URL: z.url(),
  BENCH_AGENT_TOKEN: z.string().min(8),
  BENCH_AGENT_ID: z.string().default(
    hostname()
      .replaceAll(/[^A-Za-z0-9._-]/g, '-')
      .slice(0, 80),
  ),
  BENCH_DATA: z.string().default('.data'),
  BENCH_SLOTS: z.coerce.number().int().min(1).max(10_000).default(256),
  BENCH_PROVIDERS: z.string().default('[]'),
  CHUTES_API_BASE_URL: z.url().default('https://llm.chutes.ai/v1'),
  VERSION: z.string().default(programVersion),
})

const parsed = Environment.safeParse(process.env)
if (!parsed.success) {
  console.error(`The agent cannot start: ${parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')}`)
  process.exit(2)
}
const env = parsed.data
const dataset = datasetEnv(process.env, {
  cacheDir: join(env.BENCH_DATA, 'cache'),
  benchmarksDir,
})
const providers = withChutes(z.array(Provider).parse(JSON.parse(env.BENCH_PROVIDERS)), env.CHUTES_API_BASE_URL)
const agent = startAgent({
  edgeUrl: env.BENCH_EDGE_URL,
  token: env.BENCH_AGENT_TOKEN,
  agentId: env.BENCH_AGENT_ID,
  host: hostname(),
  version: env.VERSION,
  capabilities: ['llm', ...capabilitiesOf(providers)],
  slots: env.BENCH_SLOTS,
  equip: (gateOf) => createEquip(providers, dataset, env.BENCH_SLOTS, gateOf),
  log: (line) => console.log(`${new Date().toISOString()} ${line}`),
})

// A signal often comes twice, from the terminal and from a parent; draining ends by itself in half a minute.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void agent.drain())
process.once('disconnect', () => void agent.drain())
console.log(`agent stops: ${await agent.finished}`)
process.exit(0)
