import * as z from 'zod'
import { AvailableTools, ExpectedCall, ItemMessage, itemBase, NamedPicture, PictureUri, Prompt, Simulated, Texts } from './item-parts.ts'
import { PublicItem } from './public-item.ts'

/** Colours that a picture to be made may be asked for; they are told by hue, so that no model of pictures and words is needed. */
export const dominantColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'black', 'white', 'grey'] as const

/** An item of one sub-type of one benchmark; what its evaluation holds is told by `evaluation.type`. */
function itemOf<B extends string, S extends string, T extends z.ZodRawShape, E extends z.ZodRawShape>(
  benchmark: B,
  subtype: S,
  shape: T,
  evaluation: E,
) {
  return z
    .object({
      ...itemBase,
      benchmark: z.literal(benchmark),
      subtype: z.literal(subtype),
      suite: z.enum(['janus/intelligence', 'private/test']),
    })
    .extend(shape)
    .extend({ evaluation: z.object(evaluation).strict() })
    .strict()
}

const asked = { prompt: Prompt, requires_search: z.boolean(), simulated: Simulated.optional(), expected_facts: Texts.min(2).max(5) }
const dated = { ...asked, max_age_days: z.union([30, 90, 180, 365, 3650].map((days) => z.literal(days))) }

const research = [
  itemOf(
    'janus_research',
    'fact_verification',
    { ...dated, claim: z.string().min(1), expected_answer: z.enum(['true', 'false']) },
    {
      type: z.literal('boolean_with_evidence'),
      requires: z.array(z.enum(['search_performed', 'source_cited', 'correct_conclusion'])).min(1),
    },
  ),
  itemOf('janus_research', 'current_events', dated, { type: z.literal('key_facts'), expected_topics: Texts, min_topics: z.int().min(1) }),
  itemOf('janus_research', 'comparative', asked, {
    type: z.literal('balanced_comparison'),
    required_aspects: Texts,
    min_sources: z.int().min(0),
  }),
  itemOf('janus_research', 'synthesis', asked, {
    type: z.literal('comprehensive_answer'),
    required_elements: Texts,
    quality_criteria: Texts,
  }),
  itemOf('janus_research', 'deep_dive', asked, { type: z.literal('expert_level'), required_concepts: Texts, depth_indicators: Texts }),
] as const

const offered = { prompt: Prompt, available_tools: AvailableTools, simulated: Simulated }

const toolUse = [
  itemOf(
    'janus_tool_use',
    'function_calling',
    { ...offered, expected_call: ExpectedCall },
    { type: z.literal('function_call_match'), allow_extra_args: z.boolean() },
  ),
  itemOf(
    'janus_tool_use',
    'tool_selection',
    { ...offered, expected_tools: Texts, acceptable_alternatives: z.array(z.string()) },
    { type: z.literal('tool_choice'), score_alternatives: z.number().min(0).max(1) },
  ),
  itemOf(
    'janus_tool_use',
    'tool_chaining',
    { ...offered, expected_sequence: Texts.min(2), expected_output_contains: Texts },
    { type: z.literal('sequence_match'), partial_credit: z.boolean(), verify_final_answer: z.boolean() },
  ),
  itemOf(
    'janus_tool_use',
    'code_execution',
    { ...offered, expected_output_contains: Texts },
    { type: z.literal('code_output_match'), verify_correctness: z.boolean(), check_efficiency: z.boolean() },
  ),
] as const

const behaviors = z.enum(['generate_image', 'text_response'])

const multimodal = [
  itemOf(
    'janus_multimodal',
    'image_generation',
    { prompt: Prompt },
    {
      type: z.literal('clip_similarity'),
      reference_prompt: z.string().min(1),
      min_score: z.number().min(0.2).max(0.25),
      check_format: z.string().regex(/^(png|jpg|webp)(\|(png|jpg|webp))*$/),
      min_side_px: z.int().min(16).describe('Neither side of the picture may be shorter.'),
      dominant_color: z.enum(dominantColors).optional().describe('The colour that the prompt asks to cover most of the picture.'),
      aspect: z.enum(['square', 'wide', 'tall']).optional().describe('The form that the prompt asks for.'),
    },
  ),
  itemOf(
    'janus_multimodal',
    'image_understanding',
    { prompt: Prompt, image_url: PictureUri, pictures: z.array(NamedPicture).length(1) },
    { type: z.literal('key_facts'), expected_elements: Texts, min_matches: z.int().min(1) },
  ),
  itemOf(
    'janus_multimodal',
    'mixed_media',
    { prompt: Prompt, messages: z.array(ItemMessage).min(1), pictures: z.array(NamedPicture).min(1) },
    { type: z.literal('contains_any'), expected: Texts },
  ),
  itemOf(
    'janus_multimodal',
    'modality_routing',
    { prompt: Prompt, expected_behavior: behaviors },
    {
      type: z.literal('action_check'),
      indicators: z.object({ generate_image: Texts, text_response: Texts.optional(), refuse: Texts.optional() }).strict(),
    },
  ),
] as const

