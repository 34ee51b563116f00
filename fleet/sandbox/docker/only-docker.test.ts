import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { runBench } from '#fleet/cli/fixture-api.ts'
import { type GivenRun, runGiven } from '../../testing/run-given.ts'
import { ensureTestImage, testImage } from './testing/base-image.ts'

const absent = await ensureTestImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const inDocker = { timeout: 240_000, skip: absent !== null }
const folder = mkdtempSync(join(tmpdir(), 'bench-only-docker-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

const benchmarks = join(import.meta.dirname, '../../../shared/benchmarks')
const small = join(benchmarks, 'code_tasks/testing/catalogue')

/** A local run on a machine that has Docker and nothing else for sandboxes; `image` is what it was told to make them from. */
function runInDocker(image: string, given: Omit<GivenRun, 'folder'>) {
  vi.stubEnv('BENCH_SANDBOX_IMAGE', image)
  return runGiven({
    ...given,
    folder,
    env: { PATH: '/no/such/folder', BENCH_SANDBOX_IMAGE: image, DOCKER_HOST: process.env.DOCKER_HOST ?? '' },
  })
}
const told = (program: string): string => `\`\`\`python\n${program}\n\`\`\``

test('[SBX80] with Docker alone programs of LiveCodeBench and code tasks are tested in its image', inDocker, async () => {
  const rows = join(folder, 'problem.jsonl')
  writeFileSync(rows, `${readFileSync(join(benchmarks, 'livecodebench/sample.jsonl'), 'utf8').split('\n')[0]}\n`)
  const answers = [{ texts: [told('a = int(input())\nb = int(input())\nprint(a + 3 * b)')] }]
  const problem = { benchmark: 'livecodebench', files: [{ role: 'test', path: rows }], answers, more: ['--profile', 'builtin'] }
  expect((await runInDocker(testImage, problem)).recordOf('sample_00').outcome).toBe('right')

  const { out } = await runBench(['tasks', 'reference', small, 'python_shelf_labels'])
  const tasks = { benchmark: 'code_tasks', files: [{ role: 'test', path: small }], answers: [{ texts: [out.join('\n')] }] }
  const done = await runInDocker(testImage, tasks)
  expect(done.recordOf('python_shelf_labels')).toMatchObject({
    outcome: 'right',
    evidence: { parts: [{ tested_with: expect.stringMatching(/^Python 3/) }] },
  })
  // The answer does not apply to the other task, which is then wrong without a sandbox.
  expect(done.recordOf('javascript_tally_words').outcome).toBe('wrong')
})

test('[SBX80] an image without what a benchmark needs fails its trials with what to install, and scores nothing', inDocker, async () => {
  const files = [
    { role: 'test', path: join(benchmarks, 'scicode/sample.jsonl') },
    { role: 'targets', path: join(benchmarks, 'scicode/sample.targets.jsonl') },
  ]
  const answers = [{ texts: Array(8).fill(told('x = 1')) }]
  const { ended } = await runInDocker(testImage, { benchmark: 'scicode', files, answers, more: ['--profile', 'builtin', '--limit', '1'] })
  expect(ended!.head).toMatchObject({ status: 'failed', failures: { 'sandbox/unavailable': 1 } })
  expect(ended!.metrics.scicode!.accuracy).toMatchObject({ n: 0 })
  const [record] = readFileSync(join(ended!.dir, 'records.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(record!).failure.detail).toMatch(/no working .*python3.* Install numpy before 2.* on the agent or in its image/)
})

test.each([
  ['no image is named', '', 'Docker has no image for sandboxes (set BENCH_SANDBOX_IMAGE to one that is on this machine)'],
  [
    'the image is not on the machine',
    'bench-nowhere:1',
    'docker is not proved (Docker has no image bench-nowhere:1 here: docker pull bench-nowhere:1)',
  ],
])('[SBX80] where %s the run is refused before anything is asked, with what to do', inDocker, async (_what, image, why) => {
  const { code, err, ended } = await runInDocker(image, {
    benchmark: 'code_tasks',
    files: [{ role: 'test', path: small }],
    answers: [{ texts: ['x'] }],
  })
  expect([code, ended]).toEqual([1, null])
  expect(err).toContain(why)
})
