const encoder = new TextEncoder()

/** A new secret of 256 bits in hex, for a cookie or a link. */
export const newSecret = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)))

/** SHA-256 of a text in lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await sha256(text))
}

/** Whether two secrets are equal, in a time that does not depend on where they differ: equal-sized digests are compared in full. */
export async function secretsEqual(given: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(given), sha256(expected)])
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a[index]! ^ b[index]!
  return difference === 0
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
