import { deflateSync } from 'node:zlib'

/** How the private tests of a row can be packed: as JSON, or as a pickle of a protocol in a zlib stream in base64. */
export const packings = ['json', 2, 3, 4, 5] as const
export type Packing = (typeof packings)[number]

/** A pickle of one text as CPython writes it: frames for small texts of newer protocols, memo entries in the form of the protocol. */
export function pickleText(text: string, protocol: 2 | 3 | 4 | 5): Uint8Array {
  const utf8 = Buffer.from(text, 'utf8')
  const short = protocol >= 4 && utf8.length < 256
  const length = Buffer.alloc(short ? 1 : 4)
  if (short) length.writeUInt8(utf8.length)
  else length.writeUInt32LE(utf8.length)
  const memo = protocol >= 4 ? [0x94] : [0x71, 0]
  const body = Buffer.concat([Buffer.from([short ? 0x8c : 0x58]), length, utf8, Buffer.from([...memo, 0x2e])])
  const framed = protocol >= 4 && body.length < 65_536
  const frame = Buffer.alloc(framed ? 9 : 0)
  if (framed) {
    frame[0] = 0x95
    frame.writeBigUInt64LE(BigInt(body.length), 1)
  }
  return Buffer.concat([Buffer.from([0x80, protocol]), frame, body])
}

/** Private tests as a row of a release file has them. */
export function packTests(json: string, packing: Packing): string {
  return packing === 'json' ? json : deflateSync(pickleText(json, packing)).toString('base64')
}
