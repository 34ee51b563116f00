/** Tables for eight bytes at a time: entry k·256 + b is byte b followed by k zero bytes. */
const tables = new Uint32Array(8 * 256)
for (let byte = 0; byte < 256; byte++) {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  tables[byte] = value
}
for (let at = 256; at < tables.length; at++) {
  const before = tables[at - 256]!
  tables[at] = (before >>> 8) ^ tables[before & 0xff]!
}

/** CRC-32 as ZIP uses it, continued from `previous` (0 for the first piece). */
export function crc32(bytes: Uint8Array, previous = 0): number {
  const t = tables
  const whole = bytes.length - (bytes.length % 8)
  let crc = ~previous
  let at = 0
  for (; at < whole; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24))
    crc =
      t[1792 + (low & 0xff)]! ^
      t[1536 + ((low >>> 8) & 0xff)]! ^
      t[1280 + ((low >>> 16) & 0xff)]! ^
      t[1024 + (low >>> 24)]! ^
      t[768 + bytes[at + 4]!]! ^
      t[512 + bytes[at + 5]!]! ^
      t[256 + bytes[at + 6]!]! ^
      t[bytes[at + 7]!]!
  }
  for (; at < bytes.length; at++) crc = t[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}
