import * as z from 'zod'
import { Sha256 } from './ids.ts'
import { Message } from './message.ts'
import { StreamFacts } from './stream.ts'
import { TrialBrief, TrialRecord } from './trial.ts'
import { Usage } from './usage.ts'

/** A message as it travels and is kept: its opening stands once per run under its hash, `content` is what follows. */
export const PackedMessage = Message.extend({ opening: Sha256.optional() })
export type PackedMessage = z.infer<typeof PackedMessage>

const { shape: facts } = StreamFacts
const { shape: content } = facts.content.unwrap()

/**
 * The course of an answer as it travels and is kept: what `StreamFacts` tells, in this order and without its names, which were a sixth of a record. Later
 * versions add at the end.
 */
export const PackedStream = z.tuple(
  [
    facts.queue_ms,
    facts.connect_ms,
    facts.first_byte_ms,
    facts.first_token_ms,
    facts.first_content_ms,
    facts.last_token_ms,
    facts.duration_ms,
    facts.chunks,
    facts.content_chunks,
    facts.token_chunks,
    facts.keep_alives,
    facts.max_gap_ms,
    facts.max_data_gap_ms,
    facts.max_token_gap_ms,
    facts.max_token_gap_from_ms.unwrap(),
    z.tuple([content.span_ms, content.mean_ms, content.sd_ms, content.least_ms, content.most_ms, content.long]).nullable(),
    facts.end,
    facts.output_tokens.unwrap(),
  ],
  z.json(),
)
export type PackedStream = z.infer<typeof PackedStream>

/** A record in reports and in storage. */
export const PackedRecord = TrialRecord.extend({
  messages: z.array(PackedMessage),
  stream: PackedStream.optional(),
})
export type PackedRecord = z.infer<typeof PackedRecord>

const { shape: brief } = TrialBrief
const { shape: tokens } = Usage

/** What an event says of a trial, as it is kept: a `TrialBrief` in this order and without its names, which were two thirds of it. Later versions add at the end. */
export const PackedBrief = z.tuple(
  [
    brief.ordinal,
    brief.attempt,
    brief.item_id,
    brief.epoch,
    brief.group,
    brief.outcome,
    brief.score,
    brief.answer,
    brief.expected,
    brief.failure,
    brief.retryable,
    brief.flags,
    brief.latency_ms,
    brief.ttft_ms,
    z.tuple([tokens.input_tokens, tokens.output_tokens, tokens.cached_tokens, tokens.reasoning_tokens, tokens.untold_calls]),
    brief.cost_usd,
    brief.roles.unwrap().nullable(),
  ],
  z.json(),
)
export type PackedBrief = z.infer<typeof PackedBrief>

/** Texts by their SHA-256. */
export const Openings = z.record(Sha256, z.string())
export type Openings = z.infer<typeof Openings>
