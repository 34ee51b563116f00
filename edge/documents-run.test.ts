import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { readEnvFile } from '#shared/env-file.ts'
import { sampleBundle, sampleRun, vectorKey } from '#shared/export/testing/sample-run.ts'
import { type Document, readDocument } from '../prove/documents/read-document.ts'
import { readShell } from '../prove/documents/read-shell.ts'
import { readConfig } from './config.ts'

const root = join(import.meta.dirname, '..')
const dir = mkdtempSync(join(tmpdir(), 'bench-documents-'))
afterAll(() => rmSync(dir, { recursive: true }))
const guide = (path: string): Document => readDocument(path, readFileSync(join(root, path), 'utf8'))
const blockWith = ({ fences }: Document, part: string): string =>
  fences.find(({ language, text }) => language === 'sh' && text.includes(part))!.text
const run = promisify(execFile)
const sh = (script: string, env: Record<string, string> = {}) =>
  run('sh', ['-e', '-c', script], { cwd: dir, env: { PATH: process.env.PATH ?? '', ...env } })

test('[DOC517] the secrets that DEPLOY makes are read by the Worker without a fault', async () => {
  const deploy = guide('DEPLOY.md')
  for (const part of ['echo DATABASE_URL', "echo 'DATABASE_URL"]) {
    const block = deploy.fences.find(({ text }) => text.includes(part))
    if (block) await sh(block.text)
  }
  await sh(blockWith(deploy, 'MASTER_KEY=v1:'))
  const file = readEnvFile(readFileSync(join(dir, 'deploy.env')), 'deploy.env')
  if (!file.ok) throw new Error(file.message)
  expect(Object.keys(file.values)).toEqual([
    'DATABASE_URL',
    'MASTER_KEY',
    'AGENT_TOKEN',
    'ADMIN_SECRET',
    'BENCH_SIGNING_PRIVATE_KEY',
    'PROVIDERS',
  ])
  expect(readConfig({ ...file.values, PUBLIC_URL: 'https://bench.example.org' }).faults).toEqual([])
})

test('[DOC517] the commands of README verify a signed ZIP with OpenSSL, and refuse a changed one', async () => {
  writeFileSync(join(dir, 'result.zip'), await sampleBundle(sampleRun(3)))
  const block = blockWith(guide('README.md'), 'openssl pkeyutl -verify')
  const { stdout } = await sh(block)
  expect(stdout).toContain('Signature Verified Successfully')
  const hashes = [...stdout.matchAll(/^([0-9a-f]{64}) {2}(items\.jsonl|results\.json)$/gm)].map(
    ([, hash, name]) => `"name":"${name}","sha256":"${hash}"`,
  )
  expect(hashes).toHaveLength(2)
  for (const told of hashes) expect(stdout).toContain(told)
  expect(stdout).toContain(vectorKey.fingerprint)
  writeFileSync(join(dir, 'manifest.json'), `${readFileSync(join(dir, 'manifest.json'), 'utf8')} `)
  await expect(sh(block.replace('unzip result.zip', ''))).rejects.toThrow()
})

test('[DOC517] the agent of one question in README asks the model with the task and runs its answer', async () => {
  const { words } = readShell(blockWith(guide('README.md'), '--agent-command')).find((command) =>
    command.words.includes('--agent-command'),
  )!
  const asked: { path: string | undefined; authorization: string | undefined; body: { model: string; messages: { content: string }[] } }[] =
    []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    asked.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(Buffer.concat(pieces).toString()) })
    response.end(JSON.stringify({ choices: [{ message: { content: 'echo solved > answer.txt' } }] }))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  try {
    writeFileSync(join(dir, 'task.md'), 'Write "solved".\n')
    const OPENAI_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = { BENCH_INSTRUCTION_FILE: join(dir, 'task.md'), MODEL: 'org/model', OPENAI_BASE_URL, OPENAI_API_KEY: 'token' }
    await run('bash', ['-c', words[words.indexOf('--agent-command') + 1]!], { cwd: dir, env: { PATH: process.env.PATH ?? '', ...env } })
    expect(asked).toMatchObject([{ path: '/chat/completions', authorization: 'Bearer token', body: { model: 'org/model' } }])
    expect(asked[0]!.body.messages[0]!.content).toContain('Write "solved".')
    expect(readFileSync(join(dir, 'answer.txt'), 'utf8')).toBe('solved\n')
  } finally {
    server.close()
  }
})
