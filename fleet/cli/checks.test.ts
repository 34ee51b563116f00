import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { checks, lookAt } from './checks.ts'

const place = { hfEndpoint: 'http://127.0.0.1:9', githubRawEndpoint: 'http://127.0.0.1:9', dataDir: '.', port: 9 }
const look = async (name: string, where = place) => lookAt(checks(where, []).find((check) => check.name === name)!)

test('[CLI18] what is there is found, with what it says of itself', async () => {
  expect(await look('node')).toMatchObject({ ok: true, detail: process.versions.node, fix: null })
  expect(await look('workerd')).toMatchObject({ ok: true, detail: expect.stringMatching(/^workerd \d{4}/) })
  expect(await look('postgres')).toMatchObject({ ok: true, detail: expect.stringContaining('PostgreSQL') })
  expect(await look('port')).toMatchObject({ ok: true, detail: '9 is free' })
  expect(await look('resources')).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/^\d+ cpus?, .*; no sandbox: it is given questions only$/),
  })
})

test('[CLI18] what is missing comes with what it is for and what to do', async () => {
  const missing = await look('data sets')
  expect(missing).toMatchObject({
    ok: false,
    needed_for: expect.stringContaining('samples work without'),
    fix: expect.stringContaining('HF_ENDPOINT'),
  })
})

test('[CLI18] a port taken by another program is told from our own', async () => {
  const body = { ours: false }
  const server = createServer((_, response) => response.end(JSON.stringify(body.ours ? { version: '1.2.3' } : {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await look('port', { ...place, port })).toMatchObject({ ok: false, detail: expect.stringContaining('another program') })
  body.ours = true
  expect(await look('port', { ...place, port })).toMatchObject({ ok: true, detail: expect.stringContaining('version 1.2.3') })
  server.close()
})
