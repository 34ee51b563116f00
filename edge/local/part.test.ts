import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepRunning, type Message, type Part, type PartSpec, stopAll } from './part.ts'

let dir: string
let said: string[]
let parts: Part[]
const io = () => ({
  logsDir: dir,
  say: (part: string, line: string) => {
    said.push(`${part} ${line}`)
  },
  backoffMs: () => 0,
})
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bench-part-'))
  said = []
  parts = []
})
afterEach(() => {
  for (const part of parts) part.kill()
  rmSync(dir, { recursive: true })
})

/** A part whose program is `body`; `diary` is a file that it may write to. */
function part(name: string, body: string, more: Partial<PartSpec> = {}): Part {
  const file = join(dir, `${name}.mjs`)
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs'\nconst write = (line) => appendFileSync(process.env.DIARY, line + '\\n')\n${body}`,
  )
  const made = keepRunning({ name, file, env: { ...process.env, DIARY: diary() }, stopMs: 10_000, ...more }, io())
  parts.push(made)
  return made
}
const diary = () => join(dir, 'diary')
const lines = () => (existsSync(diary()) ? readFileSync(diary(), 'utf8').trim().split('\n') : [])
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const serve = `process.send({ type: 'ready', pid: process.pid }); setInterval(() => {}, 1000)`
const serveAndTell = (name: string) => `process.on('SIGTERM', () => { write('${name}'); process.exit(0) }); ${serve}`

test('[START6] a part that is killed is started again', async () => {
  const one = part('one', `write(process.pid); ${serve}`)
  await one.ready
  process.kill(one.pid()!, 'SIGKILL')
  await vi.waitFor(() => expect(new Set(lines())).toHaveLength(2), 20_000)
  expect(said).toContain('one ended (SIGKILL); starting it again')
})

test('[START6] a part that never serves is given up with the reason from its log', async () => {
  const broken = part('broken', `throw new TypeError('the key does not fit')`)
  await expect(broken.ready).rejects.toThrow(/broken does not start \(exit code 1\): TypeError: the key does not fit/)
})

test('[START520] a part gets the answer to what it asks, and the error where there is none', async () => {
  const asks = `process.on('message', (told) => write(JSON.stringify(told)))
    for (const id of [1, 2]) process.send({ type: 'ask', id, wait_ms: id * 10 }); ${serve}`
  const answer = async ({ wait_ms }: Message) => {
    if (wait_ms === 20) throw new Error('no lists today')
    return ['a', wait_ms]
  }
  await part('asker', asks, { answer }).ready
  await vi.waitFor(() => expect(lines()).toHaveLength(2), 20_000)
  expect(lines().map((line) => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      { type: 'answer', id: 1, value: ['a', 10] },
      { type: 'answer', id: 2, error: 'no lists today' },
    ]),
  )
})

test('[START7] what a part started ends with it', async () => {
  const parent = part(
    'parent',
    `import { spawn } from 'node:child_process'
     const child = spawn('sleep', ['1000'])
     process.send({ type: 'ready', child: child.pid }); setInterval(() => {}, 1000)`,
  )
  const { child } = await parent.ready
  process.kill(parent.pid()!, 'SIGKILL')
  await vi.waitFor(() => expect(isAlive(child as number)).toBe(false), 20_000)
})

test('[START8] parts stop in the reverse order, each after the one before it has gone', async () => {
  for (const name of ['database', 'edge', 'agent']) await part(name, serveAndTell(name)).ready
  await stopAll(parts, io().say)
  expect(lines()).toEqual(['agent', 'edge', 'database'])
  expect(said.filter((line) => line.endsWith('stopped'))).toEqual(['agent stopped', 'edge stopped', 'database stopped'])
})

test('[START8] a part that does not leave in time is ended', async () => {
  const deaf = part('deaf', `process.on('SIGTERM', () => {}); ${serve}`, { stopMs: 50 })
  await deaf.ready
  const pid = deaf.pid()!
  await deaf.stop()
  expect(isAlive(pid)).toBe(false)
})

test('[START9] a part ends when its supervisor is killed', async () => {
  const file = join(dir, 'child.mjs')
  writeFileSync(file, `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(diary())}, String(process.pid))\n${serve}`)
  const supervisor = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { keepRunning } = await import(${JSON.stringify(join(import.meta.dirname, 'part.ts'))})
     const spec = { name: 'child', file: ${JSON.stringify(file)}, env: process.env, stopMs: 1000 }
     await keepRunning(spec, { logsDir: ${JSON.stringify(dir)}, say: () => {} }).ready
     console.log('up')`,
  ])
  await once(supervisor.stdout, 'data')
  const pid = Number(readFileSync(diary(), 'utf8'))
  expect(isAlive(pid)).toBe(true)
  supervisor.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 20_000)
})
