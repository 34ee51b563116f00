import type * as z from 'zod'

/** A part of an evidence as people read it. `scored` says whether its scorer reads it. */
export type Section = { title: string; text: string; scored: boolean }

/**
 * What others ask of a kind of evidence. Everything that depends on the kind is here or in a `Record` over the kinds (the view of the page), so
 * that a new kind cannot be forgotten anywhere.
 */
export type Kind<E> = {
  schema: z.ZodType<E>
  /** What the model answered, as lists, exports and search show it; null where it did not answer in words. */
  response(evidence: E): string | null
  /** Everything in it that can be long, in the order people read it; the response among it. */
  sections(evidence: E): Section[]
  /** The same with at least `chars` UTF-16 units less of what no scorer reads, or as few as there are. */
  shorten(evidence: E, chars: number): E
  /** The beginning of it: no text of the tested model has more than `chars` UTF-16 units. Its response begins the response of the whole. */
  head(evidence: E, chars: number): E
  /** What a judge said, in the predecessor's field. */
  judge_output(evidence: E): { model: string; replies: string[] } | null
}
