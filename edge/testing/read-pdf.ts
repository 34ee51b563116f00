import { unzlibSync } from 'fflate'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16))
const charactersOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

/** What a PDF of ours shows and says of itself: the lines that are drawn, in their order, its other texts, such as the title, and its dates. */
export function readPdf(bytes: Uint8Array): { lines: string[]; texts: string[]; dates: string[] } {
  const file = charactersOf(bytes)
  if (!file.startsWith('%PDF-1.') || !file.trimEnd().endsWith('%%EOF')) throw new Error('this is no whole PDF')
  const streams = [...file.matchAll(/(?<!end)stream\r?\n/g)].map(({ index, 0: mark }) => {
    return charactersOf(unzlibSync(bytes.subarray(index + mark.length, file.indexOf('endstream', index))))
  })
  const all = [file, ...streams].join('\n')
  return {
    lines: [...all.matchAll(/<([0-9A-F]*)> Tj/g)].map(([, hex]) => new TextDecoder('windows-1252').decode(bytesOf(hex!))),
    texts: [...all.matchAll(/<FEFF([0-9A-F]*)>/g)].map(([, hex]) => new TextDecoder('utf-16be').decode(bytesOf(hex!))),
    dates: [...all.matchAll(/\(D:(\d{14})Z\)/g)].map(([, date]) => date!),
  }
}
