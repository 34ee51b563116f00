import fc from 'fast-check'

/** Any text at all, and texts put together from pieces on which a reader might stumble. */
export function anyTextOf(pieces: readonly string[], maxLength = 500): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
  )
}
