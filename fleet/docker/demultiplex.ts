import type { Socket } from 'node:net'

const headerBytes = 8

/**
 * Parts Docker's stream into the outputs of a process: frames of a byte for the channel, three that say nothing, four for the length, and so many
 * bytes. `onPart` gets every piece as it comes, channel 1 or 2. Resolves when the stream has ended, however that came.
 */
export function demultiplex(stream: Socket, onPart: (channel: number, part: Buffer) => void): Promise<void> {
  let header = Buffer.alloc(0)
  let left = 0
  let channel = 0
  stream.on('data', (data: Buffer) => {
    let rest = data
    while (rest.length > 0) {
      if (left > 0) {
        const part = rest.subarray(0, left)
        left -= part.length
        rest = rest.subarray(part.length)
        onPart(channel, part)
        continue
      }
      const taken = rest.subarray(0, headerBytes - header.length)
      header = Buffer.concat([header, taken])
      rest = rest.subarray(taken.length)
      if (header.length < headerBytes) return
      channel = header[0]!
      left = header.readUInt32BE(4)
      header = Buffer.alloc(0)
    }
  })
  return new Promise((resolve) => {
    stream.on('error', () => undefined) // `close` follows
    stream.once('end', () => resolve())
    stream.once('close', () => resolve())
    if (stream.closed) resolve()
  })
}

/** All text of a stream of both outputs that is whole already, as a container's log. */
export function demultiplexText(bytes: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; at + headerBytes <= bytes.length; ) {
    const length = bytes.readUInt32BE(at + 4)
    parts.push(bytes.subarray(at + headerBytes, at + headerBytes + length))
    at += headerBytes + length
  }
  return Buffer.concat(parts).toString()
}
