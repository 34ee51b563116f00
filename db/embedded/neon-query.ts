import type pg from 'pg'

export type NeonQuery = { query: string; params: unknown[] }
/** `raw`: values stay PostgreSQL's text, the driver parses them. `array`: rows are arrays in the order of `fields`. */
export type ResultShape = { raw: boolean; array: boolean }
export type BatchMode = { isolation: string | undefined; readOnly: boolean; deferrable: boolean }
export type NeonResult = {
  command: string
  rowCount: number | null
  rowAsArray: boolean
  fields: { name: string; dataTypeID: number; dataTypeSize: number; dataTypeModifier: number; format: string }[]
  rows: unknown[]
}

const isolationLevels: Record<string, string> = {
  ReadUncommitted: 'READ UNCOMMITTED',
  ReadCommitted: 'READ COMMITTED',
  RepeatableRead: 'REPEATABLE READ',
  Serializable: 'SERIALIZABLE',
}
const asText = { getTypeParser: () => (value: string | Buffer) => value }

/** One statement on a connection of its own, committed by itself. */
export async function runQuery(pool: pg.Pool, query: NeonQuery, shape: ResultShape): Promise<NeonResult> {
  return withClient(pool, (client) => execute(client, query, shape))
}

/** Statements in one transaction: all of them or none. */
export async function runBatch(pool: pg.Pool, queries: NeonQuery[], shape: ResultShape, mode: BatchMode): Promise<NeonResult[]> {
  return withClient(pool, async (client) => {
    await client.query(beginOf(mode))
    const results: NeonResult[] = []
    for (const query of queries) results.push(await execute(client, query, shape))
    await client.query('COMMIT')
    return results
  })
}

function beginOf({ isolation, readOnly, deferrable }: BatchMode): string {
  const level = isolation === undefined ? undefined : isolationLevels[isolation]
  return ['BEGIN', level && `ISOLATION LEVEL ${level}`, readOnly && 'READ ONLY', deferrable && 'DEFERRABLE'].filter(Boolean).join(' ')
}

/** A connection left inside a transaction, by an error or by a bare BEGIN, is closed instead of going back: that rolls it back. */
async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const onError = () => undefined // the query in flight is rejected as well, and that is what is reported
  client.on('error', onError)
  let idle = false
  try {
    const result = await work(client)
    idle = client.getTransactionStatus() === 'I'
    return result
  } finally {
    client.off('error', onError)
    client.release(!idle && client.getTransactionStatus() !== 'I')
  }
}

async function execute(client: pg.PoolClient, { query, params }: NeonQuery, shape: ResultShape): Promise<NeonResult> {
  // The extended protocol takes one statement only, with or without parameters.
  const config = { text: query, values: params, rowMode: 'array' as const, queryMode: 'extended', ...(shape.raw ? { types: asText } : {}) }
  const { command, rowCount, fields, rows } = await client.query<unknown[]>(config)
  const named = () => rows.map((row) => Object.fromEntries(row.map((value, index) => [fields[index]?.name ?? '', value])))
  return {
    command,
    rowCount,
    rowAsArray: shape.array,
    fields: fields.map(({ name, dataTypeID, dataTypeSize, dataTypeModifier, format }) => ({
      name,
      dataTypeID,
      dataTypeSize,
      dataTypeModifier,
      format,
    })),
    rows: shape.array ? rows : named(),
  }
}
