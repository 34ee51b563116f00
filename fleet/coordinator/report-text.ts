import type { Openings } from '#shared/contract/packed.ts'

/** More than a report usually has: it leaves with the record that makes it longer than 256 KiB. */
const usualBytes = 320 * 1024
const mostSpare = 8

const comma = 0x2c
const lineFeed = 0x0a

/** Bytes of reports that have arrived, for those that follow: made anew, 2.5 kB for each trial would lie among the old until they are looked through. */
export type SpareBytes = Buffer[]

/** Keeps the bytes of a report for another, once nobody reads them any more. */
export function giveBack(spare: SpareBytes, report: Buffer): void {
  if (report.buffer.byteLength === usualBytes && spare.length < mostSpare) spare.push(Buffer.from(report.buffer))
}

/**
 * The text of a report as it grows, in UTF-8: a line for its beginning, its records and its end each, which the service keeps as they are. A record is
 * written into it at once, since hundreds of their texts at hand would cost more than all else that is done with them.
 */
export function beginReport(id: number, spare: SpareBytes) {
  let bytes = spare.pop() ?? Buffer.allocUnsafeSlow(usualBytes)
  let length = 0
  let count = 0
  const makeRoom = (room: number): void => {
    if (bytes.length - length >= room) return
    const larger = Buffer.allocUnsafeSlow(length + room + usualBytes)
    bytes.copy(larger, 0, 0, length)
    bytes = larger
  }
  const put = (text: string): void => {
    // A code unit takes at most three bytes. Two are left for what stands between this and the next.
    if (bytes.length - length < 3 * text.length) makeRoom(Buffer.byteLength(text) + 2)
    length += bytes.write(text, length)
  }
  put(`{"type":"report","id":${id},"results":[\n`)
  return {
    add(record: string): void {
      if (count++ > 0) {
        bytes[length++] = comma
        bytes[length++] = lineFeed
      }
      put(record)
    },
    bytes: () => length,
    end(openings: Openings): Buffer {
      put(`\n],"openings":${JSON.stringify(openings)}}`)
      return bytes.subarray(0, length)
    },
  }
}
export type ReportText = ReturnType<typeof beginReport>
