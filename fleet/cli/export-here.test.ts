import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { exportFormatNames } from '#shared/contract/export-formats.ts'
import { runBench } from './fixture-api.ts'

const out = mkdtempSync(join(tmpdir(), 'bench-export-here-'))
afterAll(() => rmSync(out, { recursive: true }))
const nowhere = 'http://127.0.0.1:9'
const env = { BENCH_DATA: join(out, 'data'), HF_ENDPOINT: nowhere, GITHUB_RAW_ENDPOINT: nowhere, BENCH_URL: nowhere }

test('[EXP112] an ended local run is written in every form, its ZIP verifies, and a file that is there stays', async () => {
  const ran = await runBench(['run', '--local', '-b', 'mmlu_pro', '--limit', '4', '--data', 'sample', '--out', join(out, 'runs')], env)
  expect(ran).toMatchObject({ code: 0 })
  const folder = join(out, 'runs', readdirSync(join(out, 'runs')).find((name) => existsSync(join(out, 'runs', name, 'spec.json')))!)
  for (const format of exportFormatNames) {
    const path = join(out, `file.${format}`)
    expect(await runBench(['export', folder, '-f', format, '-o', path], env)).toMatchObject({ code: 0, out: [path] })
    expect(readFileSync(path).length).toBeGreaterThan(100)
    expect((await runBench(['export', folder, '-f', format, '-o', path], env)).err.join()).toContain('is there already')
  }
  const checked = await runBench(['verify', join(out, 'file.zip'), '--key', join(folder, 'public_key.txt')], env)
  expect(checked).toMatchObject({ code: 0 })
  expect(readFileSync(join(out, 'file.jsonl'), 'utf8').split('\n')).toHaveLength(5)
  expect((await runBench(['export', out, '-o', join(out, 'x.zip')], env)).code).toBe(1)
  expect(readdirSync(out).filter((name) => name.endsWith('.part'))).toEqual([])
})
