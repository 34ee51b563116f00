import { Picture } from '#shared/contract/message.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'

type Readable = Pick<TrialRecord, 'item_metadata' | 'detail' | 'evidence'>

/**
 * The value at a dotted path of an item's metadata, as a card's `fields` name it; a path that begins with `detail.` or `evidence.` reads what
 * the scorer saw. Undefined where there is none.
 */
export function readField(record: Readable, path: string): unknown {
  const [first, ...rest] = path.split('.')
  const beside = (first === 'detail' || first === 'evidence') && rest.length > 0
  let value: unknown = beside ? record[first] : record.item_metadata
  for (const part of beside ? rest : path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value ?? undefined
}

/** Choices of an item with their letters, from a list or an object of letter to text. */
export function readChoices(value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.map((text, index) => [String.fromCharCode(65 + index), String(text)])
  if (typeof value === 'object' && value !== null) return Object.entries(value).map(([letter, text]) => [letter, String(text)])
  return []
}

/** A judge's reply, of a list the last; `fields` where it is a JSON object, alone or in a fence. */
export function readVerdict(value: unknown): { text: string; fields: [string, string][] | null } {
  const reply = Array.isArray(value) ? value.at(-1) : value
  if (typeof reply === 'object' && reply !== null) return { text: JSON.stringify(reply), fields: fieldsOf(reply) }
  const text = String(reply ?? '')
  try {
    const parsed: unknown = JSON.parse(text.trim().replace(/^```(?:json)?\n|\n```$/g, ''))
    return { text, fields: typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? fieldsOf(parsed) : null }
  } catch {
    return { text, fields: null }
  }
}

const fieldsOf = (object: object): [string, string][] =>
  Object.entries(object).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])

/** One thing that a scorer checked, with a verdict for every way of reading the answer, and its arguments where the item has them by place. */
export type ShownCheck = { name: string; verdicts: [way: string, met: boolean][]; args: [string, string][] }

/** Checks of a score; what is no such list gives none. */
export function readChecks(value: unknown, args: unknown): ShownCheck[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: { name?: unknown; verdicts?: unknown } | null, place): ShownCheck[] => {
    if (typeof one?.name !== 'string' || typeof one.verdicts !== 'object' || one.verdicts === null) return []
    const own: unknown = Array.isArray(args) ? args[place] : undefined
    return [
      {
        name: one.name,
        verdicts: Object.entries(one.verdicts).map(([way, met]) => [way, met === true]),
        args: typeof own === 'object' && own !== null ? fieldsOf(own) : [],
      },
    ]
  })
}

/** Documents by name and length; what is no such list gives none. */
export function readDocuments(value: unknown): { name: string; chars: number }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: { name?: unknown; chars?: unknown } | null) =>
    typeof one?.name === 'string' && typeof one.chars === 'number' ? [{ name: one.name, chars: one.chars }] : [],
  )
}

/** Pictures as records keep them; what is no such list gives none. */
export function readPictures(value: unknown): Picture[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one) => {
    const parsed = Picture.safeParse(one)
    return parsed.success ? [parsed.data] : []
  })
}
