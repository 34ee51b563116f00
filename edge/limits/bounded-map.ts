/** A map that forgets what was set longest ago when it holds more than `most` keys. */
export function boundedMap<T>(most: number) {
  const entries = new Map<string, T>()
  return {
    get: (key: string): T | undefined => entries.get(key),
    delete: (key: string): void => void entries.delete(key),
    set(key: string, value: T): void {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > most) entries.delete(entries.keys().next().value!)
    },
  }
}
