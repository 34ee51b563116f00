import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadEnvFile } from '#fleet/load-env-file.ts'
import { CannotStart } from './data-dir.ts'
import { listensOn, loopback, openAddresses, readHost } from './listen.ts'

export type Settings = {
  root: string
  dataDir: string
  /** Where it listens besides 127.0.0.1, which is the default. */
  host: string
  port: number
  fresh: boolean
  /** Whether `--fresh` deletes without asking. */
  yes: boolean
}

export const usage = `Starts everything on this machine: database, Worker, one fleet agent, and a demo model when no provider is configured.

  npm start [-- --fresh [--yes]]

  --fresh          delete what earlier starts left in the data directory (runs, results, keys, the signing key), after asking
  --yes            with --fresh: do not ask

  PORT=8787        port (0 takes a free one)
  HOST=0.0.0.0     let other machines in, at this address of this one or at all of them; without it 127.0.0.1 alone
  BENCH_DATA=.data data directory
  CHUTES_API_KEY   run models on Chutes
  OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODELS   run models of any OpenAI-compatible server
  LMSTUDIO_BASE_URL   run models of LM Studio, e.g. http://127.0.0.1:1234/v1
  A .env file beside package.json is read.`

/** Reads flags, environment and `.env`. Throws `CannotStart` with one sentence for anything that does not fit. */
export function readSettings(root: string, args: string[], env: NodeJS.ProcessEnv): Settings {
  const { values } = parseFlags(args)
  const dotEnv = join(root, '.env')
  const unread = env === process.env ? loadEnvFile(dotEnv, env) : null
  if (unread !== null) throw new CannotStart(unread)
  const port = Number(env.PORT || 8787)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CannotStart(`PORT=${env.PORT} is not a port number.`)
  return {
    root,
    dataDir: env.BENCH_DATA ? resolve(env.BENCH_DATA) : join(root, '.data'),
    host: readHost(env.HOST),
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

/** Checks that `port` can be taken at every address that `host` stands for and gives it back; 0 gives a free one. */
export async function claimPort(port: number, host = loopback): Promise<number> {
  let claimed = port
  for (const address of listensOn(host)) claimed = await claimAt(claimed, address)
  return claimed
}

async function claimAt(port: number, host: string): Promise<number> {
  const server = createServer()
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(port, host, () => listening.resolve())
  try {
    await listening.promise
  } catch (cause) {
    throw cannotListen(host, port, cause as NodeJS.ErrnoException)
  }
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address ? address.port : port
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): CannotStart {
  const { code } = cause
  const place = `Port ${port} on ${host}`
  if (code === 'EADDRINUSE')
    return new CannotStart(`${place} is taken by another program; choose one with PORT=${port + 1} npm start.`, { cause })
  if (code === 'EADDRNOTAVAIL') {
    const own = openAddresses('::', networkInterfaces())
    return new CannotStart(`HOST=${host} is not an address of this machine${own.length > 0 ? `; it has ${own.join(', ')}` : ''}.`, {
      cause,
    })
  }
  return new CannotStart(`${place} cannot be opened (${code}); choose another with PORT=8788 npm start.`, { cause })
}