const length = z.enum(['short', 'medium', 'long'])
const pace = {
  type: z.literal('stream_targets'),
  ttft_target_ms: z.int().min(1),
  min_tokens: z.int().min(1),
  tps_target: z.number().min(1),
}

const streaming = [
  itemOf('janus_streaming', 'short_response', { prompt: Prompt, expected_length: length }, pace),
  itemOf(
    'janus_streaming',
    'long_response',
    { prompt: Prompt, expected_length: length },
    { ...pace, continuity_target: z.number().min(0).max(1) },
  ),
  itemOf(
    'janus_streaming',
    'reasoning_response',
    { prompt: Prompt, expected_length: length },
    { ...pace, check_reasoning_content: z.literal(true) },
  ),
] as const

const baseline = { baseline_tokens: z.int().min(1) }

const cost = [
  itemOf(
    'janus_cost',
    'concise_response',
    { prompt: Prompt },
    { type: z.literal('contains_and_length'), required: Texts, max_words: z.int().min(1), ...baseline },
  ),
  itemOf(
    'janus_cost',
    'efficient_explanation',
    { prompt: Prompt },
    {
      type: z.literal('quality_and_tokens'),
      quality_criteria: Texts,
      min_matches: z.int().min(1),
      ...baseline,
      max_tokens: z.int().min(1),
    },
  ),
  itemOf(
    'janus_cost',
    'minimal_tools',
    { prompt: Prompt, available_tools: AvailableTools, simulated: Simulated },
    { type: z.literal('tool_count'), max_tool_calls: z.int().min(0), expected_answer_contains: Texts, ...baseline },
  ),
  itemOf(
    'janus_cost',
    'direct_answer',
    { prompt: Prompt, expected_answer: z.string().min(1) },
    { type: z.literal('directness'), answer_must_appear_within_first: z.int().min(1), ...baseline },
  ),
] as const

/** One line of an item file: which benchmark it belongs to decides, with its sub-type, what else it holds. */
export const JanusItem = z.discriminatedUnion('benchmark', [
  z.discriminatedUnion('subtype', research),
  z.discriminatedUnion('subtype', toolUse),
  z.discriminatedUnion('subtype', multimodal),
  z.discriminatedUnion('subtype', streaming),
  z.discriminatedUnion('subtype', cost),
  PublicItem,
])
export type JanusItem = z.infer<typeof JanusItem>

export const janusBenchmarks = [
  'janus_research',
  'janus_tool_use',
  'janus_multimodal',
  'janus_streaming',
  'janus_cost',
  'janus_public',
] as const
export type JanusBenchmark = (typeof janusBenchmarks)[number]
export type JanusItemOf<B extends JanusBenchmark> = Extract<JanusItem, { benchmark: B }>

/** Items with how many there are of each group: a sub-type, of public ones the suite and the category. */
export const janusGroups: Record<JanusBenchmark, Readonly<Record<string, number>>> = {
  janus_research: { fact_verification: 20, current_events: 20, comparative: 20, synthesis: 20, deep_dive: 20 },
  janus_tool_use: { function_calling: 25, tool_selection: 20, tool_chaining: 20, code_execution: 15 },
  janus_multimodal: { image_generation: 20, image_understanding: 20, mixed_media: 10, modality_routing: 10 },
  janus_streaming: { short_response: 20, long_response: 20, reasoning_response: 10 },
  janus_cost: { concise_response: 15, efficient_explanation: 10, minimal_tools: 10, direct_answer: 5 },
  janus_public: {
    'public/train chat': 24,
    'public/train research': 24,
    'public/train code': 24,
    'public/train multimodal': 18,
    'public/train agentic': 18,
    'public/train deep_research': 12,
    'public/dev chat': 12,
    'public/dev research': 12,
    'public/dev code': 12,
    'public/dev multimodal': 9,
    'public/dev agentic': 9,
    'public/dev deep_research': 6,
  },
}

/** The group that an item counts into. */
export const groupOf = (item: JanusItem): string => (item.benchmark === 'janus_public' ? `${item.suite} ${item.subtype}` : item.subtype)
