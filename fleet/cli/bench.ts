import { setTimeout as delay } from 'node:timers/promises'
import { loadEnvFile } from '../load-env-file.ts'
import { useProxies } from '../proxy/use-proxies.ts'
import type { Io } from './io.ts'
import { main } from './main.ts'

/** Entry of the command line: binds `main` to this process. */
const interrupted = new AbortController()
let waits = false
let firstMs = 0
// One Ctrl-C may arrive twice, from the terminal and from npm: what comes at once is the same one.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (interrupted.signal.aborted) {
      if (name === 'SIGINT' && performance.now() - firstMs > 500) process.exit(130)
      return
    }
    firstMs = performance.now()
    interrupted.abort()
    setTimeout(() => waits || process.exit(130), 2_000).unref()
  })
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1)) // the reader has gone: bench … | head
const { env } = process
const misread = loadEnvFile('.env', env) ?? useProxies(env)
if (misread !== null) {
  process.stderr.write(`${misread}\n`)
  process.exit(1)
}
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
  holdOn: () => {
    waits = true
  },
  interactive,
  columns: process.stdout.isTTY ? process.stdout.columns : Number(env.COLUMNS) || null,
  colour: process.stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
}
const code = await main(process.argv.slice(2), io)
clear()
// Everything is said: sockets kept open for a next request must not hold the process.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise<void>((said) => stream.write('', () => said()))))
process.exit(code)
