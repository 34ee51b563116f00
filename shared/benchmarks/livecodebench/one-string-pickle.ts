/** Bytes are no pickle of exactly one text. */
export class NotOneString extends Error {}

/** Bytes of operand after an opcode that carries no text: PROTO, FRAME, MEMOIZE, BINPUT, LONG_BINPUT. */
const operands = new Map([
  [0x80, 1],
  [0x95, 8],
  [0x94, 0],
  [0x71, 1],
  [0x72, 4],
])
/** Bytes of length before the text of SHORT_BINUNICODE, BINUNICODE, BINUNICODE8. */
const texts = new Map([
  [0x8c, 1],
  [0x58, 4],
  [0x8d, 8],
])
const proto = 0x80
const stop = 0x2e

/**
 * The UTF-8 bytes of the only object of a pickle, which has to be a text. Nothing is built or called: nine opcodes are known (reference 1.2) and
 * every other throws `NotOneString`, and so do a second text, a length beyond the end, and anything behind the end.
 */
export function oneStringOf(pickle: Uint8Array): Uint8Array {
  const view = new DataView(pickle.buffer, pickle.byteOffset, pickle.byteLength)
  if (pickle[0] !== proto) throw new NotOneString('the pickle does not begin with its protocol')
  let found: Uint8Array | null = null
  let at = 0
  const need = (bytes: number): void => {
    if (bytes > pickle.length - at) throw new NotOneString('the pickle is cut off')
  }
  while (at < pickle.length) {
    const opcode = pickle[at++]!
    const skipped = operands.get(opcode)
    const size = texts.get(opcode)
    if (opcode === stop) {
      if (found === null) throw new NotOneString('the pickle holds nothing')
      if (at !== pickle.length) throw new NotOneString('there are bytes behind the end of the pickle')
      return found
    }
    if (skipped !== undefined) {
      need(skipped)
      if (opcode === proto && (at !== 1 || pickle[at]! < 2 || pickle[at]! > 5)) throw new NotOneString('the protocol is none of 2 to 5')
      at += skipped
    } else if (size !== undefined) {
      if (found !== null) throw new NotOneString('the pickle holds two texts')
      need(size)
      const length = lengthAt(view, at, size)
      at += size
      need(length)
      found = pickle.subarray(at, at + length)
      at += length
    } else throw new NotOneString(`the pickle has the opcode 0x${opcode.toString(16).padStart(2, '0')}, which no text needs`)
  }
  throw new NotOneString('the pickle has no end')
}

function lengthAt(view: DataView, at: number, size: number): number {
  if (size === 1) return view.getUint8(at)
  if (size === 4) return view.getUint32(at, true)
  return view.getUint32(at, true) + 2 ** 32 * view.getUint32(at + 4, true)
}
