import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { outcomeOf } from './dataset-error.ts'
import { openTestEnv, sha256Of } from './loopback-server.ts'
import { findRows, openSources } from './open-rows.ts'
import { type RowLimits, rowLimits } from './row-limits.ts'
import { allRows } from './testing/all-rows.ts'

/** Three invented rows in two row groups, written with hyparquet-writer 0.x: id int64, question, options list, at timestamp, image { bytes, path }. */
const parquet = gunzipSync(
  Buffer.from(
    'H4sIAAAAAAAAA4WSMWvbQBzFn08nWTVOakr+hwUaRBodoWRJSYwpJSUdQshQTCiZvKhUJAbZki2F1p06hY6hnTo0o6HQD1HoliFk6pShlAwZ+xHKnRSDhZsK3Z2O97t774E62/vrZJFHK13iBD1AABpPK8gfVqxk0Q7tlbCHHxYB7MZvvH4wGHtReJg+WwCw/OPrsvf7/Sfvz5ePn8kiSY+6ZBUnOXHAYEb1fluZtNSkvwIdxS1HARYq7o0xjbFEzRJSW1HH36ppfAeQqGlIFjVoqUuMoIcGbDfv6ykDm+olmdcLb5tqSmJayovA0Mq8Oy+r09A1WizJZkNZvrtDGxF3vu3yURxnVANxH03Wew2q+2jaw+MwzXrxwAc20azGidqkxMjCJm/yqJdmxHK2GkZhPxxkPopLgsx/oE6ZvX5wGBLPMfPVOAtTBakdT4LsyAeE5aw5kbRd4g7BUQmICS72xAtpA/LApboWpom0nIhMHgDyvFLo7duIOtptJGLCEh3xUp5XAHnGpi5BVrjsyDMGyGtW3LOah87DamZLPJfXipkYs4yuMEUmBiAuDcFbvww4kbwxZisx8URsSfWfyQmfV4qJx6IlJxyQV/x/rRS8Ia8UfGrOtsqNTk1AXpj/aMXEhmjLC8WcWPNb5ciJBYjvTLDWT4bVe0fjJBgNj8PMiVyg9KLDgM72/vpfZkTJQ/cDAAA=',
    'base64',
  ),
)

/** The rows of a file, or the failure, which are the same whether they are kept in memory or read from disk. */
async function rowsOf(name: string, content: string | Uint8Array, columns?: string[]) {
  await using place = await openTestEnv('http://127.0.0.1:1')
  const path = join(place.root, basename(name.replace(/!.*/, '')))
  await writeFile(path, content)
  const read = (changes: Partial<RowLimits>) =>
    outcomeOf(async () => {
      const env = { ...place.env, rows: { ...rowLimits, ...changes } }
      const source = await findRows({ path, sha256: sha256Of(content) }, name, columns, env)
      expect(source.type).toBe(changes.inlineBytes === 0 ? 'store' : 'list')
      const rows = await openSources([source], env)
      return allRows(rows).finally(rows.close)
    })
  const here = await read({ inlineBytes: 2 ** 20 })
  expect(await read({ inlineBytes: 0 })).toEqual(here)
  expect(await read({ inlineBytes: 0, bigRowBytes: 0 })).toEqual(here)
  return here
}

test('[DATA11] Parquet rows are plain: exact integers are numbers, larger ones and dates text, lists arrays, embedded media left out', async () => {
  expect(await rowsOf('data/test.parquet', parquet)).toEqual({
    ok: true,
    value: [
      { id: 1, question: 'How many legs?', options: ['6', '8'], at: '1970-01-01T00:00:00.000Z' },
      { id: 2, question: '"é" – 𝒙', options: ['a'], at: '1970-01-01T00:00:01.000Z' },
      { id: '9007199254740993', question: '', options: [], at: '1970-01-01T00:00:02.000Z' },
    ],
  })
})

test('[DATA11] only the wanted columns are read, media among them when named, and an unknown column is refused', async () => {
  expect(await rowsOf('test.parquet', parquet, ['id', 'image'])).toMatchObject({
    ok: true,
    value: [{ id: 1, image: { bytes: 'x', path: 'p' } }, {}, {}],
  })
  expect(await rowsOf('test.parquet', parquet, ['id', 'wrong'])).toMatchObject({ ok: false, failure: { reason: 'bad-record' } })
  expect(await rowsOf('test.jsonl', '{"a":1,"b":2}', ['b'])).toEqual({ ok: true, value: [{ b: 2 }] })
})

test('[DATA12] JSON lines are read with any line end, a byte order mark and blank lines, also compressed; an array file too', async () => {
  const text = '\uFEFF{"a":"1\\n2"}\r\n\r\n{"a":"\u2028"}\n'
  const value = [{ a: '1\n2' }, { a: '\u2028' }]
  expect(await rowsOf('x.jsonl', text)).toEqual({ ok: true, value })
  expect(await rowsOf('x.jsonl.gz', gzipSync(text))).toEqual({ ok: true, value })
  expect(await rowsOf('x.json', JSON.stringify(value))).toEqual({ ok: true, value })
})

