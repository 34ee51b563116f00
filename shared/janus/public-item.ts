import * as z from 'zod'
import { AvailableTools, ExpectedCall, ItemMessage, itemBase, NamedPicture, Simulated, Texts } from './item-parts.ts'

/** A public item of one category (`subtype`), asked as messages, with what its answer is held against. */
function publicOf<S extends string, T extends z.ZodRawShape, E extends z.ZodRawShape>(category: S, shape: T, expected: E) {
  return z
    .object({
      ...itemBase,
      benchmark: z.literal('janus_public'),
      subtype: z.literal(category),
      suite: z.enum(['public/train', 'public/dev', 'private/test']),
      input: z.object({ messages: z.array(ItemMessage).min(1) }).strict(),
      ...shape,
      expected: z.object(expected).strict(),
    })
    .strict()
}

const text = { type: z.literal('text') }
const TestCase = z.object({ input: z.array(z.json()), output: z.json() }).strict()

/** An item of the suites `public/train` and `public/dev`, which ask six categories, or of a team's own that it holds back (`private/test`). */
export const PublicItem = z.discriminatedUnion('subtype', [
  publicOf('chat', {}, { ...text, contains: Texts, max_latency_ms: z.int().min(1) }),
  publicOf('research', {}, { ...text, contains: Texts, requires_citations: z.boolean(), min_sources: z.int().min(1) }),
  publicOf(
    'code',
    {},
    {
      type: z.literal('code'),
      language: z.literal('python'),
      function_name: z.string().regex(/^[a-z_][a-z0-9_]*$/),
      test_cases: z.array(TestCase).min(2),
      must_execute: z.literal(true),
    },
  ),
  publicOf('multimodal', { pictures: z.array(NamedPicture).min(1) }, { ...text, contains: Texts }),
  publicOf(
    'agentic',
    {
      available_tools: AvailableTools,
      tool_use_task_type: z.literal('function_calling'),
      expected_call: ExpectedCall,
      simulated: Simulated,
    },
    { ...text, requires_tool_use: z.literal(true), tools_expected: Texts, min_length: z.int().min(1) },
  ),
  publicOf('deep_research', {}, { ...text, must_cover: Texts.length(4), min_length: z.int().min(1) }),
])
export type PublicItem = z.infer<typeof PublicItem>
