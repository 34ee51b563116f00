import { appendFileSync, closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StreamedEvent } from '#shared/contract/event.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ReplayAnswers } from '#shared/contract/replay.ts'
import { type RunHead, RunSpec } from '#shared/contract/run.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import type { ExportTrial } from '#shared/export/bundle.ts'
import { trialCount } from '#shared/run/plan.ts'
import { fromStreamed } from '#shared/run/stream.ts'

/** Trials of a page, and bytes of their lines: a heavier trial is a page of its own. */
const pageSize = 250
const pageBytes = 4_000_000

/**
 * The files of one local run below `out`: `spec.json` and the answers it replays at once, `events.jsonl` and `records.jsonl` as they come, `head.json` at the end.
 * What was appended has left this process when the call returns; everything here throws the error of the file system.
 */
export function openRunFolder(out: string, spec: RunSpec, replay?: ReplayAnswers | null): RunFolder {
  const dir = join(out, spec.run_id)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'spec.json'), `${JSON.stringify(spec, null, 2)}\n`, { flag: 'wx' })
  if (replay) writeFileSync(join(dir, replayFile), `${JSON.stringify(replay)}\n`, { flag: 'wx' })
  const events = openSync(join(dir, 'events.jsonl'), 'ax')
  const records = openSync(join(dir, 'records.jsonl'), 'ax+')
  return folderOf({ dir, spec, events, records, places: new Map() })
}
const replayFile = 'replay.json'

/** The answers that a run's folder keeps, unchecked. */
export function readKeptReplay(dir: string): Outcome<unknown> {
  try {
    return { ok: true, value: JSON.parse(readFileSync(join(dir, replayFile), 'utf8')) }
  } catch (error) {
    const detail = `The answers to replay are not in the folder: ${error instanceof Error ? error.message : error}`.slice(0, 2000)
    return { ok: false, failure: { at: 'replay', reason: 'unavailable', retryable: false, status: null, detail } }
  }
}

export type RunFolder = ReturnType<typeof folderOf>

type Place = { at: number; length: number }
type OpenFolder = { dir: string; spec: RunSpec; events: number; records: number; places: Map<number, Place> }

/** What an earlier process left of a run that has to go on: its folder, its events, and the results of which no event tells. */
export type KeptRun = { spec: RunSpec; folder: RunFolder; events: StreamedEvent[]; untold: ExportTrial[] }

/**
 * Opens the folder of a run, to go on with it or only to read it. Lines that a dying process left unfinished are cut off before anything is
 * appended. Throws the error of the
 * file system or of the schema for what is no such folder.
 */
export function reopenRunFolder(dir: string, mode: 'append' | 'read'): KeptRun {
  const spec = RunSpec.parse(JSON.parse(readFileSync(join(dir, 'spec.json'), 'utf8')))
  const open = (name: string): number => openSync(join(dir, name), mode === 'append' ? 'a+' : 'r')
  const [events, records] = [open('events.jsonl'), open('records.jsonl')]
  const told: StreamedEvent[] = []
  for (const { text } of wholeLines(events, mode)) told.push(StreamedEvent.parse(JSON.parse(text)))
  const known = new Set(told.flatMap(ordinalsTold))
  const places = new Map<number, Place>()
  const untold = new Map<number, ExportTrial>()
  for (const { text, at, length } of wholeLines(records, mode)) {
    const { finished_at, run_id: _, ...rest } = JSON.parse(text) as { finished_at: string; run_id: string }
    const record = TrialRecord.parse(rest)
    places.set(record.ordinal, { at, length })
    if (!known.has(record.ordinal)) untold.set(record.ordinal, { record, finished_at })
  }
  return { spec, folder: folderOf({ dir, spec, events, records, places }), events: told, untold: [...untold.values()] }
}

function ordinalsTold(event: StreamedEvent): number[] {
  const parsed = fromStreamed(event)
  return parsed?.event_type === 'benchmark_progress' ? parsed.data.results.map(({ ordinal }) => ordinal) : []
}

/** The lines of a file from its beginning; what stands behind the last line feed is left out, and cut off where lines will be appended. */
function* wholeLines(file: number, mode: 'append' | 'read'): Generator<{ text: string } & Place> {
  const chunk = Buffer.alloc(1 << 20)
  let rest = Buffer.alloc(0)
  let at = 0
  for (let position = 0; ; ) {
    const size = readSync(file, chunk, 0, chunk.length, position)
    if (size === 0) break
    position += size
    rest = Buffer.concat([rest, chunk.subarray(0, size)])
    let begin = 0
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, begin)) {
      const length = end + 1 - begin
      yield { text: rest.toString('utf8', begin, end), at, length }
      at += length
      begin = end + 1
    }
    rest = rest.subarray(begin)
  }
  if (rest.length > 0 && mode === 'append') ftruncateSync(file, at)
}

function folderOf({ dir, spec, events, records, places }: OpenFolder) {
  const read = (ordinal: number): ExportTrial[] => {
    const place = places.get(ordinal)
    if (!place) return []
    const bytes = Buffer.alloc(place.length)
    readSync(records, bytes, 0, place.length, place.at)
    const {
      finished_at,
      run_id: _,
      ...record
    } = JSON.parse(bytes.toString('utf8')) as TrialRecord & { finished_at: string; run_id: string } // written by `append`
    return [{ record, finished_at }]
  }

  /** Ordinals from `first` up to `end` that have a record, in pages. */
  function* pagesOf(first: number, end: number): Generator<number[]> {
    let page: number[] = []
    let bytes = 0
    for (let ordinal = first; ordinal < end; ordinal++) {
      const length = places.get(ordinal)?.length
      if (length === undefined) continue
      if (page.length > 0 && (page.length === pageSize || bytes + length > pageBytes)) {
        yield page
        page = []
        bytes = 0
      }
      page.push(ordinal)
      bytes += length
    }
    if (page.length > 0) yield page
  }

  return {
    dir,
    /** Records go first: an event never tells of a result that is not kept. */
    append(trials: readonly ExportTrial[], streamed: readonly StreamedEvent[]): void {
      let at = trials.length > 0 ? fstatSync(records).size : 0
      const lines = trials.map(({ record, finished_at }) => {
        const line = `${JSON.stringify({ run_id: spec.run_id, finished_at, ...record })}\n`
        const place = { at, length: Buffer.byteLength(line) }
        at += place.length
        return { ordinal: record.ordinal, line, place }
      })
      if (lines.length > 0) appendFileSync(records, lines.map(({ line }) => line).join(''))
      for (const { ordinal, place } of lines) places.set(ordinal, place)
      if (streamed.length > 0) appendFileSync(events, streamed.map((event) => `${JSON.stringify(event)}\n`).join(''))
    },
    /** The finished trials of a benchmark in the order of the plan, in pages. */
    async *trials(benchmark: string): AsyncGenerator<ExportTrial[]> {
      let first = 0
      for (const planned of spec.benchmarks) {
        const end = first + trialCount(planned)
        if (planned.name === benchmark) for (const ordinals of pagesOf(first, end)) yield ordinals.flatMap(read)
        first = end
      }
    },
    /** Writes where the run came to rest. */
    saveHead: (head: RunHead): void => writeFileSync(join(dir, 'head.json'), `${JSON.stringify(head, null, 2)}\n`),
    close(): void {
      closeSync(events)
      closeSync(records)
    },
  }
}
