import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamedEvent } from '#shared/contract/event.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import type { ExportTrial } from '#shared/export/build-results.ts'
import { trialCount } from '#shared/run/plan.ts'

const pageSize = 250

/**
 * The files of one local run below `out`: `spec.json` at once, `events.jsonl` and `records.jsonl` as they come, `head.json` at the end.
 * What was appended has left this process when the call returns; everything here throws the error of the file system.
 */
export function openRunFolder(out: string, spec: RunSpec) {
  const dir = join(out, spec.run_id)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'spec.json'), `${JSON.stringify(spec, null, 2)}\n`, { flag: 'wx' })
  const events = openSync(join(dir, 'events.jsonl'), 'ax')
  const records = openSync(join(dir, 'records.jsonl'), 'ax+')
  const places = new Map<number, { at: number; length: number }>()

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
        for (; planned.name === benchmark && first < end; first += pageSize) {
          const ordinals = Array.from({ length: Math.min(pageSize, end - first) }, (_, index) => first + index)
          yield ordinals.flatMap(read)
        }
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
export type RunFolder = ReturnType<typeof openRunFolder>
