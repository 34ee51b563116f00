/** Equal up to the last digits in which engines' Math functions differ. */
export function nearlyEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const left = Object.entries(a)
  return left.length === Object.keys(b).length && left.every(([key, value]) => nearlyEqual(value, (b as Record<string, unknown>)[key]))
}

/** Names the first place where two documents differ. */
export function differenceOf(expected: unknown, told: unknown, path: string): string {
  if (typeof expected === 'object' && typeof told === 'object' && expected !== null && told !== null) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(told)])) {
      const difference = differenceOf((expected as Record<string, unknown>)[key], (told as Record<string, unknown>)[key], `${path}/${key}`)
      if (difference) return difference
    }
    return ''
  }
  return Object.is(expected, told) ? '' : `${path} should be ${JSON.stringify(expected)}, is ${JSON.stringify(told)}`.slice(0, 300)
}
