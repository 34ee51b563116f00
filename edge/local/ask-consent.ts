import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

type Terminal = { input: Readable & { isTTY?: boolean }; output: Writable }

/**
 * Shows a sentence and asks whether to go on; only `y` or `yes` is consent. Where no person can answer (no terminal, or the input ends)
 * there is none.
 */
export async function askConsent(sentence: string, { input, output }: Terminal): Promise<boolean> {
  output.write(`${sentence}\n`)
  if (!input.isTTY) return false
  output.write('Delete them? [y/N] ')
  // Not as a terminal of readline's own: that would take Ctrl-C from the process.
  const lines = createInterface({ input, terminal: false })
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim())
    return false
  } finally {
    lines.close()
  }
}
