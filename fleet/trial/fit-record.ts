import { answerCutFlag, evidenceName, headOf, sectionsOf, shortened } from '#shared/contract/evidence/evidence.ts'
import type { Failure } from '#shared/contract/failure.ts'
import { maxRecordBytes } from '#shared/contract/frame.ts'
import { mostInlineTranscript } from '#shared/contract/transcript.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import type { Kit } from '#shared/solvers/kit.ts'

/** Characters of each text that a record keeps of an answer too large for it: as many of these as fit. */
const headChars = [100_000, 10_000, 1000]

/**
 * A record that the edge can store. Reasoning, which no scorer reads, is cut first and the cut is flagged. An answer that is too large even so is
 * kept as an artifact with all that was scored, and the record has its beginning; where it cannot be kept the trial fails, as nobody could look
 * at what its score stands on. `keep` is the kit's of this trial.
 */
export function fitRecord(record: TrialRecord, keep: Kit['keep'], most = maxRecordBytes): TrialRecord | Promise<TrialRecord> {
  return longTexts(record) * 6 + 50_000 < most ? record : cutToFit(record, keep, most)
}

async function cutToFit(record: TrialRecord, keep: Kit['keep'], most: number): Promise<TrialRecord> {
  const bytes = jsonBytes(record)
  if (bytes <= most) return record
  const { evidence, artifacts = [] } = record
  const tooLarge = `The trial's record has ${bytes} bytes, ${most} can be stored`
  if (!evidence) return unkept(record, beyond(`${tooLarge}.`))
  // Escaping makes JSON longer than the text, never shorter: cutting twice the excess is enough for all but control characters.
  const cut = { ...record, flags: [...record.flags, 'reasoning_cut'], evidence: shortened(evidence, 2 * (bytes - most)) }
  if (jsonBytes(cut) <= most) return cut
  const head = headChars
    .map((chars) => ({ ...record, flags: [...record.flags, answerCutFlag], evidence: headOf(evidence, chars) }))
    .find((one) => jsonBytes(one) + roomForItsName <= most)
  if (!head) return unkept(record, beyond(`${tooLarge}, and it is too large without its answer.`))
  const body = new TextEncoder().encode(JSON.stringify(evidence))
  const kept = await keep({ name: evidenceName, kind: 'file', media_type: 'application/json', body })
  if (kept.ok) return { ...head, artifacts: [...artifacts.filter(({ name }) => name !== evidenceName), kept.value] }
  // Not tried again by itself: the model has answered, and would be asked again.
  const detail = `${tooLarge}, and its answer could not be kept apart: ${kept.failure.detail}`.slice(0, 2000)
  return unkept(record, { ...kept.failure, retryable: false, detail })
}

/** Bytes of JSON that the reference to the artifact takes. */
const roomForItsName = 300

function beyond(detail: string): Failure {
  return { at: 'provider', reason: 'too-large', retryable: false, status: null, detail }
}

function unkept(record: TrialRecord, failure: Failure): TrialRecord {
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
    failure,
  }
}

const jsonBytes = (record: TrialRecord): number => Buffer.byteLength(JSON.stringify(record))

/** Characters of the fields that can be long; JSON makes six of one at worst. Spares nearly every record the exact count. */
function longTexts({ messages, evidence, transcript }: TrialRecord): number {
  const texts = [...sectionsOf(evidence).map((section) => section.text), ...messages.map((message) => message.content)]
  const steps = transcript && transcript.length > 0 ? mostInlineTranscript : 0
  return texts.reduce((sum, text) => sum + text.length, steps)
}
