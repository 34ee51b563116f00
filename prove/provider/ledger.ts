import { closeSync, openSync, writeSync } from 'node:fs'

/** One request as the provider saw it. Tokens are billed only where the usage that names them has left this process. */
export type LedgerEntry = {
  id: number
  prompt_sha256: string
  keyed: boolean
  status: number
  fault: string | null
  started_ms: number
  ended_ms: number
  input_tokens: number
  output_tokens: number
}

export type Ledger = { readonly entries: readonly LedgerEntry[]; add(entry: LedgerEntry): void; flush(): void; close(): void }

/** The append-only account of a simulated provider, in memory and, with a file name, as JSON lines written every 64 KiB or 50 ms. */
export function openLedger(file: string | null): Ledger {
  const entries: LedgerEntry[] = []
  const fd = file === null ? null : openSync(file, 'a')
  let unwritten = ''
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    if (fd !== null && unwritten !== '') writeSync(fd, unwritten)
    unwritten = ''
  }
  return {
    entries,
    add(entry) {
      entries.push(entry)
      if (fd === null) return
      unwritten += `${JSON.stringify(entry)}\n`
      if (unwritten.length > 65_536) flush()
      else timer ??= setTimeout(flush, 50)
    },
    flush,
    close() {
      flush()
      if (fd !== null) closeSync(fd)
    },
  }
}
