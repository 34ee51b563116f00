import * as z from 'zod'
import { Sha256 } from './ids.ts'
import { Message } from './message.ts'
import { TrialRecord } from './trial.ts'

/** A message as it travels and is kept: its opening stands once per run under its hash, `content` is what follows. */
export const PackedMessage = Message.extend({ opening: Sha256.optional() })
export type PackedMessage = z.infer<typeof PackedMessage>

/** A record as it travels from the agent and lies in storage. */
export const PackedRecord = TrialRecord.extend({ messages: z.array(PackedMessage) })
export type PackedRecord = z.infer<typeof PackedRecord>

/** Texts by their SHA-256. */
export const Openings = z.record(Sha256, z.string())
export type Openings = z.infer<typeof Openings>
