import * as z from 'zod'

const texts = z.array(z.string()).optional()
const number = z.number().optional()
const flag = z.boolean().optional()

/** What an item is scored by, as it stands in its metadata: the names are those of the official items. */
export const ScoredFacts = z.object({
  benchmark: z.string(),
  subtype: z.string(),
  has_image_input: z.boolean().default(false),
  expected_answer: z.string().optional(),
  expected_keywords: texts,
  expected_facts: texts,
  expected_call: z
    .object({ function: z.string(), arguments: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])) })
    .optional(),
  expected_tools: texts,
  acceptable_alternatives: texts,
  expected_sequence: texts,
  expected_output_contains: texts,
  expected_behavior: z.string().optional(),
  evaluation: z
    .object({
      requires: texts,
      expected_topics: texts,
      required_aspects: texts,
      required_elements: texts,
      required_concepts: texts,
      allow_extra_args: flag,
      partial_credit: flag,
      verify_final_answer: flag,
      expected_elements: texts,
      min_matches: number,
      expected: texts,
      indicators: z.record(z.string(), z.array(z.string())).optional(),
      check_format: z.string().optional(),
      min_side_px: number,
      dominant_color: z.string().optional(),
      aspect: z.string().optional(),
      ttft_target_ms: number,
      tps_target: number,
      continuity_target: number,
      min_tokens: number,
      check_reasoning_content: flag,
      required: texts,
      max_words: number,
      quality_criteria: texts,
      max_tokens: number,
      max_tool_calls: number,
      expected_answer_contains: texts,
      answer_must_appear_within_first: number,
      baseline_tokens: number,
    })
    .optional(),
  expected: z
    .object({
      contains: texts,
      must_cover: texts,
      min_length: number,
      max_latency_ms: number,
      requires_citations: flag,
      min_sources: number,
    })
    .optional(),
})
export type ScoredFacts = z.infer<typeof ScoredFacts>
