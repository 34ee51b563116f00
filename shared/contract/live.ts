import * as z from 'zod'
import { foreign } from './foreign.ts'
import { BenchmarkName, Ordinal } from './ids.ts'
import { helperRoles } from './role.ts'
import { Step } from './transcript.ts'

/** Trials of a run that are watched at once, at most. */
export const mostWatched = 50
/** Longest text of one entry, in UTF-16 units. */
export const mostLiveText = 65_536

const entry = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape })
const words = z.string().max(mostLiveText)

/**
 * What is new in a trial that is under way. `delta`: more of an answer that has not ended, from its UTF-16 unit `from` on; one that begins further on than
 * what came before ended left a part out, one from 0 begins anew. `call` numbers the trial's calls to models from 1; the step that ends one names it.
 * `screen` is the output that draws the terminal of the trial on an empty terminal of the same size.
 */
export const LiveEntry = z.discriminatedUnion('type', [
  entry('delta', {
    call: z.int().min(1),
    role: z.enum(['model', ...helperRoles]),
    part: z.enum(['text', 'reasoning']),
    from: z.int().min(0),
    text: foreign('model', words),
  }),
  entry('step', { number: z.int().min(0), call: z.int().min(1).nullable(), step: foreign('model', Step) }),
  entry('progress', { text: foreign('model', words) }),
  entry('screen', { columns: z.int().min(1).max(500), rows: z.int().min(1).max(200), text: foreign('model', words) }),
])
export type LiveEntry = z.infer<typeof LiveEntry>

/** A trial that somebody watches. `watch` is given anew whenever it is to be told from its beginning. */
export const Watched = z.object({ ordinal: Ordinal, attempt: z.int().min(1), watch: z.int().min(0) })
export type Watched = z.infer<typeof Watched>

/** What an agent tells of a trial that is watched; with `from_start` what came before under this `watch` is void. */
export const LiveTold = z.object({ watch: z.int().min(0), from_start: z.boolean(), entries: z.array(LiveEntry).max(1000) })
export type LiveTold = z.infer<typeof LiveTold>

/** Why nothing of a trial is shown yet: nobody has begun it, its agent is away, or its agent is of a version that shows nothing. */
export const liveWaits = ['not-begun', 'agent-away'] as const
export type LiveWait = (typeof liveWaits)[number]

/** Trials of a run that agents have now, the first of them; `total` counts them all. */
export const UnderWay = z.object({
  trials: z.array(z.object({ benchmark: BenchmarkName, item_id: z.string(), epoch: z.int().min(0), attempt: z.int().min(1) })),
  total: z.int().min(0),
})
export type UnderWay = z.infer<typeof UnderWay>

/**
 * What a viewer of one trial reads. `reset` begins an attempt: what came before is void; with `gap` it is because this viewer read too slowly. After `done`
 * nothing comes: the record tells it all, at once or some seconds later.
 */
export const LiveMessage = z.discriminatedUnion('type', [
  entry('waiting', { why: z.enum(liveWaits) }),
  entry('reset', { attempt: z.int().min(1), gap: z.boolean(), entries: z.array(LiveEntry) }),
  entry('entries', { entries: z.array(LiveEntry) }),
  entry('done', {}),
])
export type LiveMessage = z.infer<typeof LiveMessage>
