import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Step } from '#shared/contract/transcript.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { artifactsDir } from './folder-store.ts'

/** A record of the local run in `runDir` with its transcript, also where that was too long for the record and lies beside it as an artifact. */
export async function withTranscript(record: TrialRecord, runDir: string): Promise<TrialRecord> {
  const kept = record.transcript ? undefined : record.artifacts?.find(({ kind }) => kind === 'transcript')
  if (!kept) return record
  const text = await readFile(join(artifactsDir(runDir), kept.sha256), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return { ...record, transcript: lines.map((line) => Step.parse(JSON.parse(line))) }
}
