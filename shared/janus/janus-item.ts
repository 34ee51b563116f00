import { pictureOf } from '../benchmarks/exam-record.ts'
import { itemHash } from '../benchmarks/item-hash.ts'
import type { Item } from '../contract/item.ts'
import type { Message, Picture } from '../contract/message.ts'
import type { HiddenPart } from './hidden-part.ts'
import type { ItemMessage } from './item-parts.ts'
import { groupOf, type JanusItem } from './item-schema.ts'

/** Fields that are the question itself, that are kept from the model, or that are for people who make items. */
const apart = new Set(['id', 'prompt', 'messages', 'input', 'image_url', 'pictures', 'simulated', 'answer_note'])

/** An item as the model is asked it; what it is scored by is its metadata, under the names of the row. */
export function toItem(row: JanusItem, index: number): Item {
  const messages = messagesOf(row)
  const pictures = messages
    .flatMap((message) => message.pictures ?? [])
    .map(({ media_type, sha256, bytes }) => ({ media_type, sha256, bytes }))
  const kept = Object.entries(row).filter(([name]) => !apart.has(name))
  const scored =
    row.benchmark === 'janus_public' && Object.fromEntries(Object.entries(row.expected).filter(([name]) => name !== 'test_cases'))
  return {
    item_id: String(index),
    source_id: row.benchmark === 'janus_public' ? `${row.suite}/${row.id}` : row.id,
    item_hash: itemHash(messages),
    group: groupOf(row),
    messages,
    target: targetOf(row),
    metadata: {
      ...Object.fromEntries(kept),
      ...(scored && { expected: scored }),
      has_image_input: pictures.length > 0,
      ...(pictures.length > 0 && { pictures }),
    },
  }
}

/** What its tools answer and what its program is tested with. */
export function hiddenOf(row: JanusItem): HiddenPart {
  const simulated = 'simulated' in row && row.simulated ? row.simulated : []
  if (row.benchmark !== 'janus_public' || row.subtype !== 'code') return { simulated }
  const { function_name, test_cases } = row.expected
  return { simulated, cases: { function_name, test_cases } }
}

function messagesOf(row: JanusItem): Message[] {
  if (row.benchmark === 'janus_public') return row.input.messages.map(toMessage)
  if ('messages' in row) return row.messages.map(toMessage)
  return [{ role: 'user', content: row.prompt, ...('image_url' in row && { pictures: [pictureOf(row.image_url)] }) }]
}

/** Texts of a message joined by empty lines, its pictures behind them. */
function toMessage({ role, content }: ItemMessage): Message {
  if (typeof content === 'string') return { role, content }
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const pictures: Picture[] = content.flatMap((part) => (part.type === 'image_url' ? [pictureOf(part.image_url.url)] : []))
  return { role, content: texts.join('\n\n'), ...(pictures.length > 0 && { pictures }) }
}

/** What is expected, in words for people. */
function targetOf(row: JanusItem): string {
  const list = (texts: readonly string[]): string => texts.join(', ')
  const call = (wanted: { function: string; arguments: object }): string => `${wanted.function}(${JSON.stringify(wanted.arguments)})`
  if (row.benchmark === 'janus_research') return list([...(row.expected_answer ? [row.expected_answer] : []), ...row.expected_facts])
  if (row.benchmark === 'janus_multimodal') {
    if (row.subtype === 'image_generation') return row.evaluation.reference_prompt
    if (row.subtype === 'image_understanding') return list(row.evaluation.expected_elements)
    return row.subtype === 'mixed_media' ? list(row.evaluation.expected) : row.expected_behavior
  }
  if (row.benchmark === 'janus_streaming')
    return `first token within ${row.evaluation.ttft_target_ms} ms, ${row.evaluation.tps_target} tokens a second`
  if (row.benchmark === 'janus_cost') {
    const { evaluation } = row
    if (evaluation.type === 'contains_and_length') return list(evaluation.required)
    if (evaluation.type === 'quality_and_tokens') return list(evaluation.quality_criteria)
    return evaluation.type === 'tool_count' ? list(evaluation.expected_answer_contains) : (row.expected_answer ?? '')
  }
  if (row.subtype === 'function_calling' || row.subtype === 'agentic') return call(row.expected_call)
  if (row.benchmark === 'janus_tool_use') {
    if (row.subtype === 'tool_selection') return list(row.expected_tools)
    return row.subtype === 'tool_chaining' ? row.expected_sequence.join(' → ') : list(row.expected_output_contains)
  }
  if (row.expected.type === 'code') return `${row.expected.function_name}: all cases right`
  return list('must_cover' in row.expected ? row.expected.must_cover : 'contains' in row.expected ? row.expected.contains : [])
}
