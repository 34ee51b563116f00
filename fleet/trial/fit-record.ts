import { sectionsOf, shortened } from '#shared/contract/evidence/evidence.ts'
import { maxRecordBytes } from '#shared/contract/frame.ts'
import { mostInlineTranscript } from '#shared/contract/transcript.ts'
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
  // Escaping makes JSON longer than the text, never shorter: cutting twice the excess is enough for all but control characters.
  const cut = {
    ...record,
    flags: [...record.flags, 'reasoning_cut'],
    evidence: evidence && shortened(evidence, 2 * over),
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
    transcript: null,
    failure: { at: 'provider', reason: 'too-large', retryable: false, status: null, detail },
  }
}

const jsonBytes = (record: TrialRecord): number => Buffer.byteLength(JSON.stringify(record))

/** Characters of the fields that can be long; JSON makes six of one at worst. Spares nearly every record the exact count. */
function longTexts({ messages, evidence, transcript }: TrialRecord): number {
  const texts = [...sectionsOf(evidence).map((section) => section.text), ...messages.map((message) => message.content)]
  const steps = transcript && transcript.length > 0 ? mostInlineTranscript : 0
  return texts.reduce((sum, text) => sum + text.length, steps)
}
