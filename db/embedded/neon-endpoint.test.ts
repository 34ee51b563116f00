import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, databaseError } from '../connect.ts'
import { createStore } from '../create-store.ts'
import { DatabaseAway } from '../store.ts'
import { startNeonEndpoint } from './neon-endpoint.ts'
import { openTestDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.db.execute('create table notes (id int primary key, note text)')
})
afterAll(() => database.close())

const ask = async (body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(database.endpointUrl, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Neon-Connection-String': database.url, 'Neon-Raw-Text-Output': 'true', 'Neon-Array-Mode': 'true', ...headers },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } // this test's own server
}

test('[DB36] the endpoint answers raw text with the types it has, and objects or parsed values when asked', async () => {
  const query = { query: 'select $1::int as n, null as nothing, true as yes', params: ['7'] }
  const { body } = await ask(query)
  expect(body).toMatchObject({ command: 'SELECT', rowCount: 1, rows: [['7', null, 't']] })
  expect(body.fields).toMatchObject([{ name: 'n', dataTypeID: 23 }, { name: 'nothing' }, { name: 'yes', dataTypeID: 16 }])
  expect((await ask(query, { 'Neon-Array-Mode': 'false' })).body.rows).toEqual([{ n: '7', nothing: null, yes: 't' }])
  expect((await ask(query, { 'Neon-Raw-Text-Output': 'false' })).body.rows).toEqual([[7, null, true]])
})

test("[DB36] arrays, nulls, JSON and moments pass Neon's driver there and back", async () => {
  const { $client } = database.db
  const at = '2026-11-01T10:00:00.123Z'
  const text = 'select $1::text[] as list, $2::text as nothing, $3::jsonb as json, $4::timestamptz = $5::timestamptz as same'
  const values = [['a', 'b"c', 'd,e', null], null, JSON.stringify({ x: [1, '\\'] }), at, new Date(at)]
  expect(await $client.query(text, values)).toEqual([
    { list: ['a', 'b"c', 'd,e', null], nothing: null, json: { x: [1, '\\'] }, same: true },
  ])
})

test('[DB37] a batch is one transaction: an error anywhere rolls back all of it', async () => {
  const add = (id: number) => ({ query: 'insert into notes values ($1, $2)', params: [id, 'n'] })
  const failed = await ask({ queries: [add(1), add(2), add(1)] })
  expect(failed).toMatchObject({ status: 400, body: { code: '23505', constraint: 'notes_pkey', severity: 'ERROR' } })
  expect((await ask({ query: 'select count(*) from notes' })).body.rows).toEqual([['0']])
  const passed = await ask({ queries: [add(1), { query: 'select id from notes', params: [] }] })
  expect(passed.body.results).toMatchObject([{ command: 'INSERT', rowCount: 1 }, { rows: [['1']] }])
})

test('[DB37] a batch runs at the isolation and access it asks for', async () => {
  const queries = [{ query: `select current_setting('transaction_isolation'), current_setting('transaction_read_only')`, params: [] }]
  const headers = { 'Neon-Batch-Isolation-Level': 'Serializable', 'Neon-Batch-Read-Only': 'true' }
  expect((await ask({ queries }, headers)).body.results).toMatchObject([{ rows: [['serializable', 'on']] }])
  expect((await ask({ queries })).body.results).toMatchObject([{ rows: [['read committed', 'off']] }])
})

test('[DB37] a transaction opened by a single query never reaches the next one', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => 100 + index)
  for (const id of ids) {
    await ask({ query: 'begin' })
    await ask({ query: 'insert into notes values ($1, $2)', params: [id, 'kept'] })
  }
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(`select id from notes where note = 'kept' order by id`)
  await client.end()
  expect(rows.map((row) => row.id)).toEqual(ids)
  expect((await ask({ query: 'select 1; select 2' })).body.code).toBe('42601')
})

test('[DB38] the endpoint listens on the loopback only and serves nobody without the password', async () => {
  expect(new URL(database.endpointUrl).hostname).toBe('127.0.0.1')
  const wrong = new URL(database.url)
  wrong.password = 'guess'
  for (const shown of [wrong.href, 'nonsense', '']) {
    expect(await ask({ query: 'select 1' }, { 'Neon-Connection-String': shown })).toMatchObject({ status: 400, body: { code: '28P01' } })
  }
})

test('[DB38] malformed and oversized requests are refused', async () => {
  expect((await ask('{')).status).toBe(400)
  expect((await ask({ nothing: 1 })).status).toBe(400)
  expect((await fetch(database.endpointUrl)).status).toBe(404)
  const small = await startNeonEndpoint({ databaseUrl: database.url, maxBodyBytes: 1000 })
  const headers = { 'Neon-Connection-String': database.url }
  const refused = await fetch(small.url, { method: 'POST', headers, body: JSON.stringify({ query: `select '${'x'.repeat(2000)}'` }) })
  expect(refused.status).toBe(413)
  await small.stop()
})

test('[DB39] a database that cannot be reached, is too slow or answers garbage is away, a refused statement is not', async () => {
  const dead = await startNeonEndpoint({ databaseUrl: 'postgresql://bench:x@127.0.0.1:1/postgres' })
  const deadStore = createStore(connect('postgresql://bench:x@127.0.0.1:1/postgres', { fetchEndpoint: dead.url }))
  await expect(deadStore.ping()).rejects.toBeInstanceOf(DatabaseAway)
  await dead.stop()
  await expect(deadStore.listRuns({ viewers: [], limit: 1, offset: 0 })).rejects.toBeInstanceOf(DatabaseAway)

  const slow = await startNeonEndpoint({ databaseUrl: database.url, statementTimeoutMs: 20 })
  const slowDb = connect(alias('slow.invalid'), { fetchEndpoint: slow.url })
  await expect(createStore(slowDb).ping()).resolves.toBeUndefined()
  expect(await slowDb.execute('select pg_sleep(5)').catch(databaseError)).toBeInstanceOf(DatabaseAway)
  await slow.stop()

  const answers: Record<string, (response: ServerResponse) => void> = {
    torn: (response) => response.end('{"rows": ['),
    cut: (response) => response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
    silent: () => undefined,
  }
  for (const [name, answer] of Object.entries(answers)) {
    const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address() as { port: number } // listening on a port, so it has one
    const fetchEndpoint = `http://127.0.0.1:${address.port}/sql`
    await expect(createStore(connect(alias(`${name}.invalid`), { fetchEndpoint, timeoutMs: 100 })).ping()).rejects.toBeInstanceOf(
      DatabaseAway,
    )
    server.closeAllConnections()
    server.close()
  }
  const refused = database.store.createKey({
    id: 'k',
    owner_id: 'o',
    name: '',
    made_by: null,
    scopes: [],
    expires_at: 'never',
    revoked_at: null,
    used_at: null,
    sha256: 'e',
  })
  await expect(refused).rejects.toMatchObject({ code: '22007' })
})

/** The same user, password and database under another host name, so that it has an endpoint of its own. */
function alias(host: string): string {
  const url = new URL(database.url)
  url.hostname = host
  return url.href
}
