import * as z from 'zod'
import { Sha256 } from '../contract/ids.ts'
import { SimulatedCall, toolNames } from './simulated-call.ts'

/** A picture of ours: the file that the generator draws, and the hash of its bytes. The item holds the same bytes as a data URI. */
export const NamedPicture = z.object({ file: z.string().regex(/^[a-z0-9-]+\.png$/), sha256: Sha256 }).strict()
export type NamedPicture = z.infer<typeof NamedPicture>

export const PictureUri = z.string().regex(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/)

const TextPart = z.object({ type: z.literal('text'), text: z.string().min(1) }).strict()
const PicturePart = z.object({ type: z.literal('image_url'), image_url: z.object({ url: PictureUri }).strict() }).strict()

/** A message in OpenAI's form: a text, or parts of text and pictures. */
export const ItemMessage = z
  .object({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.union([z.string().min(1), z.array(z.discriminatedUnion('type', [TextPart, PicturePart])).min(1)]),
  })
  .strict()
export type ItemMessage = z.infer<typeof ItemMessage>

/** A tool in OpenAI's form; `parameters` is a JSON Schema of an object. */
export const ItemTool = z
  .object({
    type: z.literal('function'),
    function: z
      .object({
        name: z.enum(toolNames),
        description: z.string().min(1),
        parameters: z
          .object({
            type: z.literal('object'),
            properties: z.record(z.string(), z.record(z.string(), z.json())),
            required: z.array(z.string()),
          })
          .strict(),
      })
      .strict(),
  })
  .strict()
export type ItemTool = z.infer<typeof ItemTool>

/** A call that is expected: a tool by name and the arguments that it must be given. */
export const ExpectedCall = z
  .object({ function: z.enum(toolNames), arguments: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])) })
  .strict()
export type ExpectedCall = z.infer<typeof ExpectedCall>

export const Texts = z.array(z.string().min(1)).min(1)
export const Prompt = z.string().min(1).describe('What is asked, as the model is shown it.')
export const Simulated = z.array(SimulatedCall).describe('What the tools answer in this item; nothing of the world is asked.')
export const AvailableTools = z.array(ItemTool).min(1)

/** What every item has. `answer_note` is for people: how the expected answer comes about. */
export const itemBase = {
  id: z.string().regex(/^[a-z]+(_[a-z]+)*_\d{3}$/),
  expected_answer: z.string().min(1).optional(),
  expected_keywords: Texts.optional(),
  answer_note: z.string().min(1).optional(),
}
