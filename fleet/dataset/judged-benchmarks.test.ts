import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import lcr from '#shared/benchmarks/aa_lcr/task.ts'
import hle from '#shared/benchmarks/hle/task.ts'
import { openTask } from '#shared/benchmarks/task.ts'
import type { DataIdentity } from '#shared/contract/run.ts'
import { openFileServer, openTestEnv, sha256Of } from './loopback-server.ts'
import { openDataset } from './open-dataset.ts'
import { allRows } from './testing/all-rows.ts'

const revision = 'b'.repeat(40)
const at = (path: string) => `/datasets/acme/judged/resolve/${revision}/${path}`
const builtin = (task: typeof lcr) => task.card.profiles.find((profile) => profile.id === 'builtin')!

/** Names in UTF-8 without the flag that says so, as the real archive has them. */
function unflagged(files: Record<string, Uint8Array>): Buffer {
  const zip = zipSync(files)
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  for (let at = 0; at + 10 < zip.length; at++) {
    const flags = { 67324752: 6, 33639248: 8 }[view.getUint32(at, true)]
    if (flags !== undefined) view.setUint16(at + flags, view.getUint16(at + flags, true) & ~0x800, true)
  }
  return Buffer.from(zip)
}

const csv = `,document_category,document_set_id,question_id,question,answer,data_source_filenames,data_source_urls,input_tokens
0,Legal,set,1,"Who, of the two, earned more?",Beta;by 2,Alpha’s year.txt;ş.txt,https://example.org,120
1,Legal,set,2,Who is third?,nobody,Alpha’s year.txt;third.txt,,
`
const utf8 = (text: string) => new TextEncoder().encode(text)
const zip = unflagged({
  'lcr/Legal/set/s\u0327.txt': utf8('Beta earned 7.\r\n'),
  'lcr/Legal/set/Alpha’s year.txt': utf8('Alpha earned 5.'),
  '__MACOSX/lcr/._set': Uint8Array.of(0, 5, 0x16, 0xff),
})
const identity: DataIdentity = {
  source: 'pinned',
  repo: 'acme/judged',
  revision,
  files: [
    { role: 'test', path: 'set.csv', sha256: sha256Of(csv), rows: 2 },
    { role: 'documents', path: 'text/docs.zip', sha256: sha256Of(zip), rows: 2 },
  ],
}

test('[DATA86] AA-LCR is opened from its table and its archive; a question whose document is missing fails alone', async () => {
  await using hub = await openFileServer({ [at('set.csv')]: csv, [at('text/docs.zip')]: zip })
  await using place = await openTestEnv(hub.origin)
  const opened = await openDataset({ benchmark: 'aa_lcr', identity, roles: ['test', 'documents'], columns: lcr.columns }, place.env)
  if (!opened.ok) throw new Error(opened.failure.detail)
  expect(opened.value.seen.map((file) => [file.role, file.rows])).toEqual([
    ['test', 2],
    ['documents', 3],
  ])
  const items = await openTask(lcr, { profile: builtin(lcr), texts: {}, rows: opened.value.rows })
  const item = await items.item(0, 0)
  expect(item).toMatchObject({ source_id: '1', target: 'Beta;by 2', metadata: { input_tokens: 120 } })
  expect(item.messages[0]?.content).toContain(
    '=== Document 1 ===\nAlpha earned 5.\n=== End of document 1 ===\n\n=== Document 2 ===\nBeta earned 7.\n\n===',
  )
  await expect(items.item(1, 0)).rejects.toThrow('the document lcr/Legal/set/third.txt is missing')
  await opened.value.close()
})

test('[DATA87] an archive without a pinned hash has as many files as its identity says', async () => {
  await using hub = await openFileServer({ [at('text/docs.zip')]: zip })
  await using place = await openTestEnv(hub.origin)
  const files = identity.files.map((file) => ({ ...file, sha256: null }))
  expect(await openDataset({ benchmark: 'aa_lcr', identity: { ...identity, files }, roles: ['documents'] }, place.env)).toMatchObject({
    ok: false,
    failure: { reason: 'mismatch' },
  })
})

test('[DATA88] of the exam only the columns that are used are read: neither canary nor rationale', async () => {
  const row = { id: 'a', question: 'Q?', image: '', answer: '4', answer_type: 'exactMatch', raw_subject: 'S', category: 'Math' }
  const text = `${JSON.stringify({ ...row, canary: 'canary', rationale: 'because', author_name: 'A' })}\n`
  await using hub = await openFileServer({ [at('exam.jsonl')]: text })
  await using place = await openTestEnv(hub.origin)
  const files = [{ role: 'test', path: 'exam.jsonl', sha256: sha256Of(text), rows: 1 }]
  const opened = await openDataset({ benchmark: 'hle', identity: { ...identity, files }, roles: ['test'], columns: hle.columns }, place.env)
  if (!opened.ok) throw new Error(opened.failure.detail)
  const rows = await allRows(opened.value.rows.test)
  await opened.value.close()
  expect(rows).toEqual([row])
  expect(Object.keys(rows[0] as object)).toEqual(Object.keys(row))
})
