import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { readSettings } from '#edge/local/settings.ts'
import { exitCodes } from '#fleet/cli/io.ts'
import { providersFrom } from '#fleet/configured-providers.ts'
import { diskPause_ms } from '#fleet/machine/disk-watch.ts'
import { readReserve } from '#fleet/machine/machine-options.ts'
import { AgentEnv } from '#fleet/serve-agent.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import { mostFailedShare } from '#shared/contract/board.ts'
import { mostEpochs } from '#shared/contract/epochs.ts'
import { maxRecordBytes } from '#shared/contract/frame.ts'
import { protocols } from '#shared/contract/protocol.ts'
import { bundleLimits } from '#shared/export/bundle-limits.ts'
import { providerKinds, WrittenProvider } from '#shared/providers/provider.ts'
import { providerDefs } from '#shared/providers/providers.ts'
import { drainMs } from '#shared/run/patience.ts'
import { otlpTarget } from '#shared/telemetry/otlp-target.ts'
import { rowCount } from '../sandbox/matrix.ts'
import { type Claim, falseClaims, inWords } from './claims.ts'
import { commandsOf } from './collect-commands.ts'
import { readBench } from './judge-bench.ts'
import { readDocument } from './read-document.ts'

const root = join(import.meta.dirname, '..', '..')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
type Wrangler = {
  durable_objects: { bindings: { class_name: string }[] }
  triggers: { crons: string[] }
  r2_buckets: { bucket_name: string }[]
}
const wrangler = parse(textOf('wrangler.toml')) as Wrangler
const manifest = JSON.parse(textOf('package.json')) as { version: string; engines: { node: string } }
const node = manifest.engines.node.replace('>=', '')
const objects = wrangler.durable_objects.bindings
const slots = AgentEnv.shape.BENCH_SLOTS.parse(undefined)
const tasks = cards.find(({ name }) => name === 'code_tasks')!.total_items
const [, everyMinutes] = /^\*\/(\d+) \* \* \* \*$/.exec(wrangler.triggers.crons[0]!) ?? []

