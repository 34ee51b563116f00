import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { artifactsDir } from '#fleet/artifacts/folder-store.ts'
import { withTranscript } from '#fleet/artifacts/kept-transcript.ts'
import { readLocalRun } from '#fleet/run-local.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { CommandError, type Io } from './io.ts'
import { itemText } from './item-text.ts'
import { count } from './numbers.ts'
import { noRecording, recordingText } from './recording-text.ts'
import { resultText } from './run-here.ts'
import { type Column, cleanLine, table } from './terminal.ts'

const columns: Column[] = [
  { title: 'item', whole: true },
  { title: 'epoch', right: true },
  { title: 'outcome' },
  { title: 'answer' },
  { title: 'expected' },
  { title: 'ms', right: true },
]

export type Wanted = {
  benchmark: string | undefined
  item: string | undefined
  outcome?: string | undefined
  search?: string | undefined
  epoch?: number | undefined
  limit: number
  /** The last screens of the item's recordings in place of its texts. */
  recording?: boolean
}

/** A local run, the items of one of its benchmarks, or one item, from the files of its folder. */
export async function showHere(dir: string, wanted: Wanted, io: Io): Promise<{ record: unknown; lines: string[] }> {
  const { folder, ...run } = await readLocalRun(dir).catch((error: unknown) => {
    throw error instanceof RunRefused ? new CommandError(error.message, error.code, null, { cause: error }) : error
  })
  try {
    const { benchmark, item } = wanted
    if (benchmark === undefined) return { record: run, lines: resultText(run, io) }
    const known = Object.keys(run.head.benchmarks)
    if (!known.includes(benchmark))
      throw new CommandError(`This run has no benchmark "${cleanLine(benchmark)}"; it has: ${known.join(', ')}.`, 'not-found')
    const found: TrialRecord[] = []
    for await (const page of folder.trials(benchmark))
      found.push(...page.map(({ record }) => record).filter((record) => fits(record, wanted)))
    if (item === undefined) return { record: found.slice(0, wanted.limit), lines: itemLines(found, wanted.limit, io) }
    const [first] = found
    if (!first) throw new CommandError(`The run has no answer to ${cleanLine(benchmark)} item ${cleanLine(item)} yet.`, 'not-found')
    if (wanted.recording) return { record: first, lines: await keptScreens(first, dir, io) }
    const record = await withTranscript(first, dir)
    return { record, lines: itemText({ item: { ...record, ...record.usage }, record }, io.colour) }
  } finally {
    folder.close()
  }
}

async function keptScreens({ artifacts = [] }: TrialRecord, dir: string, io: Io): Promise<string[]> {
  const lines: string[] = []
  for (const { name, kind, sha256 } of artifacts)
    if (kind === 'recording') lines.push(...recordingText(name, await readFile(join(artifactsDir(dir), sha256), 'utf8'), io.colour))
  return lines.length > 0 ? lines : [noRecording]
}

function fits(record: TrialRecord, { item, outcome, search, epoch }: Wanted): boolean {
  if (item !== undefined && (record.item_id !== item || record.epoch !== (epoch ?? 0))) return false
  if (outcome !== undefined && record.outcome !== outcome) return false
  if (epoch !== undefined && record.epoch !== epoch) return false
  return (
    search === undefined || JSON.stringify([record.item_id, record.messages, record.evidence]).toLowerCase().includes(search.toLowerCase())
  )
}

function itemLines(records: readonly TrialRecord[], limit: number, io: Io): string[] {
  const rows = records
    .slice(0, limit)
    .map((record) => [
      record.item_id,
      String(record.epoch),
      record.failure ? `${record.outcome} (${record.failure.at}/${record.failure.reason})` : record.outcome,
      record.answer ?? '–',
      record.expected ?? '–',
      record.latency_ms === null ? '–' : count(Math.round(record.latency_ms)),
    ])
  return [...table(columns, rows, io.columns), `${count(rows.length)} of ${count(records.length)} items`]
}