test('[DATA13] CSV cells stay text, with quotes over several lines, doubled quotes, CRLF, a byte order mark and short lines of quotes', async () => {
  const text = '\uFEFFQuestion,Answer\r\n"a\r\nb, ""c""",007\r\n5" pipe,\r\n\r\n" x ", y \r\n'
  expect(await rowsOf('x.csv', text)).toEqual({
    ok: true,
    value: [
      { Question: 'a\r\nb, "c"', Answer: '007' },
      { Question: '5" pipe', Answer: '' },
      { Question: ' x ', Answer: ' y ' },
    ],
  })
})

/** A zip whose names are UTF-8 bytes without the flag that says so, as the AA-LCR archive has them. */
function unflagged(files: Record<string, string>): Uint8Array {
  const zip = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])))
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  for (let at = 0; at + 10 < zip.length; at++) {
    const flags = { 67324752: 6, 33639248: 8 }[view.getUint32(at, true)]
    if (flags !== undefined) view.setUint16(at + flags, view.getUint16(at + flags, true) & ~0x800, true)
  }
  return zip
}

test('[DATA14] files of a zip are rows or are read as data files; names are UTF-8 in NFC even where the archive does not flag them', async () => {
  const files = { 'lcr/Acme\u2019s re\u0301sume\u0301.txt': 'Alpha earned 5.\n', 'lcr/şubat.jsonl': '{"a":1}\n{"a":2}' }
  for (const zip of [
    unflagged(files),
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]))),
  ]) {
    expect(await rowsOf('docs.zip', zip)).toEqual({
      ok: true,
      value: [
        { name: 'lcr/Acme\u2019s r\u00e9sum\u00e9.txt', text: 'Alpha earned 5.\n' },
        { name: 'lcr/şubat.jsonl', text: '{"a":1}\n{"a":2}' },
      ],
    })
    expect(await rowsOf('docs.zip!/lcr/şubat.jsonl', zip)).toEqual({ ok: true, value: [{ a: 1 }, { a: 2 }] })
    expect(await rowsOf('docs.zip!/lcr/gone.jsonl', zip)).toMatchObject({ ok: false, failure: { reason: 'bad-record' } })
  }
})

test('[DATA85] a file of a zip keeps its byte order mark and line ends, and one that is no UTF-8 has no text', async () => {
  const bytes = { 'a.txt': new TextEncoder().encode('\uFEFFone\r\ntwo\r'), '.DS_Store': Uint8Array.of(0, 0xff, 0xfe) }
  expect(await rowsOf('docs.zip', zipSync(bytes))).toEqual({
    ok: true,
    value: [
      { name: 'a.txt', text: '\uFEFFone\r\ntwo\r' },
      { name: '.DS_Store', text: null },
    ],
  })
})

test('[DATA15] a file that does not parse is dataset/bad-record and names the place', async () => {
  const broken: [string, string | Uint8Array, string][] = [
    ['x.jsonl', '{"a":1}\n{"a":', 'x.jsonl line 2'],
    ['x.json', '{"a":1', 'x.json'],
    ['x.json', '[1', 'x.json'],
    ['x.jsonl.gz', gzipSync('{"a":1}').subarray(0, 15), 'x.jsonl.gz'],
    ['x.jsonl', Uint8Array.of(0x22, 0xff, 0x22), 'x.jsonl'],
    ['x.csv', 'a,b\n1,2,3\n', 'x.csv'],
    ['x.parquet', parquet.subarray(0, 400), 'x.parquet'],
    ['x.zip', 'PK no zip', 'x.zip'],
    ['x.arrow', 'ARROW1', 'x.arrow'],
  ]
  for (const [name, content, place] of broken) {
    const outcome = await rowsOf(name, content)
    expect(outcome, name).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'bad-record', retryable: false } })
    expect(outcome.ok === false && outcome.failure.detail).toContain(place)
  }
})

test('[DATA90] a JSON object is a row for each key, a TOML file one row with its text', async () => {
  expect(await rowsOf('splits.json', '{"base": ["a", "b"], "small": []}')).toEqual({
    ok: true,
    value: [
      { name: 'base', value: ['a', 'b'] },
      { name: 'small', value: [] },
    ],
  })
  expect(await rowsOf('data/db.toml', 'a = 2.0 # é\r\n')).toEqual({ ok: true, value: [{ name: 'db.toml', text: 'a = 2.0 # é\r\n' }] })
  expect(await rowsOf('text.json', '"text"')).toMatchObject({ ok: false, failure: { reason: 'bad-record' } })
})
