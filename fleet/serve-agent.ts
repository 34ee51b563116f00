import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { tellsSandy } from '#shared/contract/sandy.ts'
import { KeyedProviders } from '#shared/providers/provider.ts'
import { secretsOf } from '#shared/providers/provider-headers.ts'
import { aliasOf } from '#shared/run/audience.ts'
import { createLineRedactor } from '#shared/secrets/redactor.ts'
import { createLog, type Log, type LogForm } from '#shared/telemetry/log.ts'
import { OtlpEnv, otlpTarget } from '#shared/telemetry/otlp-target.ts'
import { startAgent } from './agent.ts'
import { healthPath, openHealthFile, readHealth } from './agent-health.ts'
import { agentSecret, ownerOf } from './agent-secret.ts'
import { announceResources } from './announce-resources.ts'
import { createHttpStore } from './artifacts/http-store.ts'
import { datasetEnv } from './dataset/dataset-env.ts'
import { uploadsOfRun } from './dataset/fetch-upload.ts'
import { createEquip } from './equip.ts'
import { listItems } from './list-items.ts'
import { machineHost } from './machine/machine-host.ts'
import { machineReadings, measureMachine } from './machine-usage.ts'
import { processClock } from './process-clock.ts'
import { benchmarksDir, codeVersion } from './program.ts'
import { capabilitiesOf, withChutes, withTokenRoute } from './provider.ts'
import { fetchHandedOver, fetchReplay } from './replay/fetch-replay.ts'
import { openSandboxes } from './sandbox/open-sandboxes.ts'
import { sandboxHosts } from './sandbox/sandbox-hosts.ts'
import { readSandboxRoom } from './sandbox/sandbox-room.ts'
import { createSandyTeller } from './sandbox/sandy/tell-sandy.ts'
import { keepTrying } from './sandbox/try-again.ts'
import { expectShortLives } from './short-lived.ts'
import { meterImages } from './telemetry/meter-images.ts'
import { openTelemetry } from './telemetry/open-telemetry.ts'
import { MetricsAddress } from './telemetry/serve-metrics.ts'
import { openHeavyPool } from './threads/heavy-pool.ts'
import { watchBlocks } from './watch-blocks.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Name of an agent that was given none: the machine's. */
export const defaultAgentId = (host: string = hostname()): string => host.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 80)

/** Compose passes variables that nobody set as empty texts. */
const Unset = z.literal('').transform(() => undefined)

/** The environment of an agent, with its defaults. */
export const AgentEnv = OtlpEnv.extend({
  BENCH_EDGE_URL: z.url('is not an address'),
  BENCH_AGENT_TOKEN: z.string().min(8, 'has fewer than 8 characters'),
  BENCH_AGENT_ID: z.string().default(() => defaultAgentId()),
  BENCH_DATA: z.string().default('.data'),
  BENCH_SLOTS: z.coerce.number().int().min(1).max(10_000).default(256),
  BENCH_PROVIDERS: z
    .string()
    .default('[]')
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue('is not JSON')
        return z.NEVER
      }
    })
    .pipe(KeyedProviders),
  /** Where in the network it stands, in words for everybody who reads its records. */
  BENCH_PLACE: z.string().trim().max(120, 'has more than 120 characters').default(''),
  BENCH_METRICS: Unset.or(MetricsAddress).optional(),
  CHUTES_API_BASE_URL: z.url('is not an address').default('https://llm.chutes.ai/v1'),
  CHUTES_IDP_INVOKE_URL: Unset.or(z.url({ protocol: /^https?$/, error: 'is not an http(s):// address' })).optional(),
  CHUTES_IDP_INVOKE_HOST: Unset.or(z.string().regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/, 'is not the name of a host')).optional(),
  VERSION: z.string().default(codeVersion),
})

type Surroundings = {
  /** Lines for programs or for people; `BENCH_LOG` in the environment goes before it. */
  form: LogForm
  write(line: string): void
  /** Fires when the agent is to drain. */
  stop: AbortSignal
}

function readAgentEnv(given: Record<string, string | undefined>, refuse: (why: string) => void): z.infer<typeof AgentEnv> | null {
  const parsed = AgentEnv.safeParse(given)
  try {
    readSandboxRoom(given)
    if (parsed.success) return parsed.data
    refuse(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '))
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error))
  }
  return null
}

/**
 * Runs a fleet agent as its environment says, until it is told to stop or refused for good; the exit code: 0 drained, 1 refused, 2 its
 * environment does not fit. It tells how it is in a file of its data directory (`readHealth`), and what it measures where `BENCH_METRICS` says.
 */
