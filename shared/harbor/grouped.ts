/** Values by key, in the order in which each key and each value came first. */
export function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const own = groups.get(keyOf(value))
    if (own) own.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}
