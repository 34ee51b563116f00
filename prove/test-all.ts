import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { buildIfChanged } from '../edge/local/build.ts'

type Skipped = { file: string; title: string; note: string | null }
type Tally = { passed: number; failed: number; skipped: Skipped[] }

/**
 * Every check of a commit: build, types, style, unit and architecture tests, journeys. Ends with what was skipped and why, and the line
 * `N passed, N failed, N skipped`. Arguments narrow the tests as they do for vitest. With REQUIRE_ALL=1 a missing Docker or Chromium is a failure, not a reason to skip.
 */
const root = resolve(import.meta.dirname, '..')
const bin = join(root, 'node_modules', '.bin')
const scratch = mkdtempSync(join(tmpdir(), 'bench-test-'))
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`, NO_COLOR: process.env.NO_COLOR ?? '' }
if (!env.NO_COLOR) delete (env as Record<string, string>).NO_COLOR
const requireAll = process.env.REQUIRE_ALL === '1'
const total: Tally = { passed: 0, failed: 0, skipped: [] }

/** Runs a program to its end; its output goes where ours goes. */
async function run(file: string, args: string[], more: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit', env: { ...env, ...more } })
  const [code] = await once(child, 'exit')
  return code === 0
}

const module = (...parts: string[]) => join(root, 'node_modules', ...parts)

async function step(name: string, work: () => Promise<boolean>): Promise<void> {
  const startedMs = Date.now()
  console.log(`\n── ${name}`)
  const ok = await work().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    return false
  })
  console.log(`${ok ? 'ok' : 'FAILED'}  ${name}  ${((Date.now() - startedMs) / 1000).toFixed(1)} s`)
  total[ok ? 'passed' : 'failed'] += 1
}

/** Runs vitest projects and adds what they counted; a run that wrote no count has failed as a whole. */
async function vitest(name: string, args: string[]): Promise<void> {
  console.log(`\n── ${name}`)
  const path = join(scratch, `${name}.json`)
  const reporters = ['--reporter=default', `--reporter=${join(root, 'tally-reporter.mjs')}`]
  const ok = await run(module('vitest', 'vitest.mjs'), ['run', ...reporters, ...args, ...process.argv.slice(2)], { BENCH_TALLY: path })
  if (!existsSync(path)) {
    total.failed += 1
    return
  }
  const tally = JSON.parse(readFileSync(path, 'utf8')) as Tally
  total.passed += tally.passed
  total.failed += tally.failed === 0 && !ok ? 1 : tally.failed
  total.skipped.push(...tally.skipped)
}

type Means = { name: string; pattern: RegExp; present: boolean; required: boolean }

/** What tests may lack on a machine, recognised in the reasons they give. */
function means(): Means[] {
  const works = (file: string, ...args: string[]) => spawnSync(file, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
  const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return [
    { name: 'Docker', pattern: /docker/i, present: works('docker', 'info'), required: true },
    { name: 'Chromium', pattern: /chrom/i, present: chromium.some((path) => path && existsSync(path)), required: true },
    { name: 'bubblewrap', pattern: /bwrap|bubblewrap/i, present: works('bwrap', '--ro-bind', '/', '/', 'true'), required: false },
    { name: '../shared', pattern: /shared/i, present: existsSync(join(root, '..', 'shared', 'data')), required: false },
  ]
}

/** The table of what was skipped; with REQUIRE_ALL the skips that a missing means explains become failures. */
function report(found: readonly Means[]): void {
  const missing = found.filter((one) => !one.present)
  for (const { name, required } of missing) {
    console.log(`missing on this machine: ${name}${requireAll && required ? ' (REQUIRE_ALL=1: a failure)' : ''}`)
    if (requireAll && required) total.failed += 1
  }
  const fatal = (skip: Skipped) => requireAll && found.some((one) => one.required && one.pattern.test(skip.note ?? ''))
  const failed = total.skipped.filter(fatal)
  total.failed += failed.length
  total.skipped = total.skipped.filter((skip) => !failed.includes(skip))
  for (const { file, title, note } of failed) console.log(`FAILED (skipped under REQUIRE_ALL)  ${file}  ${title}  ${note}`)
  if (total.skipped.length > 0) console.log('\nskipped')
  for (const { file, title, note } of total.skipped) console.log(`  ${file}  ${title}  ${note ?? 'see the line its file printed above'}`)
}

console.log(`Node ${process.versions.node}`)
const startedMs = Date.now()
await step('build', async () => {
  await buildIfChanged(root, join(scratch, 'build.log'), () => undefined)
  return true
})
for (const project of ['shared', 'edge', 'edge/tsconfig.test.json', 'web', 'web/dev', '.']) {
  const name = `types of ${project === '.' ? 'the rest' : project}`
  await step(name, () => run(module('typescript', 'bin', 'tsc'), ['-p', project]))
}
await step('style', () => run(module('@biomejs', 'biome', 'bin', 'biome'), ['check', '.']))
await vitest('tests', ['--project', '!e2e'])
if (existsSync(join(root, 'e2e'))) await vitest('journeys', ['--project', 'e2e'])
console.log()
report(means())
rmSync(scratch, { recursive: true, force: true })
console.log(`took ${((Date.now() - startedMs) / 1000).toFixed(0)} s`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`)
process.exit(total.failed > 0 ? 1 : 0)
