import * as z from 'zod'
import { CountIs, ItemQuery } from './api.ts'
import { foreign } from './foreign.ts'
import { queryInteger } from './query-integer.ts'
import { TrialOutcome } from './trial.ts'

/** One line of an item list: what a list shows of a trial, without its prompt and its answer's text. */
export const ItemRow = z.object({
  ordinal: z.int(),
  benchmark: z.string(),
  item_id: z.string(),
  /** The record's own key in its data set; null where it has none or is withheld. */
  source_id: foreign('data-set', z.string().nullable()),
  epoch: z.int(),
  group: z.string().nullable(),
  outcome: TrialOutcome,
  score: z.number().nullable(),
  /** Cut at 60 characters, like `expected`. */
  answer: foreign('model', z.string().nullable()),
  expected: foreign('data-set', z.string().nullable()),
  flags: z.array(z.string()),
  failure: z.string().nullable(),
  latency_ms: z.number().nullable(),
  output_tokens: z.int(),
  /** Cost of the trial in US dollars; null if the price is unknown. */
  cost_usd: z.number().nullable(),
  /** How the item's question begins, on one line; empty where it is withheld or not known. */
  snippet: foreign('data-set', z.string()),
})
export type ItemRow = z.infer<typeof ItemRow>

/** The filters of `ItemQuery` over all benchmarks of a run. */
export const ItemRowQuery = ItemQuery.omit({ after: true }).extend({
  benchmark: z.string().max(60).optional(),
  /** An item as `benchmark:item_id:epoch`: the page that holds its place is given, whatever `offset` says. */
  around: z.string().max(700).optional(),
  /** Only results up to this event, so that a list of a living run stands still while it is paged. */
  until: queryInteger(0).optional(),
})
export type ItemRowQuery = z.infer<typeof ItemRowQuery>

/** Trials by what they can be narrowed to next: each kind is counted under every other filter in force. */
export const ItemCounts = z.object({
  outcomes: z.object({ right: z.int(), wrong: z.int(), failed: z.int() }),
  flags: z.record(z.string(), z.int()),
  failures: z.record(z.string(), z.int()),
})
export type ItemCounts = z.infer<typeof ItemCounts>

/** `GET /api/runs/{id}/rows`. */
export const ItemRowPage = z.object({
  rows: z.array(ItemRow),
  total: z.int(),
  total_is: CountIs.default('exact'),
  limit: z.int(),
  offset: z.int(),
  counts: ItemCounts,
  counts_are: CountIs.default('exact'),
  /** Number of the last event whose results are in the list. */
  until: z.int(),
  /** Where `around` stands: how many of the list come before it, and whether it is in the list itself. */
  place: z.object({ before: z.int(), listed: z.boolean() }).nullable(),
})
export type ItemRowPage = z.infer<typeof ItemRowPage>
