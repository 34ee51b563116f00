import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const worker = `
import { DurableObject } from 'cloudflare:workers'
import { greeting } from './part.js'
export class RunObject extends DurableObject {
  async fetch(request) {
    const sql = this.ctx.storage.sql
    sql.exec('CREATE TABLE IF NOT EXISTS row (value TEXT)')
    if (request.method === 'POST') sql.exec('INSERT INTO row VALUES (?)', await request.text())
    return Response.json(sql.exec('SELECT value FROM row').toArray().map((row) => row.value))
  }
}
export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    if (url.pathname === '/api/object') {
      if (request.method === 'PUT') return Response.json((await env.BUCKET.put('object', request.body)).size)
      return new Response((await env.BUCKET.get('object'))?.body)
    }
    if (url.pathname === '/api/refused') {
      let bytes = 0
      for await (const chunk of request.body) bytes += chunk.length
      return Response.json(bytes, { status: 409 })
    }
    if (url.pathname === '/api/rows') return env.RUNS.getByName('one').fetch(request)
    if (url.pathname === '/api/seen') {
      const given = request.headers.get('x-bench-door')
      return Response.json({ url: request.url, secret: env.DOOR_SECRET, given, ip: request.headers.get('cf-connecting-ip') })
    }
    if (url.pathname === '/api/listed') return env.LISTED.fetch('http://host/?wait_ms=7')
    if (url.pathname === '/api/health') return Response.json({ status: 'healthy' })
    if (url.pathname === '/api/status') return Response.json({ agents: 1, local: env.LOCAL === '1', version: env.VERSION })
    return new Response(greeting + ' ' + env.NAME)
  },
}
`

/** Writes a small built Worker (object with SQLite, two modules, assets) as `vite build` lays one out; gives its server folder. */
export function writeFixtureWorker(dist: string): string {
  const server = join(dist, 'server')
  const client = join(dist, 'client')
  mkdirSync(join(client, 'assets'), { recursive: true })
  mkdirSync(server, { recursive: true })
  writeFileSync(join(server, 'index.js'), worker)
  writeFileSync(join(server, 'part.js'), `export const greeting = 'hello'`)
  writeFileSync(
    join(server, 'wrangler.json'),
    JSON.stringify({
      name: 'bench',
      main: 'index.js',
      compatibility_date: '2026-09-01',
      compatibility_flags: ['nodejs_compat'],
      vars: { NAME: 'nobody' },
      durable_objects: { bindings: [{ name: 'RUNS', class_name: 'RunObject' }] },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['RunObject'] }],
      r2_buckets: [{ binding: 'BUCKET', bucket_name: 'objects' }],
      assets: { directory: '../client' },
      no_bundle: true,
    }),
  )
  writeFileSync(join(client, 'assets', 'app-1234.js'), 'export {}')
  writeFileSync(join(client, '_headers'), '/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n')
  return server
}
