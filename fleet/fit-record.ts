import { maxRecordBytes } from '#shared/contract/frame.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'

/**
 * A record that the edge can store. Reasoning, which no scorer reads, is cut first and the cut is flagged; an answer that is too large even
 * so cannot be kept as evidence, and the trial fails as `provider/too-large` rather than being scored on a part of it.
 */
export function fitRecord(record: TrialRecord, most = maxRecordBytes): TrialRecord {
  if (longTexts(record) * 6 + 50_000 < most) return record
  const over = jsonBytes(record) - most
  if (over <= 0) return record
  const { evidence } = record
  const reasoning = evidence?.reasoning ?? ''
  // Escaping makes JSON longer than the text, never shorter: cutting twice the excess is enough for all but control characters.
  const cut = {
    ...record,
    flags: [...record.flags, 'reasoning_cut'],
    evidence: evidence && { ...evidence, reasoning: reasoning.slice(0, Math.max(0, reasoning.length - 2 * over)) },
  }
  if (jsonBytes(cut) <= most) return cut
  const detail = `The trial's record has ${over + most} bytes, ${most} can be stored.`
  return {
    ...record,
    outcome: 'failed',
    score: null,
    answer: null,
    explanation: null,
    flags: [],
    detail: {},
    messages: [],
    item_metadata: {},
    evidence: null,
    failure: { at: 'provider', reason: 'too-large', retryable: false, status: null, detail },
  }
}

const jsonBytes = (record: TrialRecord): number => Buffer.byteLength(JSON.stringify(record))

/** Characters of the fields that can be long; JSON makes six of one at worst. Spares nearly every record the exact count. */
function longTexts({ messages, evidence }: TrialRecord): number {
  const replies = evidence?.kind === 'judged' ? (evidence.judge?.replies ?? []) : []
  const texts = [evidence?.text ?? '', evidence?.reasoning ?? '', ...replies, ...messages.map((message) => message.content)]
  return texts.reduce((sum, text) => sum + text.length, 0)
}
