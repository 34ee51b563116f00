const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 30
const checksumLength = 6

/** Own API keys, for secret scanners: `cbr_`, 30 base62 characters, then their CRC-32 as 6 base62 characters. */
export const keyPattern = /^cbr_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Keys of Chutes accounts, read loosely: their form is not ours to check. */
export const chutesKeyPattern = /^cpk_[A-Za-z0-9._-]{28,250}$/

/** Tokens of Sign in with Chutes, which stand for an account for an hour and then give way to another. */
export const chutesTokenPattern = /^cak_[A-Za-z0-9._-]{28,250}$/

/** A new key of 178 bits. `random(n)` gives n unbiased bytes. */
export function newKey(random: (length: number) => Uint8Array = randomBytes): string {
  let body = ''
  while (body.length < bodyLength) {
    for (const byte of random(48)) {
      if (byte < 248 && body.length < bodyLength) body += alphabet[byte % 62]
    }
  }
  return `cbr_${body}${checksum(body)}`
}

/** Whether a text is a well-formed key; a mistyped one is refused here, without a look into the database. */
export function isKey(text: string): boolean {
  const match = keyPattern.exec(text)
  return match !== null && checksum(match[1]!) === match[2]
}

function checksum(body: string): string {
  let rest = crc32(new TextEncoder().encode(body))
  let text = ''
  while (text.length < checksumLength) {
    text = alphabet[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** CRC-32 (IEEE 802.3), as an unsigned number. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}
