import { join, resolve } from 'node:path'
import * as z from 'zod'
import { type DatasetEnv, datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { DatasetError } from '#fleet/dataset/dataset-error.ts'
import { openHubFile } from '#fleet/dataset/hub.ts'
import { archivePath } from '#fleet/dataset/rows.ts'
import { benchmarksDir } from '#fleet/program.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import type { Card } from '#shared/contract/card.ts'
import { checks, type Finding, lookAt } from '../checks.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, type Io } from '../io.ts'
import { cleanLine, paint } from '../terminal.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary:
    'Looks at everything this machine can offer; each line says ok, or what is missing and what to do. Exit code 1 when nothing could run.',
  options: { pins: { help: 'open every pinned data file (downloads it) and print its SHA-256' } },
  values: z.object({ pins: z.boolean().default(false) }),
  examples: ['bench doctor', 'bench doctor --json | jq -r "select(.ok | not) | .fix"', 'bench doctor --pins'],
  async run({ values, json }, io) {
    const dataDir = resolve(io.env.BENCH_DATA || '.data')
    const env = datasetEnv(io.env, { cacheDir: join(dataDir, 'cache'), benchmarksDir, signal: io.signal })
    if (values.pins) return pins(env, json, io)
    const place = { hfEndpoint: env.hfEndpoint, githubRawEndpoint: env.githubRawEndpoint, dataDir, port: Number(io.env.PORT || 8787) }
    const findings = await Promise.all(checks(place).map(lookAt))
    for (const finding of findings) io.out(json ? JSON.stringify(finding) : lineOf(finding, io.colour))
    return findings.some((finding) => !finding.ok && finding.needed_for === null) ? exitCodes.error : exitCodes.ok
  },
})

function lineOf({ name, ok, detail, needed_for, fix }: Finding, colour: boolean): string {
  const state = ok ? paint('ok     ', 'green', colour) : paint('missing', needed_for === null ? 'red' : 'yellow', colour)
  const advice = fix === null ? '' : `  (for ${needed_for ?? 'everything'}; ${fix})`
  return `${state}  ${name.padEnd(14)}  ${cleanLine(detail, 100)}${advice}`
}

type Pin = { benchmark: string; repo: string; revision: string; path: string; pinned: string | null; seen: string | null; state: string }

async function pins(env: DatasetEnv, json: boolean, io: Io): Promise<number> {
  let failed = false
  for (const card of cards) {
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
