import * as z from 'zod'

const word = z.string().max(300)
const said = word.optional()

/** Something that an agent behind a gateway left there, by the gateway's own description of it; nothing of it is fetched. */
export const AsideArtifact = z.object({
  id: said,
  type: said,
  mime_type: said,
  display_name: said,
  size_bytes: z.int().min(0).optional(),
  sha256: said,
  url: z.string().max(2000).optional(),
  ttl_seconds: z.number().min(0).optional(),
})
export type AsideArtifact = z.infer<typeof AsideArtifact>

/** Most things of one kind that are kept of a call. */
export const mostAside = 100

/** What a provider told of a call beside its answer: under what it knows the request, what it says it cost, what went on behind it. */
export const CallAside = z.object({
  /** By the name of the header in small letters. */
  request_ids: z.record(word, word).optional(),
  /** As the provider reckons it, whatever the run reckons by prices. */
  cost_usd: z.number().min(0).optional(),
  sandbox_seconds: z.number().min(0).optional(),
  /** How often each thing happened that it told of while it answered, by its name. */
  events: z.record(word, z.int().min(1)).optional(),
  artifacts: z.array(AsideArtifact).max(mostAside).optional(),
  /** The finish reason as the provider spells it, where that is not OpenAI's spelling. */
  finish_reason: word.optional(),
})
export type CallAside = z.infer<typeof CallAside>
