/** Numbers that a document states: each match of `says` must capture exactly `is`, and there must be one. */
export type Claim = { path: string; says: RegExp; is: readonly (string | number)[] }

/** Numbers below eleven as sentences write them. */
export const inWords = (number: number): string =>
  ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'][number] ?? String(number)

/** Claims that a document does not make any more, or makes with another number. */
export function falseClaims(claims: readonly Claim[], textOf: (path: string) => string): string[] {
  return claims.flatMap(({ path, says, is }) => {
    const found = [...textOf(path).replaceAll(/\s+/g, ' ').matchAll(new RegExp(says.source, 'g'))]
    if (found.length === 0) return [`${path} does not say ${says.source}`]
    const wanted = is.map(String)
    return found.flatMap((match) =>
      match.slice(1).join() === wanted.join() ? [] : [`${path} says “${match[0]}”; it is ${wanted.join(', ')}`],
    )
  })
}
