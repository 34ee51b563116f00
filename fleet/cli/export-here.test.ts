import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import { exportFormatNames, exportFormats } from '#shared/contract/export-formats.ts'
import { episodeRecord } from '#shared/episode/testing/ended-episode.ts'
import { runBench } from './fixture-api.ts'

const out = mkdtempSync(join(tmpdir(), 'bench-export-here-'))
afterAll(() => rmSync(out, { recursive: true }))
const nowhere = 'http://127.0.0.1:9'
const env = {
  BENCH_DATA: join(out, 'data'),
  HF_ENDPOINT: nowhere,
  GITHUB_RAW_ENDPOINT: nowhere,
  GITHUB_ARCHIVE_ENDPOINT: nowhere,
  BENCH_URL: nowhere,
}

test('[EXP112] an ended local run is written in every form, its ZIP verifies, and a file that is there stays', async () => {
  const ran = await runBench(['run', '--local', '-b', 'mmlu_pro', '--limit', '4', '--data', 'sample', '--out', join(out, 'runs')], env)
  expect(ran).toMatchObject({ code: 0 })
  const folder = join(out, 'runs', readdirSync(join(out, 'runs')).find((name) => existsSync(join(out, 'runs', name, 'spec.json')))!)
  for (const format of exportFormatNames.filter((name) => !exportFormats[name].episodes)) {
    const path = join(out, `file.${format}`)
    expect(await runBench(['export', folder, '-f', format, '-o', path], env)).toMatchObject({ code: 0, out: [path] })
    expect(readFileSync(path).length).toBeGreaterThan(100)
    expect((await runBench(['export', folder, '-f', format, '-o', path], env)).err.join()).toContain('is there already')
  }
  const none = await runBench(['export', folder, '-f', 'harbor', '-o', join(out, 'file.harbor.zip')], env)
  expect([none.code, none.err.join(), existsSync(join(out, 'file.harbor.zip'))]).toEqual([
    1,
    expect.stringContaining('terminal tasks'),
    false,
  ])
  const checked = await runBench(['verify', join(out, 'file.zip'), '--key', join(folder, 'public_key.txt')], env)
  expect(checked).toMatchObject({ code: 0 })
  expect(readFileSync(join(out, 'file.jsonl'), 'utf8').split('\n')).toHaveLength(5)
  expect((await runBench(['export', out, '-o', join(out, 'x.zip')], env)).code).toBe(1)
  expect(readdirSync(out).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('[KIT16] what the trials of a local run left behind is enclosed in its bundle, and a transcript that lies there is shown', async () => {
  const ran = await runBench(['run', '--local', '-b', 'mmlu_pro', '--limit', '2', '--data', 'sample', '--out', join(out, 'kept')], env)
  expect(ran).toMatchObject({ code: 0 })
  const folder = join(out, 'kept', readdirSync(join(out, 'kept')).find((name) => existsSync(join(out, 'kept', name, 'spec.json')))!)
  const bytes = Buffer.from(`${JSON.stringify({ type: 'note', at_ms: 5, text: 'looked at the sky' })}\n`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const kept: ArtifactRef = {
    name: 'transcript.jsonl',
    kind: 'transcript',
    media_type: 'application/x-ndjson',
    bytes: bytes.length,
    sha256,
  }
  const [first, ...rest] = readFileSync(join(folder, 'records.jsonl'), 'utf8').split('\n')
  const record = { ...(JSON.parse(first!) as { item_id: string }), artifacts: [kept] }
  writeFileSync(join(folder, 'records.jsonl'), [JSON.stringify(record), ...rest].join('\n'))
  const path = join(out, 'kept.zip')
  const exported = () => runBench(['export', folder, '-f', 'zip', '-o', path], env)
  const without = await exported()
  expect([without.code, without.err.join(), existsSync(path)]).toEqual([1, expect.stringContaining(`${sha256} is missing`), false])
  mkdirSync(join(folder, 'artifacts'))
  writeFileSync(join(folder, 'artifacts', sha256), bytes)
  expect(await exported()).toMatchObject({ code: 0 })
  const checked = await runBench(['verify', path, '--key', join(folder, 'public_key.txt')], env)
  expect([checked.code, checked.out.join()]).toEqual([0, expect.stringContaining('1 are the bytes that the records name')])
  const shown = await runBench(['show', folder, 'mmlu_pro', record.item_id], env)
  expect(shown.out.join('\n')).toContain('looked at the sky')
})

test('[CLI190] a local run of terminal tasks is written as a Harbor job; of one without any no file is left', async () => {
  const asked = (dir: string) => [...['run', '--local', '--limit', '1', '--data', 'sample'], '--out', join(out, dir)]
  expect(await runBench([...asked('questions'), '-b', 'mmlu_pro'], env)).toMatchObject({ code: 0 })
  const [questions] = foldersIn('questions')
  const none = await runBench(['export', questions!, '-f', 'harbor', '-o', join(out, 'none.zip')], env)
  expect([none.code, none.err.join(), existsSync(join(out, 'none.zip')), existsSync(join(out, 'none.zip.part'))]).toEqual([
    ...[1, expect.stringContaining('terminal tasks')],
    ...[false, false],
  ])
  const spec = JSON.parse(readFileSync(join(questions!, 'spec.json'), 'utf8'))
  const terminal = join(out, 'terminal')
  mkdirSync(terminal)
  const text = (name: string) => readFileSync(join(questions!, name), 'utf8').replaceAll('mmlu_pro', 'terminal_tasks')
  for (const name of ['events.jsonl', 'head.json']) writeFileSync(join(terminal, name), text(name))
  writeFileSync(join(terminal, 'spec.json'), text('spec.json'))
  writeFileSync(
    join(terminal, 'records.jsonl'),
    `${JSON.stringify({ run_id: spec.run_id, finished_at: spec.created_at, ...episodeRecord() })}\n`,
  )
  expect(await runBench(['export', terminal, '-f', 'harbor', '-o', join(out, 'job.zip')], env)).toMatchObject({ code: 0 })
  const names = Object.keys(unzipSync(readFileSync(join(out, 'job.zip'))))
  expect(names).toEqual(expect.arrayContaining([`bench-${spec.run_id}/result.json`, `bench-${spec.run_id}/write-hello__0/result.json`]))
})

const foldersIn = (dir: string): string[] =>
  readdirSync(join(out, dir))
    .map((name) => join(out, dir, name))
    .filter((path) => existsSync(join(path, 'spec.json')))
