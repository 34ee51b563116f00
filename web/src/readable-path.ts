/** A part of a path as it was before it was encoded; nothing where it is no percent-encoded UTF-8. */
export function readPart(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** Whether a path means something at all. */
export function isReadable(pathname: string): boolean {
  return readPart(pathname) !== undefined
}
