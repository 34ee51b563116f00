import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** A run followed to its end as a viewer sees it, and then until its last row stands in Postgres. Moments are milliseconds of wall clock. */
export type Followed = {
  run_id: string
  status: string
  started_ms: number
  completed_ms: number
  /** When everything was in Postgres, or null when rows were still missing a minute after the end. */
  stored_ms: number | null
  rows: number
  done: number
  events: number
}

type Request = { url: string; databaseUrl: string; body: object; trials: number }

/** Starts the run that `body` asks for over HTTP and follows it. Throws when it is refused. */
export async function startAndFollow({ url, databaseUrl, body, trials }: Request): Promise<Followed> {
  const response = await fetch(`${url}/api/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`the run was refused: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  const events = await readStream(`${url}/api/runs/${id}/events`)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { stored_ms, rows } = await waitForRows(client, id, trials)
    const told = await fetch(`${url}/api/runs/${id}`)
    const { status, started_at, completed_at } = (await told.json()) as { status: string; started_at: string; completed_at: string }
    const done = await client.query<{ n: number }>(`select count(*)::int as n from trials where run_id = $1 and outcome <> 'failed'`, [id])
    return {
      run_id: id,
      status,
      started_ms: Date.parse(started_at),
      completed_ms: Date.parse(completed_at),
      stored_ms,
      rows,
      done: done.rows[0]!.n,
      events,
    }
  } finally {
    await client.end()
  }
}

/** Reads a run's stream to its `done`, as a browser does; gives the number of messages. */
async function readStream(url: string): Promise<number> {
  const response = await fetch(url, { headers: { accept: 'text/event-stream' } })
  if (!response.ok || !response.body) throw new Error(`no stream of the run: ${response.status}`)
  let messages = 0
  let tail = ''
  for await (const bytes of response.body) {
    const text = tail + Buffer.from(bytes).toString('latin1')
    messages += text.split('\n\n').length - 1
    tail = text.slice(text.lastIndexOf('\n\n') + 2)
    if (text.includes('event: done')) return messages
    if (tail.length > 64) tail = tail.slice(-64)
  }
  throw new Error('the stream ended before the run did')
}

/** Looks at the last few trials of the plan only, until they are there: counting all rows again and again would cost what is measured. */
async function waitForRows(client: pg.Client, id: string, trials: number): Promise<{ stored_ms: number | null; rows: number }> {
  const untilMs = Date.now() + 60_000
  const count = async (from: number): Promise<number> => {
    const counted = await client.query<{ n: number }>('select count(*)::int as n from trials where run_id = $1 and ordinal >= $2', [
      id,
      from,
    ])
    return counted.rows[0]!.n
  }
  const tail = Math.max(0, trials - 500)
  let rows = 0
  while (Date.now() < untilMs) {
    if ((await count(tail)) >= trials - tail) {
      const stored_ms = Date.now()
      rows = await count(0)
      if (rows >= trials) return { stored_ms, rows }
    }
    await pause(20)
  }
  return { stored_ms: null, rows }
}
