/** More than one frame of the relay can have. */
const mostFrame = 1 << 20
const headerBytes = 8
/** Bytes of a frame that we write. */
const frameBytes = 32_768

/** What is sent over one connection, in frames; nothing: the end of it. */
export function* framesOf(number: number, data: Uint8Array): Generator<Buffer> {
  if (data.length === 0) yield frameOf(number, data)
  for (let at = 0; at < data.length; at += frameBytes) yield frameOf(number, data.subarray(at, at + frameBytes))
}

function frameOf(number: number, data: Uint8Array): Buffer {
  const frame = Buffer.alloc(headerBytes + data.length)
  frame.writeUInt32BE(number, 0)
  frame.writeUInt32BE(data.length, 4)
  frame.set(data, headerBytes)
  return frame
}

/** Parts a stream into frames, however it comes. False once what comes is none. */
export function readFrames(onFrame: (number: number, data: Buffer) => void): (part: Uint8Array) => boolean {
  let got = Buffer.alloc(0)
  return (part) => {
    got = Buffer.concat([got, part])
    while (got.length >= headerBytes) {
      const size = got.readUInt32BE(4)
      if (size > mostFrame) return false
      if (got.length < headerBytes + size) return true
      const number = got.readUInt32BE(0)
      const data = got.subarray(headerBytes, headerBytes + size)
      got = got.subarray(headerBytes + size)
      onFrame(number, data)
    }
    return true
  }
}