export async function serveAgent(given: Record<string, string | undefined>, { form, write, stop }: Surroundings): Promise<number> {
  const logWithout = (secrets: readonly string[]): Log =>
    createLog({ form: readForm(given.BENCH_LOG) ?? form, now: () => new Date(), redact: createLineRedactor(secrets), write })
  const env = readAgentEnv({ ...given, BENCH_AGENT_TOKEN: given.BENCH_AGENT_TOKEN?.trim() }, (why) =>
    logWithout([])('error', `The agent cannot start: ${why}`),
  )
  if (env === null) return 2
  expectShortLives()
  const heavy = openHeavyPool()
  const watch = watchBlocks(processClock)
  const dataset = datasetEnv(given, { cacheDir: join(env.BENCH_DATA, 'cache'), benchmarksDir, heavy })
  const invoke = env.CHUTES_IDP_INVOKE_URL?.replace(/\/+$/, '')
  const token_route = invoke === undefined ? null : { base_url: invoke, host: env.CHUTES_IDP_INVOKE_HOST ?? null }
  const providers = withTokenRoute(withChutes(env.BENCH_PROVIDERS, env.CHUTES_API_BASE_URL), token_route)
  const target = otlpTarget(env)
  const sent = Object.values(target?.headers ?? {}).flatMap((value) => value.split(/\s+/)) // a scheme and its key
  const secrets = [env.BENCH_AGENT_TOKEN, dataset.hfToken, ...providers.flatMap(secretsOf), ...sent]
  const log = logWithout(secrets.filter((secret) => secret !== null))
  const healthFile = healthPath(env.BENCH_DATA, env.BENCH_AGENT_ID)
  const spoolDir = join(env.BENCH_DATA, 'spool')
  const store = createHttpStore({ edgeUrl: env.BENCH_EDGE_URL, token: env.BENCH_AGENT_TOKEN, spoolDir })
  const { telemetry, close } = await openTelemetry({
    log,
    agentId: env.BENCH_AGENT_ID,
    version: env.VERSION,
    address: env.BENCH_METRICS,
    target,
    health: () => readHealth(healthFile, new Date()),
  })
  const secret = agentSecret(env.BENCH_DATA, env.BENCH_AGENT_ID, (line) => log('warn', line))
  const owner = ownerOf(secret)
  const health = openHealthFile(healthFile, env.BENCH_EDGE_URL, () => new Date())
  const sandboxes = keepTrying(
    openSandboxes(
      sandboxHosts(given, (line) => log('warn', line), owner),
      env.BENCH_DATA,
      machineHost(given, { ...meterImages(telemetry), owner }),
    ),
    processClock,
    (line) => log('info', line),
  )
  const replaySource = { edgeUrl: env.BENCH_EDGE_URL, token: env.BENCH_AGENT_TOKEN, clock: processClock, fetch }
  const tellSandy = createSandyTeller(given)
  const agent = startAgent({
    edgeUrl: env.BENCH_EDGE_URL,
    token: env.BENCH_AGENT_TOKEN,
    agentId: env.BENCH_AGENT_ID,
    secret,
    host: hostname(),
    version: env.VERSION,
    capabilities: ['llm', ...capabilitiesOf(providers), ...(tellSandy ? [tellsSandy] : [])],
    slots: env.BENCH_SLOTS,
    resources: await announceResources(env.BENCH_DATA, []),
    onFound: (hear) => sandboxes.onFound(({ resources }) => hear(resources)),
    listItems: async (of) => {
      const listed = await listItems(of, dataset)
      return listed.ok ? listed : withoutSecrets(listed, secrets)
    },
    equip: (gateOf, presenceAt) =>
      createEquip({
        ...{ providers, env: dataset, slots: env.BENCH_SLOTS, gateOf, token: env.BENCH_AGENT_TOKEN, telemetry },
        sandboxes: sandboxes.latest,
        measuredBy: (run_id) => ({ agent: aliasOf({ run_id }, presenceAt(run_id).session).agent_id, place: env.BENCH_PLACE || null }),
        artifactsOf: (run_id) => store.of(run_id, () => presenceAt(run_id)),
        uploadsOf: (run_id) =>
          uploadsOfRun(run_id, () => presenceAt(run_id), {
            edgeUrl: env.BENCH_EDGE_URL,
            token: env.BENCH_AGENT_TOKEN,
            clock: processClock,
          }),
        handedOverOf: (run_id) => (archive, signal) => fetchHandedOver(run_id, archive, () => presenceAt(run_id), replaySource, signal),
        replayOf: (run_id) => fetchReplay(run_id, () => presenceAt(run_id), replaySource),
      }),
    ...(tellSandy && { tellSandy }),
    telemetry,
    onHealth: health.write,
    blocks: watch.blocks,
    usage: measureMachine(machineReadings(env.BENCH_DATA)),
  })
  const drain = (): void => void agent.drain()
  stop.addEventListener('abort', drain)
  if (stop.aborted) drain()
  const end = await agent.finished
  stop.removeEventListener('abort', drain)
  await store.close()
  await sandboxes.close()
  health.remove()
  watch.stop()
  await heavy.close()
  await close()
  log(end.type === 'drained' ? 'info' : 'error', `agent stops: ${end.type === 'drained' ? 'drained' : end.why}`)
  return end.type === 'drained' ? 0 : 1
}

/** Whom lines are for, where the environment says so. */
const readForm = (text: string | undefined): LogForm | undefined => (text === 'json' || text === 'plain' ? text : undefined)