const claims: Claim[] = [
  { path: 'README.md', says: /Node (\d+\.\d+) or later/, is: [node] },
  { path: 'DEPLOY.md', says: /Node (\d+\.\d+) or later/, is: [node] },
  { path: 'CONTRIBUTING.md', says: /Node (\d+\.\d+) or later/, is: [node] },
  { path: 'fleet/package/README.md', says: /any Node from (\d+\.\d+) on/, is: [node] },
  { path: 'fleet/package/README.md', says: /chutes-bench-runner-(\d+\.\d+\.\d+)\.tgz/, is: [manifest.version] },
  { path: 'DEPLOY.md', says: /The version \(`([\d.]+)\+<commit>`\)/, is: [manifest.version] },
  { path: 'README.md', says: /local port \((\d+);/, is: [readSettings(root, [], {}).port] },
  { path: 'README.md', says: /trials at once \((\d+)\)/, is: [slots] },
  { path: 'fleet.compose.yml', says: /BENCH_SLOTS:-(\d+)/, is: [slots] },
  { path: 'docs/autoscaling/follow-demand.sh', says: /BENCH_SLOTS:-(\d+)/, is: [slots] },
  { path: 'README.md', says: /no machine and no build takes \(default (\d+)\)/, is: [readReserve(undefined)] },
  { path: 'SECURITY.md', says: /(\d+) GB \(`BENCH_DISK_RESERVE_MB`\) stay free/, is: [readReserve(undefined) / 1024] },
  { path: 'SECURITY.md', says: /a check every (\d+) ms ends the environment/, is: [diskPause_ms] },
  {
    path: 'README.md',
    says: /`OTEL_METRIC_EXPORT_INTERVAL` ms \((\d+)\)/,
    is: [otlpTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a' })!.intervalMs],
  },
  { path: 'README.md', says: /while `items.jsonl` has at most (\d+) MiB/, is: [bundleLimits.listed_bytes / 2 ** 20] },
  { path: 'README.md', says: /speak one protocol version \(now (\d+)\)/, is: [protocols.max] },
  { path: 'DEPLOY.md', says: /speak one protocol version \(now (\d+)\)/, is: [protocols.max] },
  {
    path: 'README.md',
    says: /Exit codes: (\d+) done, (\d+) error, (\d+) wrong usage, (\d+) not verified or scored differently, (\d+) interrupted/,
    is: [exitCodes.ok, exitCodes.error, exitCodes.usage, exitCodes.notVerified, exitCodes.interrupted],
  },
  { path: 'README.md', says: /too large for its record \(([\d.]+) MB\)/, is: [maxRecordBytes / 1e6] },
  { path: 'README.md', says: /executed with 1 to (\d+) episodes/, is: [mostEpochs] },
  { path: 'README.md', says: /with at most (\d+) % failed trials/, is: [mostFailedShare * 100] },
  { path: 'DEPLOY.md', says: /with (\w+) kinds of Durable Objects/, is: [inWords(objects.length)] },
  { path: 'ARCHITECTURE.md', says: /and (\w+) kinds of Durable Objects/, is: [inWords(objects.length)] },
  { path: 'DEPLOY.md', says: /r2 bucket create ([\w-]+)/, is: [wrangler.r2_buckets[0]!.bucket_name] },
  { path: 'DEPLOY.md', says: /cron trigger reads the catalogue every (\w+) minutes/, is: [inWords(Number(everyMinutes))] },
  { path: 'DEPLOY.md', says: /cron triggers, every (\w+) minutes/, is: [inWords(Number(everyMinutes))] },
  { path: 'fleet.compose.yml', says: /finishes what is in flight for (\d+) s/, is: [drainMs / 1000] },
  { path: 'CONTRIBUTING.md', says: /(\d+) attacks on bubblewrap and Docker/, is: [rowCount] },
  { path: 'prove/proofs.ts', says: /(\d+) attacks on sandboxes/, is: [rowCount] },
  { path: 'prove/proofs.ts', says: /(\d+) of (\d+) tasks refuse/, is: [tasks, tasks] },
]

test('[DOC513] numbers that the code knows are the same in the documents', () => {
  expect(falseClaims(claims, textOf)).toEqual([])
})

test('[DOC513] ARCHITECTURE names every Durable Object', () => {
  expect(objects.filter(({ class_name }) => !textOf('ARCHITECTURE.md').includes(`\`${class_name}\``))).toEqual([])
})

test('[DOC513] README has a row for every kind of provider, with its usual address and an entry that reads', () => {
  const kinds = providerKinds.filter((kind) => kind !== 'demo')
  const rows = [...textOf('README.md').matchAll(/^\| `(\w+)`(?: \(the default\))? \| (.*) \| `(\{.*\})` \|$/gm)]
  expect(rows.map(([, kind]) => kind).toSorted()).toEqual([...kinds].toSorted())
  for (const [, kind = '', told = '', entry = ''] of rows) {
    const provider = WrittenProvider.parse(JSON.parse(entry))
    expect(provider.kind).toBe(kind)
    const usual = /usually `([^`]+)`/.exec(told)?.[1]
    if (usual !== undefined) expect(usual).toBe(providerDefs[provider.kind].baseUrl)
    expect(provider.base_url === undefined && providerDefs[provider.kind].baseUrl === null, entry).toBe(false)
  }
  const [, listed = ''] = /"kind":((?:"\w+"\\\|)+"\w+")/.exec(textOf('README.md')) ?? []
  expect(listed.replaceAll('"', '').split('\\|').toSorted()).toEqual([...kinds].toSorted())
})

test('[DOC513] every BENCH_PROVIDERS of README is read as an agent reads it', async () => {
  const shown = commandsOf(readDocument('README.md', textOf('README.md'))).flatMap(({ variables }) => variables.BENCH_PROVIDERS ?? [])
  expect(shown).toHaveLength(2)
  for (const BENCH_PROVIDERS of shown) {
    const env = { BENCH_PROVIDERS, LAB_KEY: 'sk-lab-0123456789', JANUS_PASSWORD: 'a-password' }
    const unreachable = async () => Promise.reject(new TypeError('nothing is asked here'))
    expect((await providersFrom(env, unreachable, () => undefined)).length).toBe((JSON.parse(BENCH_PROVIDERS) as object[]).length)
  }
})

test('[DOC513] a default that a help text names is the one that the parser gives', async () => {
  const values = async (...words: string[]) => (await readBench(words))!.values as Record<string, unknown>
  expect(falseDefaults('run', await helpOf('run'), await values('run'))).toEqual([])
  expect(falseDefaults('export', await helpOf('export'), await values('export', 'last'))).toEqual([])
  expect(falseDefaults('models', await helpOf('models'), await values('models'))).toEqual([])
  expect(falseDefaults('janus', await helpOf('janus'), await values('janus', 'run'))).toEqual([])
  expect(falseDefaults('x', '  --limit <N>  how many (default 7)\n', { limit: 8 })).toHaveLength(1)
  expect(await helpOf('agent')).toContain(`BENCH_SLOTS, default ${slots})`)
})

async function helpOf(name: string): Promise<string> {
  const { createProgram } = await import('#fleet/cli/create-program.ts')
  const { quietIo } = await import('./judge-bench.ts')
  const io = quietIo()
  await (await createProgram([name], io, () => undefined)).parseAsync([name, '--help'], { from: 'user' }).catch(() => undefined)
  return io.lines.join('\n')
}

function falseDefaults(name: string, help: string, values: Record<string, unknown>): string[] {
  return [...help.matchAll(/--([\w-]+)(?: <\w+>)?\s+[^\n]*?\(default ([^)\s,]+)\)/g)].flatMap(([, option = '', told = '']) => {
    const is = values[option]
    return is === undefined || String(is) === told.replace(/\/$/, '') ? [] : [`${name} --${option}: ${told} is ${String(is)}`]
  })
}

test('[DOC516] a false number is found, and one that is not stated any more', () => {
  const says = /now (\d) to (\d)/
  expect(falseClaims([{ path: 'a', says, is: [3, 6] }], () => 'now 3\nto 6')).toEqual([])
  expect(falseClaims([{ path: 'a', says, is: [3, 6] }], () => 'now 3 to 4')).toHaveLength(1)
  expect(falseClaims([{ path: 'a', says, is: [3, 6] }], () => 'whichever')).toHaveLength(1)
})
