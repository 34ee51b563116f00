import * as z from 'zod'
import { groupOf, JanusItem } from '#shared/janus/item-schema.ts'
import { pictureItems } from './picture-items.ts'

/**
 * The lines of an item file with the items that show pictures made anew: one that stands there is replaced, one that does not is added at the end.
 * Throws where a line is no item.
 */
export function packItems(benchmark: string, text: string): string {
  const fresh = new Map(pictureItems.filter((item) => item.benchmark === benchmark).map((item) => [item.id, item]))
  const kept = linesOf(text)
    .filter((item) => !('pictures' in item) || fresh.has(item.id))
    .map((item) => takeOut(fresh, item.id) ?? item)
  return [...kept, ...fresh.values()].map((item) => `${JSON.stringify(item)}\n`).join('')
}

function takeOut(fresh: Map<string, JanusItem>, id: string): JanusItem | undefined {
  const item = fresh.get(id)
  fresh.delete(id)
  return item
}

const linesOf = (text: string): JanusItem[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JanusItem.parse(JSON.parse(line)))

/** The group of a line, for the figures that a card pins. */
export const groupOfLine = (line: unknown): string => groupOf(JanusItem.parse(line))

/** The JSON Schema of a line of an item file. */
export const itemJsonSchema = (): unknown => z.toJSONSchema(JanusItem, { reused: 'ref' })
