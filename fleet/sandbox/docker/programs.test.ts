import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readCatalogue } from '#fleet/catalogue/pack-catalogue.ts'
import { room } from '#shared/benchmarks/code_tasks/card.ts'
import { type Files, hiddenOf, solvedWorkspace } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { testWorkspace } from '#shared/benchmarks/code_tasks/test-workspace.ts'
import type { HiddenTests } from '#shared/benchmarks/livecodebench/hidden-tests.ts'
import { runProgram } from '#shared/benchmarks/livecodebench/run-program.ts'
import { verdictOf } from '#shared/benchmarks/livecodebench/verdict.ts'
import { findPython } from '#shared/benchmarks/scicode/find-python.ts'
import { partPassed } from '#shared/contract/evidence/tests.ts'
import { works } from '../../images/debian-image.ts'
import { programsImage, readProgramsImage } from '../../images/programs-image.ts'
import { createDocker } from './open-docker.ts'
import { ensureTestImage, testImage } from './testing/base-image.ts'

const absent = await ensureTestImage()
if (absent !== null) console.info(`skipped: ${absent}`)
/** The image of programs where somebody made it here; what needs more than Python is tried in that one alone. */
const whole = absent === null && (await works('docker', 'image', 'inspect', programsImage))
const sandboxes = await createDocker({ image: whole ? programsImage : testImage, owner: `programs-${process.pid}`, warm: 1 })
afterAll(() => sandboxes.close())
const inDocker = { timeout: 240_000, skip: absent !== null }

const shared = join(import.meta.dirname, '../../../shared/benchmarks')
const open = async (memory_mb: number, disk_mb: number) => {
  const opened = await sandboxes.open({ image: null, cpus: 1, memory_mb, disk_mb, network: false }, new AbortController().signal)
  if (!opened.ok) throw new Error(opened.failure.detail)
  return opened.value
}

type Golden = HiddenTests & { name: string; code: string; result: unknown[] | null }
const golden = readFileSync(join(shared, 'livecodebench/runner-golden.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): Golden => JSON.parse(line))

test('[SCORE232] programs of LiveCodeBench come to the verdicts of the official runner in Docker', inDocker, async () => {
  const tried = golden.filter(
    ({ code }, index) => (whole || !code.includes('numpy')) && (process.env.BENCH_ALL_GOLDEN === '1' || index % 8 === 0),
  )
  expect(tried.length).toBeGreaterThan(3)
  for (const { name, code, result, ...hidden } of tried) {
    await using box = await open(512, 16)
    const ran = await runProgram(box, hidden, { program: code, nonce: 'nonce-of-this-test', seconds: 2 })
    if (!ran.ok) throw new Error(ran.failure.detail)
    expect(verdictOf(ran.value, hidden).codes, name).toEqual(result ?? [-2])
  }
})

/** Tasks that are quick to try: one needs Python alone, the others what the image of programs brings. */
const quick = ['python_bugfix_interval_overlap', ...(whole ? ['go_bugfix_interval_overlap', 'html_expert_heatmap_renderer'] : [])]

test.for(quick)('[SCORE232] %s: in Docker the reference passes and the untouched workspace does not', inDocker, async (id) => {
  const [read] = await readCatalogue(join(shared, 'code_tasks/catalogue', id))
  if (!read || 'faults' in read) throw new Error(`${id} is no task`)
  const tested = async (files: Files) => {
    await using box = await open(room.memory_mb, room.disk_mb)
    const done = await testWorkspace(hiddenOf(read.task), files, { box, now: () => performance.now() })
    if (!done.ok) throw new Error(done.failure.detail)
    return done.value
  }
  const solved = await tested(solvedWorkspace(read.task))
  expect(partPassed(solved), JSON.stringify(solved.tests.find(({ end }) => end !== 'passed'))).toBe(true)
  if (read.task.browser) expect(solved.toolchain).toMatch(/^Chromium \d/)
  expect(partPassed(await tested(read.task.workspace))).toBe(false)
})

test(
  '[SCORE242] in Docker the image of programs has what SciCode calls; one without it is a failure that names the packages',
  inDocker,
  async () => {
    const found = async (image: string) => {
      const spec = { image, cpus: 1, memory_mb: 1024, disk_mb: 64, network: false }
      const opened = await sandboxes.open(spec, new AbortController().signal)
      if (!opened.ok) throw new Error(opened.failure.detail)
      await using box = opened.value
      return await findPython(box, 'import numpy as np\nfrom scipy.integrate import quad')
    }
    expect(await found(testImage)).toMatchObject({ ok: false, failure: { at: 'sandbox', detail: expect.stringContaining('python3-h5py') } })
    if (!whole) return console.info(`not tried: ${programsImage} is not here`)
    const { ok, ...rest } = await found(programsImage)
    expect([ok, rest]).toEqual([
      true,
      {
        value: {
          python: 'python3',
          versions: expect.stringMatching(/^Python 3\.11.* numpy 1\.24.* scipy 1\.10.* sympy 1\.11.* h5py 3\.7.* matplotlib 3\.6/),
        },
      },
    ])
  },
)

test('[SCORE242] the image of SciCode alone has the versions that the data set was written for', () => {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../images/scicode/Dockerfile'), 'utf8')
  expect(dockerfile).toMatch(/^FROM python:3\.12-/m)
  for (const one of ['numpy==1.26.4', 'scipy==1.13.1', 'sympy==1.13.', 'h5py==3.11.', 'matplotlib==3.8.']) expect(dockerfile).toContain(one)
  for (const one of ['MPLBACKEND=Agg', 'OMP_NUM_THREADS=1', 'OPENBLAS_NUM_THREADS=1', 'USER 65534:65534']) expect(dockerfile).toContain(one)
})

test('[SBX71] the image of programs that is made without a registry has the packages and the settings of its Dockerfile', () => {
  const { name, packages, changes } = readProgramsImage()
  const dockerfile = readFileSync(join(import.meta.dirname, '../../images/programs/Dockerfile'), 'utf8')
  expect(name).toBe(programsImage)
  expect(packages.map((one) => one.split('=')[0])).toEqual(
    expect.arrayContaining(['python3', 'nodejs', 'golang-go', 'rustc', 'g++', 'python3-numpy']),
  )
  for (const one of packages) expect(one).toMatch(/^[a-z0-9][a-z0-9+.-]+(=\S+)?$/)
  expect(packages.filter((one) => !one.includes('='))).toEqual(['chromium-headless-shell'])
  expect(changes).toEqual([expect.stringMatching(/^ENV PATH=\S+ .*MPLBACKEND=Agg/), 'USER 65534:65534', 'WORKDIR /workspace'])
  expect(dockerfile).toContain('xargs -a /packages.txt apt-get install')
})
