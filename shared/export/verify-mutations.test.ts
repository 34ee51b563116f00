import { expect, test } from 'vitest'
import { positions } from '../testing/draws.ts'
import { forge, pack, packStreamed, unpack } from './testing/forge.ts'
import { goldenTwo } from './testing/golden.ts'
import { sampleBundle, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'
import type { CheckName, VerifyReport } from './verify-report.ts'
import { memberNames } from './version-2-zip.ts'

const failed = (report: VerifyReport): CheckName[] => report.checks.filter((check) => check.ok === false).map((check) => check.name)
const options = trusting(vectorKey)
const valid = async (bytes: Uint8Array) => (await verifyBundle(bytes, options)).valid

/** The smallest bundle of each version, and one of version 3 with everything a bundle can hold. */
const small: [string, Uint8Array][] = [
  ['2', await forge(goldenTwo, vectorKey, () => {})],
  ['3', await sampleBundle(sampleRun(1))],
  [
    '3 with a reserved file',
    await forge(await sampleBundle(sampleRun(1)), vectorKey, () => {}, { files: { 'inclusion.json': '{"proof":1}' } }),
  ],
]

test.each(small)(
  '[EXP13] version %s: a changed byte, a missing end and an added byte are refused at every position drawn',
  async (_version, bundle) => {
    expect(await valid(bundle)).toBe(true)
    const accepted: string[] = []
    for (const [n, at] of positions(bundle.length, 8).entries()) {
      for (const mask of [1 << (n % 8), 0xff]) {
        const changed = bundle.slice()
        changed[at]! ^= mask
        if (await valid(changed)) accepted.push(`${at} ^ ${mask}`)
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
  '[EXP13] version %s: a changed character of a text is refused at every position drawn, even in an archive packed anew',
  async (version, bundle) => {
    const members = await unpack(bundle)
    const packAgain = version === '2' ? async (texts: typeof members) => pack(texts) : packStreamed
    expect(await valid(await packAgain(members))).toBe(true)
    const accepted: string[] = []
    for (const [name, text] of Object.entries(members)) {
      for (const at of positions(text.length, /results|items/.test(name) ? 160 : 4)) {
        const other = text[at] === 'x' ? 'y' : 'x'
        if (await valid(await packAgain({ ...members, [name]: text.slice(0, at) + other + text.slice(at + 1) })))
          accepted.push(`${name} ${at}`)
      }
    }
    expect(accepted).toEqual([])
  },
  240_000,
)

test('[EXP13] the same members in another order are refused', async () => {
  const members = await unpack(goldenTwo)
  const reordered = pack(members, ['manifest.json', 'results.json', 'signature.txt', 'public_key.txt'])
  expect(failed(await verifyBundle(reordered, options))).toEqual(['archive'])
  expect(Buffer.compare(pack(members, memberNames), goldenTwo)).toBe(0)
  const [items, ...rest] = Object.entries(await unpack(await sampleBundle(sampleRun(1))))
  const moved = await packStreamed(Object.fromEntries([rest[0]!, items!, ...rest.slice(1)]))
  expect((await verifyBundle(moved, options)).errors).toEqual([expect.stringContaining('in this order')])
})

test('[EXP13] a member too many, too few or of another name is refused', async () => {
  const members = await unpack(await sampleBundle(sampleRun(1)))
  const { 'public_key.txt': _key, ...fewer } = members
  const others = [fewer, { 'README.md': 'read me', ...members }, { ...members, 'inclusion.json': '{}' }]
  for (const texts of others) expect(await valid(await packStreamed(texts))).toBe(false)
})
