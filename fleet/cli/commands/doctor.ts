import { join, resolve } from 'node:path'
import wrapAnsi from 'wrap-ansi'
import * as z from 'zod'
import { type DatasetEnv, datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { DatasetError } from '#fleet/dataset/dataset-error.ts'
import { openHubFile } from '#fleet/dataset/hub.ts'
import { archivePath } from '#fleet/dataset/rows.ts'
import { machineHost } from '#fleet/machine/machine-host.ts'
import { benchmarksDir } from '#fleet/program.ts'
import { sandboxHosts } from '#fleet/sandbox/sandbox-hosts.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import { builtinRepo, type Card } from '#shared/contract/card.ts'
import { checks, type Finding, lookAt } from '../checks.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, type Io } from '../io.ts'
import { machineCheck, machineTriedOnce } from '../machine-check.ts'
import { sandboxChecks, triedOnce } from '../sandbox-checks.ts'
import { serviceChecks } from '../service-checks.ts'
import { cleanLine, paint } from '../terminal.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary:
    'Checks this machine and its connections (service, key, providers, fleet). Each line says ok, or names the missing part, its purpose and a remedy. Exit code 1 when no benchmark can run.',
  options: { pins: { help: 'open every pinned data file (downloads it) and print its SHA-256' } },
  values: z.object({ pins: z.boolean().default(false) }),
  examples: ['bench doctor', 'bench doctor --json | jq -r "select(.ok | not) | .fix"', 'bench doctor --pins'],
  async run({ values, json, url }, io) {
    const dataDir = resolve(io.env.BENCH_DATA || '.data')
    const env = datasetEnv(io.env, { cacheDir: join(dataDir, 'cache'), benchmarksDir, signal: io.signal })
    if (values.pins) return pins(env, json, io)
    const place = { hfEndpoint: env.hfEndpoint, githubRawEndpoint: env.githubRawEndpoint, dataDir, port: Number(io.env.PORT) || 8787 }
    const hosts = triedOnce(sandboxHosts(io.env), io.signal)
    const machines = machineTriedOnce(machineHost(io.env))
    const asked = [
      ...checks(place, hosts, machines),
      ...sandboxChecks(hosts),
      machineCheck(machines, io.env),
      ...(await serviceChecks(io, url ?? (io.env.BENCH_URL ? undefined : io.env.BENCH_EDGE_URL || undefined))),
    ]
    const findings = await Promise.all(asked.map(lookAt))
    for (const finding of findings) for (const line of json ? [JSON.stringify(finding)] : linesOf(finding, io)) io.out(line)
    return findings.some((finding) => !finding.ok && finding.needed_for === null) ? exitCodes.error : exitCodes.ok
  },
})

/** A line of what was found; what to do about it stands below, never wider than the terminal. */
function linesOf({ name, ok, detail, needed_for, fix }: Finding, io: Io): string[] {
  const state = ok ? paint('ok     ', 'green', io.colour) : paint('missing', needed_for === null ? 'red' : 'yellow', io.colour)
  const wrapped = (text: string, indent: string) =>
    wrapAnsi(text, Math.max(20, (io.columns ?? 400) - indent.length), { hard: true }).split('\n')
  const [first = '', ...rest] = wrapped(cleanLine(detail, 300), ' '.repeat(25))
  const advice = fix === null ? [] : wrapped(`for ${needed_for ?? 'everything'}: ${fix}`, ' '.repeat(9))
  return [
    `${state}  ${name.padEnd(14)}  ${first}`,
    ...rest.map((line) => ' '.repeat(25) + line),
    ...advice.map((line) => ' '.repeat(9) + line),
  ]
}

type Pin = { benchmark: string; repo: string; revision: string; path: string; pinned: string | null; seen: string | null; state: string }

async function pins(env: DatasetEnv, json: boolean, io: Io): Promise<number> {
  let failed = false
  for (const card of cards.filter(({ data }) => data.repo !== builtinRepo)) {
    for (const file of card.data.files) {
      const pin = await lookAtPin(card, file, env)
      failed ||= pin.seen === null
      io.out(
        json
          ? JSON.stringify(pin)
          : `${pin.state.padEnd(8)}  ${pin.benchmark}  ${pin.repo}@${pin.revision.slice(0, 12)}  ${pin.path}  ${pin.seen ?? ''}`,
      )
    }
  }
  return failed ? exitCodes.error : exitCodes.ok
}

async function lookAtPin(card: Card, file: Card['data']['files'][number], env: DatasetEnv): Promise<Pin> {
  const { repo, revision } = card.data
  const pin = { benchmark: card.name, repo, revision, path: file.path, pinned: file.sha256 }
  try {
    const { sha256 } = await openHubFile({ repo, revision, path: archivePath(file.path).path, sha256: file.sha256 }, env)
    return { ...pin, seen: sha256, state: file.sha256 === null ? 'not pinned' : 'ok' }
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error
    return { ...pin, seen: null, state: error.failure.reason }
  }
}
