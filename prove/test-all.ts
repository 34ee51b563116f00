import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { buildIfChanged } from '../edge/local/build.ts'
import { chromiumPath } from './checks/chromium-path.ts'
import { runLimited } from './checks/run-limited.ts'
import { type Step, stepTable } from './checks/step-table.ts'
import { type Counts, countStep, type FileTimes, type Unpassed } from './checks/tally.ts'
import { timesTables } from './checks/times.ts'

/**
 * Every check of a commit: build, types, style, unit and architecture tests, tests inside workerd, journeys. Steps that only
 * compute run side by side, all others alone. Each line of output begins with its step. Ends with the skipped tests and
 * their reasons, a table of steps with their times, and the line `N passed, N failed, N skipped`. `--times` adds the slowest files and the
 * start-up of each step. Other arguments narrow the tests as they do for vitest.
 * With REQUIRE_ALL=1 a missing Docker, Chromium or bubblewrap is a failure. A step that takes longer than its limit is ended and has failed;
 * the limits are for a machine whose cores are busy with other work, and BENCH_TEST_PATIENCE=2 doubles those of the steps.
 */
const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'bench-test-'))
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
  // Hundreds of processes load the same files of the service, agents and the command line.
  NODE_COMPILE_CACHE: join(scratch, 'compile-cache'),
}
const requireAll = process.env.REQUIRE_ALL === '1'
const patience = Number(process.env.BENCH_TEST_PATIENCE) || 1
const withTimes = process.argv.includes('--times')
const narrowed = process.argv.slice(2).filter((word) => word !== '--times')
const stopped = new AbortController()
const startedMs = Date.now()
const steps: (Step & { files: FileTimes[] })[] = []
const total: Omit<Counts, 'files'> = { passed: 0, failed: 0, red: [], skipped: [] }

const module = (...parts: string[]) => join(root, 'node_modules', ...parts)
const run = (name: string, args: string[], minutes: number, more: NodeJS.ProcessEnv = {}) =>
  runLimited({
    args,
    cwd: root,
    limitMs: minutes * 60_000 * patience,
    env: { ...env, ...more },
    signal: stopped.signal,
    onLine: (line) => console.log(`${name} │ ${line}`),
  })

/** One step; `work` resolves with what it counted and the sentence that says why it failed, or null. */
async function step(name: string, work: () => Promise<Counts & { failure: string | null }>): Promise<void> {
  if (stopped.signal.aborted) return
  const beganMs = Date.now()
  console.log(`── ${name}`)
  const { passed, failed, red, skipped, files, failure } = await work()
  const seconds = (Date.now() - beganMs) / 1000
  console.log(failure === null ? `ok  ${name}  ${seconds.toFixed(1)} s` : `FAILED  ${name}  ${seconds.toFixed(1)} s: ${failure}`)
  steps.push({ name, seconds, passed, failed, skipped: skipped.length, failure, files })
  total.passed += passed
  total.failed += failed
  total.red.push(...red)
  total.skipped.push(...skipped)
}

/** A step that counts as one. */
async function check(name: string, work: () => Promise<string | null>): Promise<void> {
  await step(name, async () => {
    const failure = await work().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    return { passed: failure === null ? 1 : 0, failed: failure === null ? 0 : 1, red: [], skipped: [], files: [], failure }
  })
}

async function vitest(name: string, project: string, minutes: number, more: NodeJS.ProcessEnv = {}): Promise<void> {
  const path = join(scratch, `${name}.json`)
  const reporters = ['--reporter=default', `--reporter=${join(root, 'tally-reporter.mjs')}`]
  // What a passing test writes is not news.
  const args = ['run', '--project', project, ...reporters, '--silent=passed-only', ...narrowed]
  if (narrowed.length > 0) args.push('--passWithNoTests')
  await step(name, async () =>
    countStep(path, await run(name, [module('vitest', 'vitest.mjs'), ...args], minutes, { ...more, BENCH_TALLY: path })),
  )
}

type Means = { name: string; pattern: RegExp; present: boolean; required: boolean }

/** What tests may lack on a machine, recognised in the reasons they give. */
function means(): Means[] {
  const works = (file: string, ...args: string[]) => spawnSync(file, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
  return [
    { name: 'Docker', pattern: /docker/i, present: works('docker', 'info'), required: true },
    { name: 'Chromium', pattern: /chrom/i, present: chromiumPath !== undefined, required: true },
    { name: 'bubblewrap', pattern: /bwrap|bubblewrap/i, present: works('bwrap', '--ro-bind', '/', '/', 'true'), required: true },
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
  const fatal = (skip: Unpassed) => requireAll && found.some((one) => one.required && one.pattern.test(skip.note ?? ''))
  const failed = total.skipped.filter(fatal)
  total.failed += failed.length
  total.skipped = total.skipped.filter((skip) => !failed.includes(skip))
  for (const { file, title, note } of failed) console.log(`FAILED (skipped under REQUIRE_ALL)  ${file}  ${title}  ${note}`)
  if (total.skipped.length > 0) console.log('\nskipped')
  for (const { file, title, note } of total.skipped) console.log(`  ${file}  ${title}  ${note ?? 'see the line its file printed above'}`)
}

/** Lists the failed tests with their messages just above the table, where a cut log still has them. */
function listRed(): void {
  if (total.red.length > 0) console.log('\nfailed')
  for (const { file, title, note } of total.red)
    console.log(`  ${file}  ${title}\n    ${(note ?? '').slice(0, 1500).replaceAll('\n', '\n    ')}`)
}

for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => stopped.abort())

/** Types, style and tests inside workerd: each is at work on one core. */
async function onOneCore(): Promise<void> {
  for (const project of ['shared', 'edge', 'edge/tsconfig.test.json', 'web', 'web/dev', '.']) {
    const name = `types of ${project === '.' ? 'the rest' : project}`
    await check(name, () => run(name, [module('typescript', 'bin', 'tsc'), '-p', project, '--singleThreaded'], 10))
  }
  await check('style', () => run('style', [module('@biomejs', 'biome', 'bin', 'biome'), 'check', '.'], 10))
  await vitest('tests inside workerd', 'workers', 20)
}

/** What `npm start` runs; tests that start the service find it done. */
async function build(): Promise<void> {
  await check('build', async () => {
    await buildIfChanged(root, join(scratch, 'build.log'), () => undefined)
    return null
  })
}

console.log(`Node ${process.versions.node}`)
const onOne = onOneCore()
await build()
await Promise.all([vitest('unit tests', 'unit', 45, { BENCH_UNIT_LANE: 'quick' }), onOne])
// Alone: beside other steps, containers and pages would run into their time limits.
await vitest('unit tests that wait', 'unit', 45, { BENCH_UNIT_LANE: 'waiting' })
await vitest('journeys', 'e2e', 60)
console.log()
report(means())
rmSync(scratch, { recursive: true, force: true })
if (withTimes) console.log(`\n${timesTables(steps)}`)
listRed()
console.log(`\n${stepTable(steps, (Date.now() - startedMs) / 1000)}`)
if (stopped.signal.aborted) console.log('stopped before the end')
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`)
process.exit(total.failed > 0 || stopped.signal.aborted ? 1 : 0)
