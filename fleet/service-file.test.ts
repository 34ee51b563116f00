import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hereUrl } from './cli/client.ts'
import { removeServiceFile, serviceAddress, writeServiceFile } from './service-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-service-file-'))
afterAll(() => rmSync(folder, { recursive: true }))
const url = 'http://127.0.0.1:43210'

test('[CLI117] the command line finds the service of its data directory at any port, unless PORT says otherwise', () => {
  expect(hereUrl({ BENCH_DATA: folder })).toBe('http://127.0.0.1:8787')
  writeServiceFile(folder, url, process.pid)
  expect(hereUrl({ BENCH_DATA: folder })).toBe(url)
  expect(hereUrl({ BENCH_DATA: folder, PORT: '0' })).toBe(url)
  expect(hereUrl({ BENCH_DATA: folder, PORT: '8080' })).toBe('http://127.0.0.1:8080')
  removeServiceFile(folder)
  expect(serviceAddress(folder)).toBeNull()
})

test('[CLI117] a service that died without a word, or a file that is none of ours, is no service', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeServiceFile(folder, url, pid)
  expect(serviceAddress(folder)).toBeNull()
  writeFileSync(join(folder, 'service.json'), '{"url":')
  expect(serviceAddress(folder)).toBeNull()
})
