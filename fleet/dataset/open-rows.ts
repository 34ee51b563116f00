import { createHash } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { serialize } from 'node:v8'
import { joinRows, listRows } from '#shared/benchmarks/rows.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { unwrap } from './dataset-error.ts'
import { withFileLock } from './file-lock.ts'
import { removeLeftovers } from './pinned-file.ts'
import { readTail, type Tail } from './row-index.ts'
import { type OpenedRows, openStore, type RowStore } from './row-store.ts'
import { archivePath, streamRows } from './rows.ts'
import { hashFile, markVerified } from './verified-file.ts'

/** Rows of a data file: in memory where they are few, else on disk with an index. Plain data, which any thread can open. */
export type RowSource = { type: 'list'; rows: readonly unknown[] } | { type: 'store'; store: RowStore }

export const countOf = (source: RowSource): number => (source.type === 'list' ? source.rows.length : source.store.count)

/** The rows of a role, whose files follow one another. */
export async function openSources(sources: readonly RowSource[], env: Pick<DatasetEnv, 'heavy' | 'rows'>): Promise<OpenedRows> {
  const stores: OpenedRows[] = []
  const close = async (): Promise<void> => void (await Promise.all(stores.map((store) => store.close())))
  try {
    const parts = []
    for (const source of sources) {
      if (source.type === 'list') parts.push(listRows(source.rows))
      else parts.push(stores[stores.push(await openStore(source.store, env)) - 1]!)
    }
    return { ...joinRows(parts), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The rows of a file whose bytes have this hash. A large one is indexed once, on a thread, in `<cacheDir>/rows`: what lies there is used when it is
 * whole, else made again. Throws `dataset/bad-record` with the place that does not parse.
 */
export async function findRows(
  { path, sha256 }: { path: string; sha256: string },
  name: string,
  columns: readonly string[] | undefined,
  env: DatasetEnv,
): Promise<RowSource> {
  const inPlace = archivePath(name).path.endsWith('.jsonl')
  const plain = /\.(jsonl|json|csv)$/.test(archivePath(name).path)
  const { size } = await stat(path)
  if (size <= env.rows.inlineBytes / (plain ? 1 : 8))
    return { type: 'list', rows: await listed(streamRows(path, name, columns, env.rows.mostRowBytes)) }

  const key = inPlace ? sha256 : keyOf(sha256, name, columns)
  const index = join(env.cacheDir, 'rows', `${key}.index`)
  const rows = inPlace ? null : join(env.cacheDir, 'rows', `${key}.rows`)
  const known = await wholeTail(index, rows, env)
  const { count } = known ?? (await makeIndex({ path, name, columns: columns ?? null, index, rows }, env))
  const store: RowStore = { file: rows ?? path, index, count, form: inPlace ? 'json' : 'v8', columns: inPlace ? (columns ?? null) : null }
  return { type: 'store', store }
}

async function listed(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const list: unknown[] = []
  for await (const row of rows) list.push(row)
  return list
}

/** Names what is made of a file: its bytes, what was taken of it, and the form in which this Node writes rows. */
function keyOf(sha256: string, name: string, columns: readonly string[] | undefined): string {
  const form = serialize(0)[1]
  const taken = archivePath(name).member ?? basename(name)
  return createHash('sha256')
    .update(JSON.stringify([sha256, taken, columns ?? null, form]))
    .digest('hex')
}

type Wanted = { path: string; name: string; columns: readonly string[] | null; index: string; rows: string | null }

async function makeIndex({ path, name, columns, index, rows }: Wanted, env: DatasetEnv): Promise<Tail> {
  await mkdir(dirname(index), { recursive: true })
  return withFileLock(index, env.signal, async () => {
    const made = await wholeTail(index, rows, env)
    if (made) return made
    await removeLeftovers(index)
    if (rows !== null) await removeLeftovers(rows)
    const job = { file: path, name, columns, index, rows, mostRowBytes: env.rows.mostRowBytes }
    const tail = unwrap(await env.heavy.run('index', job, { signal: env.signal }))
    if (rows !== null && tail.rows_sha256 !== null) await markVerified(rows, env.cacheDir, tail.rows_sha256)
    return tail
  })
}

/** What an index says of itself, when neither it nor the rows that were written with it have changed. */
async function wholeTail(index: string, rows: string | null, env: DatasetEnv): Promise<Tail | undefined> {
  const tail = await readTail(index)
  if (tail === undefined || rows === null) return tail
  const hash = await hashFile(rows, env)
  if (hash?.sha256 !== tail.rows_sha256) return undefined
  if (hash.read) await markVerified(rows, env.cacheDir, hash.sha256)
  return tail
}
