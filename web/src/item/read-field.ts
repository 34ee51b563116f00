/** The value at a dotted path of an item's metadata, as a card's `fields` name it; undefined where there is none. */
export function readField(metadata: Record<string, unknown>, path: string): unknown {
  let value: unknown = metadata
  for (const part of path.split('.')) {
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
