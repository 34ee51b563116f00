import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { artifactsDir } from '#fleet/artifacts/folder-store.ts'
import { reopenRunFolder } from '#fleet/coordinator/run-folder.ts'
import { openFileSource } from '#fleet/file-source.ts'
import { Run } from '#shared/contract/api.ts'
import { isTerminal, type PlannedBenchmark, RunSpec } from '#shared/contract/run.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import { type BundleRecords, readRecords } from '#shared/export/read-records.ts'
import { BadArchive } from '#shared/export/read-zip.ts'
import type { ReadArtifact } from '#shared/run/evidence-apart.ts'
import type { Client } from './client.ts'
import { findRunId } from './find-run.ts'
import { CommandError, type Io } from './io.ts'

/** A finished run with its records in the order of the plan; messages may be left out. `artifact` gives what a trial left behind. */
export type RecordSource = {
  run_id: string
  benchmarks: readonly PlannedBenchmark[]
  records(): AsyncIterable<TrialRecord>
  artifact: ReadArtifact
}

/** A run of the service: its records come as the export gives them to this visitor. */
export async function openServedRun(client: Client, named: string, io: Pick<Io, 'signal'>): Promise<RecordSource> {
  const run_id = await findRunId(client, named)
  const run = await client.get(`/api/runs/${run_id}`, Run)
  if (!isTerminal(run.status)) throw new CommandError(`The run is ${run.status}. It can be scored again when it has ended.`, 'wrong-state')
  const broken = (sentence: string, cause: unknown): CommandError => {
    if (io.signal.aborted) return new CommandError('interrupted', 'interrupted', null, { cause })
    return cause instanceof CommandError ? cause : new CommandError(sentence, 'unreachable', null, { cause })
  }
  const records = async function* () {
    const response = await client.open(`/api/runs/${run_id}/export?format=jsonl`)
    try {
      if (response.body) yield* parseLines(response.body)
    } catch (cause) {
      throw broken(`The records of ${run_id} broke off on their way.`, cause)
    }
  }
  const artifact: ReadArtifact = async ({ ordinal, artifacts }, sha256) => {
    const named = artifacts?.find((one) => one.sha256 === sha256)
    if (!named) return null
    try {
      const path = `/api/runs/${run_id}/artifacts/${ordinal}/${encodeURIComponent(named.name)}?sha256=${sha256}`
      return new Uint8Array(await (await client.open(path)).arrayBuffer())
    } catch (cause) {
      if (cause instanceof CommandError && (cause.status === 404 || cause.status === 501)) return null // not kept any more, or never
      throw broken(`An answer of ${run_id} broke off on its way.`, cause)
    }
  }
  return { run_id, benchmarks: run.spec.benchmarks, records, artifact }
}

/** The folder of a local run (`bench run --local`), or a ZIP that `bench export` gave. */
export async function openLocalRun(path: string): Promise<RecordSource> {
  return statSync(path).isDirectory() ? openFolder(path) : openBundle(path)
}

async function openFolder(path: string): Promise<RecordSource> {
  const [spec, records] = [join(path, 'spec.json'), join(path, 'records.jsonl')]
  if (!existsSync(spec) || !existsSync(records))
    throw new CommandError(`${path} is not the folder of a run: it has no spec.json with records.jsonl.`)
  const parsed = RunSpec.safeParse(parseJson(await readFile(spec, 'utf8')))
  if (!parsed.success) throw new CommandError(`${spec} is not what a run was asked: ${z.prettifyError(parsed.error).split('\n')[0]}`)
  const { run_id, benchmarks } = parsed.data
  return {
    run_id,
    benchmarks,
    async *records() {
      const { folder } = reopenRunFolder(path, 'read')
      try {
        for (const { name } of benchmarks) for await (const page of folder.trials(name)) yield* page.map(({ record }) => record)
      } finally {
        folder.close()
      }
    },
    artifact: (_, sha256) => readFile(join(artifactsDir(path), sha256)).catch(() => null),
  }
}

async function openBundle(path: string): Promise<RecordSource> {
  const refuse = (error: unknown): never => {
    if (!(error instanceof BadArchive)) throw error
    throw new CommandError(`${path} cannot be read: ${error.message}.`, 'failed', null, { cause: error })
  }
  const { spec } = await specOf(path).catch(refuse)
  return {
    run_id: spec.run_id,
    benchmarks: spec.benchmarks,
    async *records() {
      await using source = await openFileSource(path)
      try {
        yield* (await readRecords(source)).records()
      } catch (error) {
        refuse(error)
      }
    },
    async artifact(_, sha256) {
      await using source = await openFileSource(path)
      try {
        return await (await readRecords(source)).artifact(sha256)
      } catch (error) {
        return refuse(error)
      }
    },
  }
}

async function specOf(path: string): Promise<Pick<BundleRecords, 'spec'>> {
  await using source = await openFileSource(path)
  return await readRecords(source)
}

/** One record a line. Only line feeds end a line: other breaks that editors know may stand inside a text. */
async function* parseLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TrialRecord> {
  const decoder = new TextDecoder()
  let rest = ''
  let number = 0
  for await (const bytes of chunks) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parseRecord(line, ++number)
  }
  if (rest) yield parseRecord(rest, ++number)
}

function parseRecord(line: string, number: number): TrialRecord {
  const record = TrialRecord.safeParse(parseJson(line))
  if (record.success) return record.data
  throw new CommandError(`Line ${number} of the records is not a record (${z.prettifyError(record.error).split('\n')[0]}).`, 'bad-answer')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
