import { judgeOutputOf, responseOf } from '../contract/evidence/evidence.ts'
import { failureClass } from '../contract/failure.ts'
import { mapRoles, type RoleSpent } from '../contract/role.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { ListedItem } from './bundle-schema.ts'
import { legacyTime } from './legacy-json.ts'
import { testCodeOf } from './test-code.ts'

/** Marks a record whose text is left out, because its data set is gated. */
export const withheldFlag = 'withheld'

/** Fields of the predecessor's item that its lists and its bundles share. */
export function predecessorFields(record: TrialRecord) {
  return {
    item_id: record.item_id,
    item_hash: record.item_hash,
    prompt: record.messages.findLast((message) => message.role === 'user')?.content ?? '',
    response: responseOf(record.evidence),
    expected: record.expected,
    is_correct: record.outcome === 'failed' ? null : record.outcome === 'right',
    score: record.score,
    latency_ms: record.latency_ms,
    input_tokens: record.usage.input_tokens,
    output_tokens: record.usage.output_tokens,
    test_code: testCodeOf(record),
    item_metadata: record.item_metadata,
    judge_output: judgeOutputOf(record.evidence),
  }
}

/** Returns a trial as `results.json` lists it: the predecessor's fifteen fields. Every one follows from the record. */
export function listedItem(record: TrialRecord, finished_at: string): ListedItem {
  return {
    ...predecessorFields(record),
    error: record.failure ? `${failureClass(record.failure)}: ${record.failure.detail}` : null,
    created_at: legacyTime(finished_at),
  }
}

/** Returns the record without an empty `detail`, as a line of `items.jsonl` has it. */
export function withoutEmptyDetail(record: TrialRecord): TrialRecord {
  if (Object.keys(record.detail).length > 0) return record
  const { detail: _empty, ...rest } = record
  return rest as TrialRecord // whoever parses it gets the empty detail back
}

const unreported = (spent: RoleSpent): RoleSpent => ({ ...spent, model_reported: null })

/** The record without any text of its item: counts, times and outcome remain. */
export function withoutText(record: TrialRecord): TrialRecord {
  return {
    ...record,
    item_hash: '',
    answer: null,
    expected: null,
    explanation: null,
    detail: {},
    messages: [],
    evidence: null,
    failure: record.failure && { ...record.failure, detail: '' },
    item_metadata: {},
    model_reported: null,
    system_fingerprint: null,
    ...(record.roles && { roles: mapRoles(record.roles, unreported) }),
    ...(record.transcript && { transcript: null }),
    ...(record.artifacts && { artifacts: [] }),
    flags: [...record.flags, withheldFlag],
  }
}
