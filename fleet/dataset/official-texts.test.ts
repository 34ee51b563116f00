import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { TextPin } from '#shared/contract/card.ts'
import { openFileServer, openTestEnv, sha256Of } from './loopback-server.ts'
import { findTexts } from './official-texts.ts'
import { openTexts } from './open-texts.ts'

const revision = 'e'.repeat(40)
const pin = (id: string, path: string, text: string): TextPin => ({
  id,
  repo: 'acme/eval',
  revision,
  path,
  symbol: id.toUpperCase(),
  sha256: sha256Of(text),
})
const python = 'INTRO = """\n    Count the legs of {}.\n      Slowly.\n"""\nOUTRO = ("The end "\n  "is (X).")\nSUM = "a\\n" + "b"\n'
const yaml = 'prompt: |\n  Count the legs.\n'
const at = (path: string) => `/acme/eval/${revision}/${path}`
const pins = [
  pin('dedented', 'src/run me.py', 'Count the legs of {}.\n  Slowly.'),
  pin('verbatim', 'src/run me.py', '\n    Count the legs of {}.\n      Slowly.\n'),
  pin('joined', 'src/run me.py', 'The end is (X).'),
  pin('added', 'src/run me.py', 'a\nb'),
  pin('yaml', 'a.yaml', 'Count the legs.\n'),
  pin('stripped', 'a.yaml', 'Count the legs.'),
  pin('whole', 'src/run me.py', python),
]
const files = { [at('src/run me.py')]: python, [at('a.yaml')]: yaml }

test('[TEXT4] the texts of a profile are found by their hashes in files that are fetched once each and kept', async () => {
  await using host = await openFileServer(files)
  await using place = await openTestEnv(host.origin, { HF_TOKEN: 'hf_secret' })
  const expected = {
    dedented: 'Count the legs of {}.\n  Slowly.',
    verbatim: '\n    Count the legs of {}.\n      Slowly.\n',
    joined: 'The end is (X).',
    added: 'a\nb',
    whole: python,
    yaml: 'Count the legs.\n',
    stripped: 'Count the legs.',
  }
  expect(await openTexts({ texts: pins }, place.env)).toEqual({ ok: true, value: expected })
  expect(await openTexts({ texts: pins }, place.env)).toEqual({ ok: true, value: expected })
  expect(host.asked.map((one) => one.path).sort()).toEqual([at('a.yaml'), at('src/run me.py')])
  expect(host.asked.every((one) => one.authorization === null)).toBe(true)
  expect(await openTexts({ texts: [] }, place.env)).toEqual({ ok: true, value: {} })
})

test('[TEXT4] text files give their whole content or a line, Markdown files a fenced block as well', () => {
  const text = 'First line\r\nSecond line\r\n'
  const markdown = '# Card\n\n```text\nCount\nthe legs.\n```\n\n~~~\nno\n~~~\n'
  const find = (content: string, path: string, wanted: string) => findTexts(content, path, [pin('x', path, wanted)])
  for (const wanted of [text, 'First line\nSecond line\n', 'First line\nSecond line', 'Second line']) {
    expect(find(text, 'prompt.txt', wanted)).toEqual({ x: wanted })
  }
  expect(find(markdown, 'README.md', 'Count\nthe legs.')).toEqual({ x: 'Count\nthe legs.' })
  expect(find(markdown, 'README.md', 'Count\nthe feet.')).toEqual({})
})

test('[TEXT5] a text that is not in its file is refused with file, revision and the profile to choose, and the file is fetched anew next time', async () => {
  const served: Record<string, string> = { ...files, [at('a.yaml')]: 'prompt: changed\n' }
  await using host = await openFileServer(served)
  await using place = await openTestEnv(host.origin)
  const outcome = await openTexts({ texts: pins }, place.env)
  expect(outcome).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'text-unavailable', retryable: false } })
  for (const word of ['a.yaml', 'acme/eval', revision, 'YAML', 'builtin'])
    expect(outcome.ok === false && outcome.failure.detail).toContain(word)
  served[at('a.yaml')] = yaml
  expect((await openTexts({ texts: pins }, place.env)).ok).toBe(true)
})

test('[TEXT5] a file that cannot be fetched is text-unavailable too, retryable where trying again can help', async () => {
  await using host = await openFileServer({})
  await using place = await openTestEnv(host.origin)
  expect(await openTexts({ texts: pins }, place.env)).toMatchObject({
    ok: false,
    failure: { reason: 'text-unavailable', retryable: false, status: 404 },
  })
  await using gone = await openTestEnv('http://127.0.0.1:1')
  const outcome = await openTexts({ texts: pins }, gone.env)
  expect(outcome).toMatchObject({ ok: false, failure: { reason: 'text-unavailable', retryable: true, status: null } })
  expect(outcome.ok === false && outcome.failure.detail).toContain('GITHUB_RAW_ENDPOINT')
  const outside = await openTexts({ texts: [{ ...pin('x', '../../x', 'x') }] }, gone.env)
  expect(outside).toMatchObject({ ok: false, failure: { reason: 'text-unavailable', retryable: false } })
  expect(existsSync(join(gone.root, 'x'))).toBe(false)
})

test('[TEXT6] a file below BENCH_DATA_DIR is used before the network is', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  const env = { ...place.env, dataDir: join(place.root, 'mirror') }
  const own = join(env.dataDir, 'acme/eval/a.yaml')
  await mkdir(dirname(own), { recursive: true })
  await writeFile(own, yaml)
  expect(await openTexts({ texts: pins.slice(4, 6) }, env)).toEqual({
    ok: true,
    value: { yaml: 'Count the legs.\n', stripped: 'Count the legs.' },
  })
  await writeFile(own, 'prompt: other\n')
  expect(await openTexts({ texts: pins.slice(4, 6) }, env)).toMatchObject({ ok: false, failure: { reason: 'text-unavailable' } })
  expect(existsSync(own)).toBe(true)
})
