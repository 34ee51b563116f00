import * as z from 'zod'
import { Routing } from '#shared/contract/routing.ts'

/** One wish as it is typed: a name, or a name within `max_price`, and what stands behind the equals sign. */
const Wish = z
  .string()
  .regex(/^[a-z_]+(\.[a-z]+)?=\S/, 'must be like order=deepinfra,together or max_price.prompt=1')
  .transform((text) => {
    const at = text.indexOf('=')
    const name = text.slice(0, at)
    return [name, readValue(text.slice(at + 1), lists.includes(name))] as const
  })

const lists: readonly string[] = ['order', 'only', 'ignore', 'quantizations'] satisfies (keyof Routing)[]
const within = 'max_price.'

/** What repeated `--routing KEY=VALUE` ask for: lists by commas, yes and no as `true` and `false`, prices as `max_price.prompt=1`. */
export const RoutingOption = z
  .array(Wish)
  .refine((wishes) => new Set(wishes.map(([name]) => name)).size === wishes.length, 'names the same twice')
  .transform((wishes) => {
    const prices = wishes.flatMap(([name, value]) => (name.startsWith(within) ? [[name.slice(within.length), value] as const] : []))
    const others = wishes.filter(([name]) => !name.startsWith(within))
    return { ...Object.fromEntries(others), ...(prices.length > 0 && { max_price: Object.fromEntries(prices) }) }
  })
  .pipe(Routing)

function readValue(text: string, list: boolean): unknown {
  if (list) return text.split(',').flatMap((one) => one.trim() || [])
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
