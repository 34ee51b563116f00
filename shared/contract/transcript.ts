import * as z from 'zod'
import { CallAside } from './aside.ts'
import { Failure } from './failure.ts'
import { Message, ToolCall } from './message.ts'
import { helperRoles } from './role.ts'
import { StreamFacts } from './stream.ts'
import { LimitHit } from './trial-limits.ts'
import { Usage } from './usage.ts'

/** Marks a record whose transcript could not be kept. */
export const transcriptLostFlag = 'transcript_lost'

const step = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({
    type: z.literal(type),
    /** Milliseconds since the trial began, on a monotonic clock. */
    at_ms: z.number().min(0),
    ...shape,
  })
const took = { took_ms: z.number().min(0) }

/** What a program in a sandbox came to. Everything but `exited` is a limit or a refusal of the sandbox. */
export const execEnds = ['exited', 'timeout', 'out-of-memory', 'output-limit', 'disk-full', 'denied', 'unavailable'] as const

/**
 * One thing that happened in a trial. A model call keeps only what its role had not been sent before: the first `known` messages of its last
 * call, then `messages`; the first call of the tested model goes on from the record's own messages. `output` is head and tail where it was long; the artifact of that name has the whole.
 */
export const Step = z.discriminatedUnion('type', [
  step('model_call', {
    ...took,
    role: z.enum(['model', ...helperRoles]),
    known: z.int().min(0),
    messages: z.array(Message),
    tools: z.array(z.string()).optional(),
    reply: z
      .object({
        text: z.string(),
        reasoning: z.string().nullable(),
        tool_calls: z.array(ToolCall).optional(),
        finish_reason: z.string().nullable(),
      })
      .nullable(),
    ttft_ms: z.number().min(0).nullable(),
    /** How the last answer of it came in, also one that was cut; absent where none was measured. */
    stream: StreamFacts.optional(),
    usage: Usage,
    /** What the provider told beside the answer; absent where it told nothing. */
    aside: CallAside.optional(),
    failure: Failure.nullable(),
  }),
  step('tool_call', {
    ...took,
    call_id: z.string().nullable(),
    name: z.string(),
    arguments: z.string(),
    result: z.string(),
    is_error: z.boolean(),
  }),
  step('exec', {
    ...took,
    command: z.string(),
    end: z.enum(execEnds),
    exit_code: z.int().nullable(),
    output: z.string(),
    output_bytes: z.int().min(0),
    artifact: z.string().nullable(),
  }),
  step('note', { text: z.string() }),
  step('limit', { hit: LimitHit }),
])
export type Step = z.infer<typeof Step>
export type StepType = Step['type']

/** Longest transcript that travels inside a record, in UTF-16 units of its JSON; a longer one is an artifact of kind `transcript`. */
export const mostInlineTranscript = 65_536
