import { type Zippable, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { positions } from '../testing/draws.ts'
import { packedAnew } from './bundle-files.ts'
import { bundleZip } from './bundle-limits.ts'
import { bytesSource } from './byte-source.ts'
import { openZip } from './read-zip.ts'
import { forge, pack, unpack } from './testing/forge.ts'
import { sampleBundle, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'
import type { VerifyReport } from './verify-report.ts'

const isAnew = ({ checks }: VerifyReport): boolean => checks.some(({ ok, detail }) => ok === null && detail === packedAnew)
const options = trusting(vectorKey)
const valid = async (bytes: Uint8Array) => (await verifyBundle(bytes, options)).valid

/** A small bundle, and one with a reserved file. */
const small: [string, Uint8Array][] = [
  ['a small bundle', await sampleBundle(sampleRun(1))],
  [
    'one with a reserved file',
    await forge(await sampleBundle(sampleRun(1)), vectorKey, () => {}, { files: { 'inclusion.json': '{"proof":1}' } }),
  ],
]

test.each(small)(
  '[EXP13] %s: a changed byte of a file, a missing end and an added byte are refused at every position drawn; what only packs may change',
  async (_which, bundle) => {
    expect(await valid(bundle)).toBe(true)
    const accepted: string[] = []
    const { members } = await openZip(bytesSource(bundle), bundleZip)
    for (const [n, at] of positions(bundle.length, 48).entries()) {
      // Some bits of a deflated stream have no effect, such as the length of an unused code.
      const isContent = members.some(({ start, end, stored }) => stored && at >= start && at < end)
      for (const mask of [1 << (n % 8), 0xff]) {
        const changed = bundle.slice()
        changed[at]! ^= mask
        const report = await verifyBundle(changed, options)
        if (report.valid && (isContent || !isAnew(report))) accepted.push(`${at} ^ ${mask}`)
      }
      if (n % 16 === 0 && (await valid(bundle.subarray(0, at)))) accepted.push(`cut at ${at}`)
      if (n % 16 === 0 && (await valid(new Uint8Array([...bundle.subarray(0, at), 0, ...bundle.subarray(at)]))))
        accepted.push(`added at ${at}`)
    }
    if (await valid(new Uint8Array([...bundle, 0]))) accepted.push('appended')
    expect(accepted).toEqual([])
  },
  240_000,
)

test.each(small)(
  '[EXP13] %s: a changed character of a text is refused at every position drawn, even in an archive packed anew',
  async (_which, bundle) => {
    const members = await unpack(bundle)
    expect(await valid(await pack(members))).toBe(true)
    const accepted: string[] = []
    for (const [name, text] of Object.entries(members)) {
      for (const at of positions(text.length, /results|items/.test(name) ? 960 : 24)) {
        const other = text[at] === 'x' ? 'y' : 'x'
        if (await valid(await pack({ ...members, [name]: text.slice(0, at) + other + text.slice(at + 1) }))) accepted.push(`${name} ${at}`)
      }
    }
    expect(accepted).toEqual([])
  },
  240_000,
)

test('[EXP500] files as signed in an archive that was packed anew hold, and the report says so', async () => {
  const bundle = await sampleBundle(sampleRun(1))
  const again = await unpack(bundle)
  const bytes = (texts: Record<string, string>) => Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const)
  const zipped = [
    zipSync(Object.fromEntries(bytes(again).reverse())),
    zipSync(Object.fromEntries(bytes(again)), { level: 0, mtime: '2020-02-02' }),
    zipSync({ results: Object.fromEntries(bytes(again)), '__MACOSX/._results': Buffer.from('mac') }, { level: 9 }),
  ]
  for (const archive of zipped) {
    const report = await verifyBundle(archive, options)
    expect([report.errors, report.valid, isAnew(report)]).toEqual([[], true, true])
  }
  expect(isAnew(await verifyBundle(bundle, options))).toBe(false)
})

test('[EXP500] of an archive that was packed anew the first thing that is wrong is named', async () => {
  const texts = await unpack(await sampleBundle(sampleRun(1)))
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]))
  const { 'results.json': results, ...fewer } = files
  const { 'items.jsonl': items, ...withoutItems } = files
  const changed = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])])
  const wrong: [Zippable, string][] = [
    [fewer, 'structure: results.json is missing'],
    [withoutItems, 'structure: items.jsonl is missing'],
    [{ ...files, 'results.json': changed(results!) }, 'hash: results.json is '],
    [{ ...files, 'items.jsonl': changed(items!) }, 'hash: items.jsonl is '],
    [{ ...files, 'read.me': Buffer.from('x') }, 'structure: read.me is no file of a bundle'],
    [
      { ...files, 'results.json': results!.subarray(1) },
      `hash: results.json has ${results!.length - 1} bytes, the manifest names ${results!.length}`,
    ],
    [{ ...files, 'results.json': Buffer.concat([results!, Buffer.alloc(2 ** 22)]) }, 'hash: results.json has'],
    [{ ...files, '../up': Buffer.from('x') }, 'structure: ../up: it leads out of the archive'],
    [{ ...files, link: [Buffer.from('results.json'), { os: 3, attrs: 0o120777 * 0x10000 }] }, 'structure: link: it is a symbolic link'],
    [{ ...files, 'RESULTS.json': results! }, 'structure: RESULTS.json: another entry is called "results.json"'],
  ]
  for (const [packed, cause] of wrong) {
    const { valid: holds, errors } = await verifyBundle(zipSync(packed), options)
    expect([holds, errors[0]]).toEqual([false, expect.stringContaining(cause)])
  }
  const unsigned = await verifyBundle(zipSync({ ...files, 'signature.txt': Buffer.from('A'.repeat(88)) }), options)
  expect([unsigned.valid, unsigned.checks.find(({ name }) => name === 'archive')?.detail]).toEqual([false, 'packed anew'])
  const twice = Buffer.concat([Buffer.from('MZ'), zipSync(files)])
  expect((await verifyBundle(twice, options)).valid).toBe(false)
})

test('[EXP13] a member too many, too few or of another name is refused', async () => {
  const members = await unpack(await sampleBundle(sampleRun(1)))
  const { 'public_key.txt': _key, ...fewer } = members
  const others = [fewer, { 'README.md': 'read me', ...members }, { ...members, 'inclusion.json': '{}' }]
  for (const texts of others) expect(await valid(await pack(texts))).toBe(false)
})
