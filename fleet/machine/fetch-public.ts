import { createHash } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { createWriteStream } from 'node:fs'
import { type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { addressProblem } from '#shared/dockerfile/build-address.ts'
import { isPublicAddress } from '#shared/dockerfile/public-host.ts'

/** An address of a host as a resolver tells it. */
export type Resolved = { address: string; family: number }

/** How files are fetched. `mayReach` decides over each address that a name resolves to, and each that is connected to. */
export type FetchMeans = {
  resolve(host: string): Promise<readonly Resolved[]>
  problemOf(url: string): string | null
  mayReach(address: string): boolean
}

const mostRedirects = 5
const redirects: readonly number[] = [301, 302, 303, 307, 308]

/** The public internet alone, by this machine's own resolver. */
export const publicMeans: FetchMeans = {
  resolve: (host) => lookup(host, { all: true }),
  problemOf: addressProblem,
  mayReach: isPublicAddress,
}

/** An address that is not fetched, in a sentence of ours. */
export class NotFetched extends Error {}

/**
 * Fetches a file into `path`, at most `most_bytes`; gives how many it has. Every address is checked before it is connected to: the first, and each that it redirects to. A name is resolved
 * once, all its addresses must be public, and the connection goes to one of these. No proxy is used, as it would resolve the name again. Throws `NotFetched`, and the
 * signal's reason.
 */
export async function fetchPublic(
  url: string,
  { path, most_bytes, checksum }: { path: string; most_bytes: number; checksum: string | null },
  signal: AbortSignal,
  means: FetchMeans = publicMeans,
): Promise<number> {
  let at = url
  for (let asked = 0; asked <= mostRedirects; asked++) {
    const why = means.problemOf(at)
    if (why !== null) throw new NotFetched(`${shown(at)}: ${why}`)
    const answer = await ask(new URL(at), signal, means)
    const { statusCode = 0, headers } = answer
    if (redirects.includes(statusCode) && headers.location !== undefined) {
      answer.destroy()
      if (!URL.canParse(headers.location, at)) throw new NotFetched(`${shown(at)}: it redirects to no address`)
      at = new URL(headers.location, at).href
      continue
    }
    if (statusCode !== 200) {
      answer.destroy()
      throw new NotFetched(`${shown(at)}: HTTP ${statusCode}`)
    }
    const { sum, bytes } = await keep(answer, path, most_bytes, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error instanceof NotFetched ? error : new NotFetched(`${shown(at)}: the connection broke`)
    })
    if (checksum !== null && checksum !== `sha256:${sum}`) throw new NotFetched(`${shown(at)}: its checksum is sha256:${sum}`)
    return bytes
  }
  throw new NotFetched(`${shown(url)}: it redirects more than ${mostRedirects} times`)
}

async function ask(url: URL, signal: AbortSignal, means: FetchMeans): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = await means.resolve(host).catch(() => [])
  signal.throwIfAborted()
  const [first] = found
  if (!first) throw new NotFetched(`${shown(url.href)}: its host has no address`)
  if (!found.every(({ address }) => means.mayReach(address)))
    throw new NotFetched(`${shown(url.href)}: its host is at no address of the public internet`)
  const options: RequestOptions = {
    signal,
    headers: { 'user-agent': 'chutes-bench', 'accept-encoding': 'identity' },
    agent: false,
    // The connection goes where was looked, whatever the name resolves to by now.
    lookup: (_name, { all }, tell) => (all ? tell(null, [...found]) : tell(null, first.address, first.family)),
  }
  return new Promise((resolve, reject) => {
    const made = (url.protocol === 'https:' ? overHttps : overHttp)(url, options, resolve)
    made.once('error', () => reject(signal.aborted ? signal.reason : new NotFetched(`${shown(url.href)}: its host cannot be reached`)))
    made.end()
  })
}

/** Writes a body to a file; gives its SHA-256 in hexadecimal and its size. */
async function keep(body: IncomingMessage, path: string, most_bytes: number, signal: AbortSignal): Promise<{ sum: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length
      if (bytes > most_bytes) return done(new NotFetched(`a file has more than ${Math.round(most_bytes / 1024 ** 2)} MB`))
      hash.update(part)
      done(null, part)
    },
  })
  await pipeline(body, counted, createWriteStream(path, { mode: 0o600 }), { signal })
  return { sum: hash.digest('hex'), bytes }
}

const shown = (url: string): string => url.slice(0, 300)
