import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import { parseArgs } from 'node:util'
import { CannotStart } from './data-dir.ts'

export type Settings = {
  root: string
  dataDir: string
  port: number
  fresh: boolean
  /** Whether `--fresh` deletes without asking. */
  yes: boolean
}

export const usage = `Starts everything on this machine: database, Worker, one fleet agent, and a demo model when no provider is configured.

  npm start [-- --fresh [--yes]]

  --fresh          delete what earlier starts left in the data directory (runs, results, keys, the signing key), after asking
  --yes            with --fresh: do not ask

  PORT=8787        port on 127.0.0.1 (0 takes a free one)
  BENCH_DATA=.data data directory
  CHUTES_API_KEY   run models on Chutes
  OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODELS   run models of any OpenAI-compatible server
  A .env file beside package.json is read.`

/** Reads flags, environment and `.env`. Throws `CannotStart` with one sentence for anything that does not fit. */
export function readSettings(root: string, args: string[], env: NodeJS.ProcessEnv): Settings {
  const { values } = parseFlags(args)
  const dotEnv = join(root, '.env')
  if (env === process.env && existsSync(dotEnv)) loadEnvFile(dotEnv)
  const port = Number(env.PORT || 8787)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CannotStart(`PORT=${env.PORT} is not a port number.`)
  return {
    root,
    dataDir: env.BENCH_DATA ? resolve(env.BENCH_DATA) : join(root, '.data'),
    port,
    fresh: values.fresh,
    yes: values.yes,
  }
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({ args, options: { fresh: { type: 'boolean', default: false }, yes: { type: 'boolean', default: false } } })
  } catch (cause) {
    throw new CannotStart(`${cause instanceof Error ? cause.message : cause}\n\n${usage}`, { cause })
  }
}

/** Checks that `port` can be taken on 127.0.0.1 and gives it back; 0 gives a free one. */
export async function claimPort(port: number): Promise<number> {
  const server = createServer()
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(port, '127.0.0.1', () => listening.resolve())
  try {
    await listening.promise
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE') {
      throw new CannotStart(`Port ${port} on 127.0.0.1 is taken by another program; choose one with PORT=${port + 1} npm start.`, { cause })
    }
    throw new CannotStart(`Port ${port} on 127.0.0.1 cannot be opened (${code}); choose another with PORT=8788 npm start.`, { cause })
  }
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address ? address.port : port
}
