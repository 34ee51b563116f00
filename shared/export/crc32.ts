const table = new Uint32Array(256).map((_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 as ZIP uses it, continued from `previous` (0 for the first piece). */
export function crc32(bytes: Uint8Array, previous = 0): number {
  let crc = ~previous
  for (let index = 0; index < bytes.length; index++) crc = table[(crc ^ bytes[index]!) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}
