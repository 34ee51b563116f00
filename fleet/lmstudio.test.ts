import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBench } from './cli/fixture-api.ts'
import { openLmStudio } from './testing/lmstudio-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-lmstudio-'))
afterAll(() => rmSync(folder, { recursive: true }))

const nowhere = 'http://127.0.0.1:9'
const envOf = ({ root }: { root: string }, more: Record<string, string> = {}) => ({
  ...{
    LMSTUDIO_BASE_URL: root,
    BENCH_DATA: join(folder, 'data'),
    HF_ENDPOINT: nowhere,
    GITHUB_RAW_ENDPOINT: nowhere,
    GITHUB_ARCHIVE_ENDPOINT: nowhere,
  },
  ...more,
})
const what = ['-b', 'mmlu_pro', '--limit', '3', '--profile', 'builtin', '--data', 'sample', '--json']
async function run(server: { root: string }, ...args: string[]) {
  const { code, out, err } = await runBench(['run', '--local', ...what, '--out', join(folder, 'out'), ...args], envOf(server))
  const lines = out.map((line) => JSON.parse(line) as { type: string; head?: Head; spec?: Spec })
  const { head, spec } = lines.findLast(({ type }) => type === 'done') ?? {}
  const { dir } = (lines.find(({ type }) => type === 'run') ?? {}) as { dir?: string } // as `--json` prints it
  return { code, head, spec, dir, err: err.join('\n') }
}
type Head = {
  status: string
  done: number
  failures: object
  parked: { detail: string } | null
  preflight?: { found: { context_length: number } }
}
type Spec = { model: { slug: string; provider: string }; price: object }

test('[PROV21] a run has LM Studio load its model before the first question, and its window is that of the loaded one', async () => {
  await using server = await openLmStudio({ loaded: ['lab/other'] })
  const { code, head, spec } = await run(server, '-m', 'lmstudio/qwen/qwen3-4b')
  expect({ code, status: head?.status, done: head?.done, failures: head?.failures }).toEqual({
    code: 0,
    status: 'succeeded',
    done: 3,
    failures: {},
  })
  expect(spec).toMatchObject({ model: { slug: 'qwen/qwen3-4b', provider: 'lmstudio' }, price: { input_per_million_usd: 0 } })
  expect(head?.preflight?.found.context_length).toBe(8192)
  const posts = server.asked.filter((call) => call.startsWith('POST'))
  expect([posts[0], new Set(posts.slice(1))]).toEqual(['POST /api/v1/models/load', new Set(['POST /v1/chat/completions'])])
  expect(server.loaded().sort()).toEqual(['lab/other', 'qwen/qwen3-4b'])
})

test('[LINE10] a run unloads its model where the operator asks for it, and leaves other models alone', async () => {
  await using server = await openLmStudio({ loaded: ['lab/other'] })
  const asked = { ...envOf(server), LMSTUDIO_UNLOAD_AFTER_RUN: 'true' }
  const args = ['run', '--local', ...what, '--out', join(folder, 'out'), '-m', 'lmstudio/qwen/qwen3-4b']
  expect((await runBench(args, asked)).code).toBe(0)
  expect(server.loaded()).toEqual(['lab/other'])
  expect(server.asked.findLast((call) => call.startsWith('POST'))).toBe('POST /api/v1/models/unload')
  const wrong = await runBench(args, { ...asked, LMSTUDIO_UNLOAD_AFTER_RUN: 'perhaps' })
  expect([wrong.code, wrong.err.join()]).toEqual([1, expect.stringContaining('must be true or false')])
})

test('[LINE10] a server without a call to unload keeps its model, and the run succeeds', async () => {
  await using server = await openLmStudio({ version: '0.3' })
  const asked = { ...envOf(server), LMSTUDIO_UNLOAD_AFTER_RUN: '1' }
  const args = ['run', '--local', ...what, '--out', join(folder, 'out'), '-m', 'lmstudio/qwen/qwen3-4b']
  expect((await runBench(args, asked)).code).toBe(0)
  expect(server.loaded()).toEqual(['qwen/qwen3-4b'])
})

test('[PROV21] a model that cannot be loaded parks the run before any question, says who must act, and goes on once somebody has', async () => {
  await using server = await openLmStudio({ room: 1, loaded: ['lab/other'] })
  const { code, head, dir } = await run(server, '-m', 'qwen/qwen3-4b')
  expect({ code, status: head?.status, done: head?.done }).toEqual({ code: 1, status: 'paused', done: 0 })
  expect(head?.parked?.detail).toContain('not enough memory')
  expect(server.asked.filter((call) => call.endsWith('/chat/completions'))).toEqual([])
  server.replaceWith('qwen/qwen3-4b')
  const resumed = await runBench(['resume', dir!, '--json'], envOf(server))
  expect(JSON.parse(resumed.out.at(-1)!)).toMatchObject({ type: 'done', head: { status: 'succeeded', done: 3 } })
})

test('[PROV21] an answer of another model than was asked is no answer: the run stops and names both', async () => {
  await using server = await openLmStudio({ loaded: ['qwen/qwen3-4b'], callsItself: 'lab/other' })
  const { code, head } = await run(server, '-m', 'qwen/qwen3-4b')
  expect({ code, status: head?.status, done: head?.done }).toEqual({ code: 1, status: 'paused', done: 0 })
  expect(head?.parked?.detail).toContain('qwen/qwen3-4b was asked, and lab/other answered')
  await using marked = await openLmStudio({ loaded: ['qwen/qwen3-4b'], callsItself: 'qwen/qwen3-4b@q4_k_m' })
  expect((await run(marked, '-m', 'qwen/qwen3-4b')).head).toMatchObject({ status: 'succeeded', done: 3 })
})

test('[PROV20] embeddings are no models to run, and without a level in its list none is sent', async () => {
  await using server = await openLmStudio({
    models: [
      { key: 'a', levels: ['off', 'on'] },
      { key: 'text-embedding-x', type: 'embedding' },
    ],
  })
  const refused = await run(server, '-m', 'text-embedding-x')
  expect({ code: refused.code, err: refused.err }).toMatchObject({ code: 1, err: expect.stringContaining('text-embedding-x') })
  const swept = await run(server, '-m', 'a', '--sweep-thinking')
  expect({ code: swept.code, err: swept.err.match(/left out: a, reasoning effort (low|medium|high)/g)?.length }).toEqual({
    code: 0,
    err: 3,
  })
  expect((await run(server, '-m', 'a', '--thinking-budget', '100')).code).toBe(1)
  expect(server.asked.filter((call) => call.endsWith('/load'))).toHaveLength(1)
})

test('[PROV21] a model that somebody replaces during a run stops it; what the other answered is scored nowhere', async () => {
  await using server = await openLmStudio({ jit: false, loaded: ['qwen/qwen3-4b'], replaced: { before: 2, by: 'lab/other' } })
  const { code, head, dir } = await run(server, '-m', 'qwen/qwen3-4b', '--concurrency', '1')
  expect({ code, status: head?.status, done: head?.done }).toEqual({ code: 1, status: 'paused', done: 1 })
  expect(head?.parked?.detail).toContain('lab/other answered')
  const resumed = await runBench(['resume', dir!, '--json'], envOf(server))
  expect(JSON.parse(resumed.out.at(-1)!)).toMatchObject({ type: 'done', head: { status: 'succeeded', done: 3 } })
  expect(server.loaded().sort()).toEqual(['lab/other', 'qwen/qwen3-4b'])
})
