import { readFileSync } from 'node:fs'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pickleText } from '../../../prove/parity/pack-tests.ts'
import { BadRecord } from '../task.ts'
import { hiddenTests } from './hidden-tests.ts'
import { inflateBase64 } from './inflate-base64.ts'
import { oneStringOf } from './one-string-pickle.ts'
import { LcbRecord } from './record.ts'

const [row] = readFileSync(new URL('sample.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .slice(0, 1)
  .map((line) => JSON.parse(line) as Record<string, string>)
const one = { input: '1\n', output: '2\n', testtype: 'stdin' }
const open = (private_test_cases: string, more: Record<string, string> = {}) =>
  hiddenTests(LcbRecord.parse({ ...row, public_test_cases: JSON.stringify([one]), ...more, private_test_cases }), 3)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const packed = (bytes: Uint8Array | readonly number[]) => base64(deflateSync(Uint8Array.from(bytes)))
/** A pickle of protocol 2 whose texts are `texts`, with anything before, between and behind. */
const bytes = (...parts: (string | number[])[]) =>
  parts.flatMap((part) => (typeof part === 'string' ? [0x8c, Buffer.byteLength(part), ...Buffer.from(part)] : part))
const json = JSON.stringify([{ input: 'a', output: 'é', testtype: 'stdin' }])

test('[SCORE162] private tests are read in every encoding, behind the public ones', async () => {
  const both = { inputs: ['1\n', 'a'], outputs: ['2\n', 'é'], fn_name: null }
  expect(await open(json)).toEqual(both)
  for (const protocol of [2, 3, 4, 5] as const)
    for (const text of [json, json.replace('é', 'é'.repeat(9)), `${json.slice(0, -1)}${' '.repeat(70_000)}]`])
      expect((await open(packed(pickleText(text, protocol)))).inputs).toEqual(both.inputs)
  const long = [0x8d, json.length + 1, 0, 0, 0, 0, 0, 0, 0, ...Buffer.from(json)]
  expect(await open(packed([0x80, 4, ...long, 0x94, 0x72, 0, 0, 0, 0, 0x2e]))).toEqual(both)
  expect(await open('[]', { metadata: '{"func_name": "f"}' })).toEqual({ inputs: ['1\n'], outputs: ['2\n'], fn_name: 'f' })
  expect(await open('[]', { metadata: '{"func_name": null}' })).toMatchObject({ fn_name: null })
})

test('[SCORE162] the packed tests of the reference, protocols 4 and 2', async () => {
  for (const text of [
    'eJxrYJlaxwABPVXR1UqZeQWlJUpWCkpGMXlKOgpK+aUlUAETiEBJanFJSWVBKkiouCQlM0+pVkcBSV9MqYFBqiW6ZpBoWjJOE2Kn6AEAm4wpMQ==',
    'eJxrYIqoYmBgiK5WyswrKC1RslJQMorJU9JRUMovLYEKmEAESlKLS0oqC1JBQsUlKZl5SrU6Ckj6YkoNDFIt0TWDRNOScZoQW8igBwAXEifF',
  ]) {
    const { inputs, outputs } = await open(text)
    expect([inputs.length, outputs.length]).toEqual([3, 3])
    expect(outputs[2]).toMatch(/[éü]/)
  }
})

test.each([
  ['a call of anything', [0x80, 4, ...Buffer.from('cos\nsystem\n'), ...bytes('true'), 0x85, 0x52, 0x2e], /opcode 0x63/],
  ['a global by stack', [...bytes([0x80, 4], 'os', [0x94], 'system', [0x93, 0x2e])], /two texts/],
  ['a reduction', bytes([0x80, 4], '[]', [0x52, 0x2e]), /opcode 0x52/],
  ['two texts', bytes([0x80, 4], '[]', '[]', [0x2e]), /two texts/],
  ['bytes behind the end', bytes([0x80, 4], '[]', [0x2e, 0x2e]), /behind the end/],
  ['no end', bytes([0x80, 4], '[]'), /no end/],
  ['no text', [0x80, 4, 0x2e], /holds nothing/],
  ['a text beyond the end', [0x80, 4, 0x58, 255, 255, 255, 255, 0x41], /cut off/],
  ['a length of eight bytes beyond the end', [0x80, 4, 0x8d, 2, 0, 0, 0, 1, 0, 0, 0, 0x5b, 0x5d, 0x2e], /cut off/],
  ['a length that is cut off', [0x80, 4, 0x58, 1, 0], /cut off/],
  ['a frame that is cut off', [0x80, 4, 0x95, 1, 0], /cut off/],
  ['no protocol', bytes('[]', [0x2e]), /begin with its protocol/],
  ['protocol 1', bytes([0x80, 1], '[]', [0x2e]), /none of 2 to 5/],
  ['protocol 6', bytes([0x80, 6], '[]', [0x2e]), /none of 2 to 5/],
  ['a second protocol', bytes([0x80, 4, 0x80, 4], '[]', [0x2e]), /none of 2 to 5/],
  ['nothing', [], /begin with its protocol/],
  ['text that is no UTF-8', [0x80, 4, 0x8c, 2, 0xc3, 0x28, 0x2e], /no JSON in UTF-8/],
  ['a text that is no JSON', bytes([0x80, 4], '[', [0x2e]), /no JSON in UTF-8/],
  ['JSON that is no list of tests', bytes([0x80, 4], '[{}]', [0x2e]), /expected string/],
])('[SCORE163] a pickle with %s is a bad record', async (_name, pickle, why) => {
  await expect(open(packed(pickle))).rejects.toThrow(BadRecord)
  await expect(open(packed(pickle))).rejects.toThrow(why)
})

const whole = packed(pickleText(json, 4))
const raw = Buffer.from(whole, 'base64')
test.each([
  ['an empty text', ''],
  ['no base64', '%%%%%%%%%%%%'],
  ['base64 that is cut off', whole.slice(0, -1)],
  ['a stream that is cut off', base64(raw.subarray(0, -8))],
  ['a stream without its checksum', base64(raw.subarray(0, -4))],
  ['bytes behind its end', base64(Buffer.concat([raw, Buffer.from([0])]))],
  ['a second stream behind its end', base64(Buffer.concat([raw, raw]))],
  ['a wrong checksum', base64(Buffer.concat([raw.subarray(0, -1), Buffer.from([raw.at(-1)! ^ 1])]))],
  ['a wrong header', base64(Buffer.concat([Buffer.from([0x78, 0x9d]), raw.subarray(2)]))],
  ['another method', base64(Buffer.concat([Buffer.from([0x77, 0x85]), raw.subarray(2)]))],
  ['a dictionary', base64(Buffer.concat([Buffer.from([0x78, 0xbb]), raw.subarray(2)]))],
  ['a raw stream', base64(deflateRawSync(pickleText(json, 4)))],
  ['a damaged stream', base64(Buffer.concat([raw.subarray(0, 10), Buffer.alloc(9, 255), raw.subarray(19)]))],
])('[SCORE163] private tests that are %s are a bad record', async (_name, text) => {
  await expect(open(text)).rejects.toThrow(BadRecord)
})

test('[SCORE163] what unpacks to more than is allowed stops there; large streams come whole', async () => {
  const large = Buffer.alloc(3_000_000, 'tests of a problem ')
  const text = base64(deflateSync(large, { level: 0 }))
  expect(Buffer.from(await inflateBase64(text, 3_000_000)).equals(large)).toBe(true)
  await expect(inflateBase64(text, 2_999_999)).rejects.toThrow('more than 2999999 bytes')
  await expect(inflateBase64(base64(deflateSync(Buffer.alloc(50_000_000))), 1_000_000)).rejects.toThrow('more than 1000000 bytes')
  expect(oneStringOf(pickleText('x'.repeat(70_000), 4)).length).toBe(70_000)
})

test('[SCORE164] a problem without any test is a bad record: nothing could fail there', async () => {
  const none = { public_test_cases: '[]' }
  await expect(open('[]', none)).rejects.toThrow('test row 3: private_test_cases: there are no tests')
  await expect(open(packed(pickleText('[]', 4)), none)).rejects.toThrow(BadRecord)
  await expect(open('{}', none)).rejects.toThrow(BadRecord)
  expect((await open(packed(pickleText('[]', 4)))).inputs).toEqual(['1\n'])
})
