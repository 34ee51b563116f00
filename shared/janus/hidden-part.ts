import * as z from 'zod'
import type { Tool } from '../contract/message.ts'
import { CodeCases } from './code-cases.ts'
import { ItemTool } from './item-parts.ts'
import { SimulatedCall } from './simulated-call.ts'

/** What an item keeps from the model: what its tools will answer, and what its program is tested with. */
export const HiddenPart = z.object({ simulated: z.array(SimulatedCall).default([]), cases: CodeCases.optional() })
export type HiddenPart = z.infer<typeof HiddenPart>

const text = (name: string, description: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description } },
  required: [name],
})

/** Tools of research, which items answer without naming them. */
const researchTools: readonly Tool[] = [
  {
    name: 'search',
    description: 'Searches the web and gives titles, addresses and beginnings of pages.',
    parameters: text('query', 'What is searched for'),
  },
  { name: 'fetch_url', description: 'Gives the text of a page of the web.', parameters: text('url', 'Address of the page') },
]

/** The tools of an item in the form a provider is told: those it names, else those that `hidden` can answer of research. */
export function toolsOf(available: unknown, hidden: HiddenPart | null): Tool[] {
  const named = z.array(ItemTool).safeParse(available)
  if (named.success && named.data.length > 0)
    return named.data.map(({ function: { name, description, parameters } }) => ({ name, description, parameters }))
  const answered = new Set(hidden?.simulated.map(({ tool }) => tool as string))
  return researchTools.filter(({ name }) => answered.has(name))
}
