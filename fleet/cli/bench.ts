import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Io } from './io.ts'
import { main } from './main.ts'

/** Entry of the command line: binds `main` to this process. */
const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort()
  // A second Ctrl-C, or a command that does not listen, ends at once.
  setTimeout(() => process.exit(130), 2_000).unref()
})
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1)) // the reader has gone: bench … | head
if (existsSync('.env')) loadEnvFile('.env')

const { env } = process
const interactive = process.stderr.isTTY === true
let shown = false
const clear = () => {
  if (shown) process.stderr.write('\r\u001b[K')
  shown = false
}
const io: Io = {
  out: (line) => {
    clear()
    process.stdout.write(`${line}\n`)
  },
  err: (line) => {
    clear()
    process.stderr.write(`${line}\n`)
  },
  progress: (line) => {
    if (!interactive) return
    process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`)
    shown = true
  },
  env,
  fetch,
  now: () => performance.now(),
  pause: (ms) => delay(ms, undefined, { signal: interrupted.signal }).catch(() => undefined),
  signal: interrupted.signal,
  interactive,
  columns: process.stdout.isTTY ? process.stdout.columns : Number(env.COLUMNS) || null,
  colour: process.stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
}
process.exitCode = await main(process.argv.slice(2), io)
clear()
