import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskFault } from './disk-fault.ts'
import { keepRunning } from './part.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'bench-disk-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Runs the supervisor over a data directory; it ends before anything is started. */
function start(dataDir: string) {
  const done = Promise.withResolvers<{ code: number | null; err: string }>()
  const child = execFile(
    process.execPath,
    [join(import.meta.dirname, 'supervise.ts')],
    { env: { ...process.env, BENCH_DATA: dataDir, PORT: '0', NODE_NO_WARNINGS: '1' } },
    (_error, _out, err) => done.resolve({ code: child.exitCode, err: err.trim() }),
  )
  return done.promise
}

test('[START30] a file in the place of the data directory, of its parent or of logs/ is told in one line, with exit code 1', async () => {
  const file = join(dir, 'file')
  writeFileSync(file, '')
  const withLogs = join(dir, 'data')
  mkdirSync(withLogs)
  writeFileSync(join(withLogs, 'logs'), '')
  for (const dataDir of [file, join(file, 'below'), withLogs]) {
    const { code, err } = await start(dataDir)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^\S+ cannot be written: .+ \((EEXIST|ENOTDIR)\)\. Move that file away, or choose another directory with BENCH_DATA\.$/,
    )
  }
})

test('[START30] every refusal of the disk names path, reason and remedy; other errors are not touched', () => {
  const refused = (code: string, path?: string) => Object.assign(new Error('raw'), { code, ...(path && { path }) })
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO'])
    expect(diskFault(refused(code, '/data/logs'), '/data')).toMatch(
      new RegExp(`^/data/logs cannot be written: .+ \\(${code}\\)\\. .+BENCH_DATA\\.$`),
    )
  expect(diskFault(refused('ENOSPC'), '/data')).toContain('/data cannot be written: the disk is full')
  expect(diskFault(refused('ECONNREFUSED'), '/data')).toBeUndefined()
  expect(diskFault(new Error('other'), '/data')).toBeUndefined()
})

test('[START30] a part whose log cannot be written is tried again and given up with the sentence', async () => {
  const logsDir = join(dir, 'no-logs')
  writeFileSync(logsDir, '')
  const said: string[] = []
  const io = { logsDir, say: (_part: string, line: string) => void said.push(line), backoffMs: () => 0 }
  const part = keepRunning({ name: 'demo', file: 'none.ts', env: {}, stopMs: 100 }, io)
  await expect(part.ready).rejects.toThrow(/cannot be written: a part of the path is a file \(ENOTDIR\)/)
  await part.stop()
  expect(said[0]).toContain('cannot be written')
})
