import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { type TableName, tableNames } from '#shared/contract/card.ts'
import { type TablePin, type TableSource, tablePins } from '#shared/scorers/table-pins.ts'
import { type Table, type TableFiles, TableMissing } from '#shared/scorers/tables.ts'
import { openFileServer, openTestEnv, sha256Of } from './loopback-server.ts'
import { openTablesOf } from './open-tables.ts'
import { countedHeavy } from './testing/all-rows.ts'

const text = (value: string) => new TextEncoder().encode(value)
const asFiles = (name: TableName): Table<TableFiles> => ({ name, parse: (files) => files })

/** A tar archive as GNU tar writes it. */
function tarOf(files: Record<string, string>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124)
    header.write(name.endsWith('/') ? '5' : '0', 156)
    header.write('ustar  \0', 257)
    header.write('00000000000\0', 345)
    header.write('        ', 148) // a checksum is taken over blanks in its own place
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512)
    body.write(content)
    return [header, body]
  })
  return new Uint8Array(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

const first = zipSync({ 'words/english': text('the\n'), 'words/other': text('x') })
const second = zipSync({ 'deep/words/english': text('the\n') })
const profiles = gzipSync(
  tarOf({ 'l/': '', 'l/profiles/en': '{"en":1}', 'l/profiles/zh-cn': '{}', 'l/m.properties': 'a=ä', 'l/setup.py': 'x' }),
)
const inRepository: TableSource = {
  repo: 'o/words',
  revision: 'abc',
  path: 'words.zip',
  archive: 'zip',
  sha256: sha256Of(first),
  members: { english: 'words/english' },
}

/** The real pins with those of a test instead. */
function pinsOf(pins: Partial<Record<TableName, TablePin>>) {
  return { ...tablePins, ...pins }
}

function words(origin: string, more: Partial<TableSource> = {}): TablePin {
  const mirror = {
    url: `${origin}/mirror/words.whl`,
    archive: 'zip',
    sha256: sha256Of(second),
    members: { english: 'deep/words/english' },
  } as const
  return { sources: [{ ...inRepository, ...more } as TableSource, mirror], files: { english: sha256Of('the\n') } }
}

test('[DATA36] an archive is unpacked on a thread, also when that finds it broken', async () => {
  const broken = Buffer.from('no archive')
  await using server = await openFileServer({ '/o/words/abc/words.zip': broken, '/mirror/words.whl': second })
  await using place = await openTestEnv(server.origin)
  const heavy = countedHeavy()
  const pins = pinsOf({ stopwords_english: words(server.origin, { sha256: sha256Of(broken) } as Partial<TableSource>) })
  const { tables, missing } = await openTablesOf(['stopwords_english'], { ...place.env, heavy }, pins)
  expect([missing, tables.get(asFiles('stopwords_english')), heavy.asked]).toEqual([[], { english: 'the\n' }, ['table', 'table']])
})

test('[DATA80] a table comes from the first source that gives it, and is fetched once', async () => {
  await using server = await openFileServer({ '/o/words/abc/words.zip': first, '/mirror/words.whl': second })
  await using place = await openTestEnv(server.origin)
  const pins = pinsOf({ stopwords_english: words(server.origin) })
  for (const _time of [1, 2]) {
    const { tables, missing } = await openTablesOf(['stopwords_english', 'stopwords_english'], place.env, pins)
    expect(missing).toEqual([])
    expect(tables.get(asFiles('stopwords_english'))).toEqual({ english: 'the\n' })
  }
  expect(server.asked.map(({ path }) => path)).toEqual(['/o/words/abc/words.zip'])
  expect(await readdir(join(place.env.cacheDir, 'tables'))).toEqual([`${sha256Of(first)}.zip`])
})

test.each<[string, Record<string, Uint8Array>, Partial<TableSource>]>([
  ['is not there', {}, {}],
  ['has other bytes', { '/o/words/abc/words.zip': text('other') }, {}],
  ['is no archive', { '/o/words/abc/words.zip': text('other') }, { sha256: sha256Of('other') }],
  ['lacks a member', { '/o/words/abc/words.zip': first }, { members: { english: 'words/french' } }],
  ['holds other content', { '/o/words/abc/words.zip': first }, { members: { english: 'words/other' } }],
])('[DATA81] where a source %s the next one is asked', async (_what, files, more) => {
  await using server = await openFileServer({ ...files, '/mirror/words.whl': second })
  await using place = await openTestEnv(server.origin)
  const { tables, missing } = await openTablesOf(
    ['stopwords_english'],
    place.env,
    pinsOf({ stopwords_english: words(server.origin, more) }),
  )
  expect(missing).toEqual([])
  expect(tables.get(asFiles('stopwords_english'))).toEqual({ english: 'the\n' })
  expect(server.asked.map(({ path }) => path)).toEqual(['/o/words/abc/words.zip', '/mirror/words.whl'])
  const again = await openTablesOf(
    ['stopwords_english'],
    { ...place.env, githubRawEndpoint: 'http://127.0.0.1:1' },
    pinsOf({ stopwords_english: words(server.origin) }),
  )
  expect(again.missing).toEqual([]) // what is cached is asked first
})

test('[DATA82] a table that no source gives is named with the reasons, and asking for it fails alone', async () => {
  await using server = await openFileServer({})
  await using place = await openTestEnv(server.origin)
  const pins = pinsOf({ stopwords_english: words('http://127.0.0.1:1') })
  const { tables, missing } = await openTablesOf(['stopwords_english'], place.env, pins)
  expect(missing).toHaveLength(1)
  expect(missing[0]).toMatchObject({ name: 'stopwords_english' })
  expect(missing[0]?.detail).toContain(
    `${server.origin}/o/words/abc/words.zip: HTTP 404; http://127.0.0.1:1/mirror/words.whl: the connection failed`,
  )
  expect(() => tables.get(asFiles('stopwords_english'))).toThrow(TableMissing)
})

test('[DATA82] only a run that is stopped makes it throw', async () => {
  await using server = await openFileServer({})
  await using place = await openTestEnv(server.origin)
  const signal = AbortSignal.abort(new Error('stopped'))
  const pins = pinsOf({ stopwords_english: words(server.origin) })
  await expect(openTablesOf(['stopwords_english'], { ...place.env, signal }, pins)).rejects.toThrow('stopped')
})

test("[DATA83] the files of a tar.gz archive's folder are files of the table; the operator's mirror goes first", async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  const pins = pinsOf({
    langdetect_profiles: {
      sources: [
        {
          url: 'http://127.0.0.1:1/some/l-1.0.tar.gz',
          sha256: sha256Of(profiles),
          archive: 'tar.gz',
          members: { '*': 'l/profiles/', 'messages.properties': 'l/m.properties' },
        },
      ],
      files: {},
    },
    stopwords_english: words('http://127.0.0.1:1'),
  })
  const dataDir = join(place.root, 'mirror')
  await mkdir(join(dataDir, 'tables'), { recursive: true })
  await mkdir(join(dataDir, 'o/words'), { recursive: true })
  await writeFile(join(dataDir, 'tables/l-1.0.tar.gz'), profiles)
  await writeFile(join(dataDir, 'o/words/words.zip'), first)
  const { tables, missing } = await openTablesOf(['langdetect_profiles', 'stopwords_english'], { ...place.env, dataDir }, pins)
  expect(missing).toEqual([])
  expect(tables.get(asFiles('langdetect_profiles'))).toEqual({ en: '{"en":1}', 'zh-cn': '{}', 'messages.properties': 'a=ä' })
  expect(tables.get(asFiles('stopwords_english'))).toEqual({ english: 'the\n' })
  expect(existsSync(join(place.env.cacheDir, 'tables'))).toBe(false)
})

test('[DATA80] every table is pinned by hashes, and its sources hold the same files', () => {
  for (const name of tableNames) {
    const { sources, files } = tablePins[name]
    for (const { sha256 } of sources) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    for (const hash of Object.values(files)) expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const plain = sources.filter(({ form }) => form === undefined).map(({ members }) => Object.keys(members).sort())
    for (const keys of plain) expect(keys).toEqual(plain[0])
  }
})
