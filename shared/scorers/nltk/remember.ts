/** Longer texts hardly come twice, and would be costly to look up. */
const longest = 40

/** The same function, which works out only once what it makes of the same short text: texts of thousands of tiny sentences repeat themselves. */
export function remember<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (text.length > longest) return work(text)
    let result = known.get(text)
    if (result === undefined) {
      result = work(text)
      known.set(text, result)
    }
    return result
  }
}
