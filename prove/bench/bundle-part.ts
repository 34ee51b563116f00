import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pinnedKey, verifyFile } from '#fleet/cli/verify.ts'
import { writeBundle } from '#shared/export/bundle.ts'
import { benchKey, largeRun } from './large-run.ts'

/** One half of the measurement in a process of its own: `write PATH TRIALS BYTES` or `verify PATH`. The last line tells what it took. */
const [what, path = '', trials, bytes] = process.argv.slice(2)
const begun = performance.now()
let heapBytes = 0
const watch = setInterval(() => {
  const { heapUsed, external } = process.memoryUsage()
  heapBytes = Math.max(heapBytes, heapUsed + external)
}, 20)
let said: string
if (what === 'write') {
  const { claims, pages } = largeRun(Number(trials), Number(bytes))
  const made = writeBundle(claims, pages, benchKey, { openSha256: () => createHash('sha256') })
  await pipeline(Readable.from(made, { objectMode: false }), createWriteStream(path))
  said = 'written'
} else {
  const { report, lines } = await verifyFile(path, { keys: [pinnedKey(benchKey.public_key)], now: new Date('2026-01-02T03:04:05Z') })
  if (!report.valid || report.rescored !== report.items) throw new Error(lines.join('\n'))
  said = `verified, ${report.rescored} scores computed anew`
}
clearInterval(watch)
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ said, seconds: (performance.now() - begun) / 1000, heap_mb: heapBytes / 2 ** 20, peak_mb: maxRSS / 1024 }))
