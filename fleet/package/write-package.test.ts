import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programVersion } from '#fleet/program.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import { builtinRepo } from '#shared/contract/card.ts'
import { writePackage } from './write-package.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const dir = mkdtempSync(join(tmpdir(), 'bench-package-'))
const installed = join(dir, 'somewhere', 'node_modules', 'chutes-bench-runner')
const program = join(installed, 'bench.mjs')

/** The pinned Node, and the machine's own where that is another one that may run the package. */
async function nodes(): Promise<string[]> {
  const outside = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '' && !folder.includes('node_modules'))
  const own = outside.map((folder) => join(folder, 'node')).find((path) => existsSync(path))
  const version = own && (await run(own, ['--version'])).stdout.trim().slice(1)
  const other = own && version !== process.versions.node && Number.parseInt(version ?? '', 10) >= 20
  return other ? [process.execPath, own] : [process.execPath]
}

/** One call of the installed program, far from any checkout. */
async function bench(node: string, args: string[], env: Record<string, string> = {}) {
  const options = { cwd: join(dir, 'somewhere'), env: { PATH: process.env.PATH ?? '', ...env } }
  return run(node, [program, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

beforeAll(async () => {
  await writePackage(root, join(dir, 'package'))
  mkdirSync(join(dir, 'somewhere'))
  const npm = (...args: string[]) => run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: join(dir, 'somewhere') })
  await npm('pack', join(dir, 'package'), '--pack-destination', dir)
  await npm('install', join(dir, readdirSync(dir).find((name) => name.endsWith('.tgz')) ?? ''))
})
afterAll(() => rmSync(dir, { recursive: true }))

test('[CLI87] the package brings one program, its samples and no dependencies', () => {
  expect(readdirSync(join(dir, 'somewhere', 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['chutes-bench-runner'])
  expect(readdirSync(installed).sort()).toEqual(['README.md', 'THIRD_PARTY_LICENCES.txt', 'bench.mjs', 'benchmarks', 'package.json'])
})

test('[DOC513] program and tarball are as large as BENCHMARKS says, within a tenth', () => {
  const [, program_mb, tarball_mb] = /one file of ([\d.]+) MB, a tarball of ([\d.]+) MB/
    .exec(readFileSync(join(root, 'BENCHMARKS.md'), 'utf8'))!
    .map(Number)
  const tarball = join(dir, readdirSync(dir).find((name) => name.endsWith('.tgz'))!)
  expect(Math.abs(statSync(program).size / 1e6 / program_mb! - 1)).toBeLessThan(0.1)
  expect(Math.abs(statSync(tarball).size / 1e6 / tarball_mb! - 1)).toBeLessThan(0.1)
})

test('[SCORE223] built-in data come with the package as their card pins them', () => {
  const builtin = cards.filter(({ data }) => data.repo === builtinRepo)
  expect(builtin.map(({ name }) => name)).toContain('code_tasks')
  for (const { name, data } of builtin)
    for (const { path, sha256 } of data.files) expect(hash('sha256', readFileSync(join(installed, 'benchmarks', name, path)))).toBe(sha256)
})

test('[CLI87] it runs, signs and verifies a local run far from any checkout, on the pinned Node and on that of the machine', async () => {
  for (const node of await nodes()) {
    const out = join(dir, `runs-${readdirSync(dir).length}`)
    expect((await bench(node, ['--version'])).stdout.trim()).toBe(programVersion())
    const args = ['run', '--local', '-b', 'mmlu_pro', '-b', 'ifbench', '--limit', '3', '--data', 'sample', '--profile', 'builtin', '--json']
    const ran = await bench(node, [...args, '--out', out])
    const events = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; bundle?: string; head?: { done: number } })
    expect([ran.code, events.at(-1)?.type, events.at(-1)?.head?.done], ran.stderr).toEqual([0, 'done', 6])
    const bundle = events.at(-1)?.bundle ?? ''
    const results = Object.entries(unzipSync(readFileSync(bundle))).find(([path]) => path.endsWith('results.json'))!
    expect(JSON.parse(strFromU8(results[1])).run.code_version).toBe(programVersion())
    const verified = await bench(node, ['verify', bundle, '--key', join(bundle, '..', 'public_key.txt')])
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('6 of 6 scores computed anew')])
  }
})

test('[FLEET96] the one program runs its heavy work on threads of itself', async () => {
  const own = join(dir, 'own.jsonl')
  const sample = readFileSync(join(root, 'shared', 'benchmarks', 'mmlu_pro', 'sample.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const rows = Array.from({ length: 5 }, () => sample).flat()
  writeFileSync(own, rows.map((row, question_id) => `${JSON.stringify({ ...JSON.parse(row), question_id })}\n`).join(''))
  for (const node of await nodes()) {
    const data = join(dir, `threads-${readdirSync(dir).length}`)
    const overrides = JSON.stringify({ mmlu_pro: { files: [{ role: 'test', path: own }] } })
    const args = ['run', '--local', '-b', 'mmlu_pro', '--limit', '3', '--data', 'override', '--profile', 'builtin', '--json']
    const ran = await bench(node, [...args, '--out', join(data, 'runs')], { BENCH_DATA: data, BENCH_DATA_OVERRIDES: overrides })
    expect([ran.code, ran.stdout.trim().split('\n').at(-1)], ran.stderr).toEqual([0, expect.stringContaining('"done":3')])
    const kept = readdirSync(join(data, 'cache', 'rows')).map((name) => name.slice(name.indexOf('.')))
    expect(kept.filter((end) => end === '.survey.json')).toHaveLength(1)
    expect(kept).toContain('.index')
  }
})

test('[CLI87] the agent in it dials, tells what is wrong and drains; what needs the repository says so', async () => {
  for (const node of await nodes()) {
    const up = await bench(node, ['up'])
    expect([up.code, up.stderr]).toEqual([1, expect.stringContaining('needs the whole repository')])
    const child = execFile(node, [program, 'agent', '--edge', 'http://127.0.0.1:9', '--data-dir', join(dir, 'data')], {
      cwd: join(dir, 'somewhere'),
      env: { PATH: process.env.PATH ?? '', BENCH_AGENT_TOKEN: 'agt_12345678' },
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    let said = ''
    for await (const text of child.stdout!) {
      const tried = /cannot reach .* next try in/
      const before = tried.test(said)
      said += text
      if (!before && tried.test(said)) child.kill('SIGTERM')
    }
    expect([await ended, said]).toEqual([0, expect.stringContaining('agent stops: drained')])
  }
})
