import { expect, test } from 'vitest'
import { openLmStudio } from '#fleet/testing/lmstudio-server.ts'
import { runBench } from './fixture-api.ts'

const models = (server: { root: string }, ...args: string[]) => runBench(['models', ...args], { LMSTUDIO_BASE_URL: server.root })
const linesOf = async (server: { root: string }, ...args: string[]) =>
  (await models(server, ...args, '--json')).out.map((line) => JSON.parse(line) as object)

test('[PROV22] the models of this machine are listed with what is in memory, without any service', async () => {
  await using server = await openLmStudio({ loaded: ['lab/other'] })
  expect(await linesOf(server, '--here')).toEqual([
    { type: 'model', provider: 'lmstudio', id: 'qwen/qwen3-4b', context_length: 32_768, memory: 'not-loaded' },
    { type: 'model', provider: 'lmstudio', id: 'lab/other', context_length: 8192, memory: 'loaded' },
  ])
  const { code, out } = await models(server, '--here', '--provider', 'lmstudio')
  expect({ code, rows: out.length, last: out.at(-1) }).toEqual({
    code: 0,
    rows: 3,
    last: expect.stringMatching(/lab\/other +lmstudio +8,192 +loaded/),
  })
  await using oldest = await openLmStudio({ version: '0.2' })
  expect(await linesOf(oldest, '--here')).toMatchObject([
    { id: 'qwen/qwen3-4b', memory: null },
    { id: 'lab/other', memory: null },
  ])
})

test('[PROV22] one command switches: it unloads, then loads, by ids with the provider in front or without', async () => {
  await using server = await openLmStudio({ room: 1, loaded: ['lab/other'] })
  const switched = await models(server, '--unload', 'all', '--load', 'lmstudio/qwen/qwen3-4b')
  expect({ code: switched.code, out: switched.out }).toEqual({
    code: 0,
    out: ['unloaded lab/other on lmstudio', expect.stringMatching(/^qwen\/qwen3-4b on lmstudio loaded in \d+\.\d s$/)],
  })
  expect(server.loaded()).toEqual(['qwen/qwen3-4b'])
  expect((await models(server, '--load', 'qwen/qwen3-4b')).out).toEqual(['qwen/qwen3-4b on lmstudio was in memory already'])
  expect(await linesOf(server, '--unload', 'qwen/qwen3-4b')).toEqual([
    { type: 'unloaded', provider: 'lmstudio', instances: ['qwen/qwen3-4b'] },
  ])
  expect((await models(server, '--unload', 'all')).out).toEqual(['nothing of it was in memory on lmstudio'])
})

test('[PROV22] what cannot be done is said, with the exit code of an error or of wrong usage', async () => {
  await using server = await openLmStudio()
  const unknown = await models(server, '--load', 'lab/none', '--json')
  expect({ code: unknown.code, told: JSON.parse(unknown.out[0]!) }).toMatchObject({ code: 1, told: { code: 'model-not-found' } })
  await using older = await openLmStudio({ version: '0.3', loaded: ['lab/other'] })
  const { code, err } = await models(older, '--unload', 'lab/other')
  expect({ code, err: err.join() }).toEqual({ code: 1, err: expect.stringContaining('lms unload lab/other') })
  await using oldest = await openLmStudio({ version: '0.2' })
  expect(await models(oldest, '--load', 'lab/other')).toMatchObject({ code: 1, out: [] })
  for (const args of [
    ['--provider', 'nobody', '--load', 'x'],
    ['--here', '--search', 'x'],
  ])
    expect(await models(server, ...args)).toMatchObject({ code: 2, out: [] })
  expect(await runBench(['models', '--load', 'x'], { CHUTES_API_KEY: 'cpk_1' })).toMatchObject({ code: 2, out: [] })
  expect(
    await runBench(['models', '--load', 'x', '--provider', 'chutes'], { CHUTES_API_KEY: 'cpk_1', LMSTUDIO_BASE_URL: server.root }),
  ).toMatchObject({ code: 2 })
})
