import * as z from 'zod'

/** The tools that items may offer. `calculator` and `code_execute` are computed by whoever runs the item and are never simulated. */
export const simulatedTools = [
  'get_weather',
  'get_exchange_rate',
  'get_stock_price',
  'convert_units',
  'get_time',
  'search',
  'fetch_url',
] as const
export const computedTools = ['calculator', 'code_execute'] as const
export const toolNames = [...simulatedTools, ...computedTools] as const

/**
 * What the simulator answers to a call: the first line of an item's list whose `tool` is the called one and whose `match` the arguments fit gives
 * its `result`, as it stands where it is text, else as JSON. Where no line fits, the tool has found nothing and says so.
 */
export const SimulatedCall = z
  .object({
    tool: z.enum(simulatedTools),
    match: z
      .record(z.string(), z.union([z.string().min(1), z.number(), z.boolean()]))
      .describe(
        'Arguments that a call must have; text is found within the argument, in any case. An empty object fits every call of the tool.',
      ),
    result: z.union([z.string().min(1), z.record(z.string(), z.json()), z.array(z.json())]).describe('The answer of the tool.'),
  })
  .strict()
export type SimulatedCall = z.infer<typeof SimulatedCall>

/** The line of the list that answers a call, or undefined where none does. Numbers may come as text, as some models write them. */
export function findSimulated(
  list: readonly SimulatedCall[],
  tool: string,
  given: Readonly<Record<string, unknown>>,
): SimulatedCall | undefined {
  return list.find((one) => one.tool === tool && Object.entries(one.match).every(([name, wanted]) => fits(wanted, given[name])))
}

function fits(wanted: string | number | boolean, given: unknown): boolean {
  if (typeof wanted === 'string') return typeof given === 'string' && given.toLowerCase().includes(wanted.toLowerCase())
  if (typeof wanted === 'number' && typeof given === 'string') return given.trim() !== '' && Number(given) === wanted
  return given === wanted
}
