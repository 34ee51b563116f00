import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storableJson, storableText } from './storable.ts'

test('[DB1] NUL and lone surrogates become U+FFFD in text and in JSON, keys included', () => {
  expect(storableText('a\0b\ud800c😀')).toBe('a\ufffdb\ufffdc😀')
  expect(JSON.parse(storableJson({ 'k\0': ['\udc00x', '\ud83d\ude00', '\0'] }))).toEqual({ 'k\ufffd': ['\ufffdx', '😀', '\ufffd'] })
})

test('[DB1] text that only spells such an escape stays as it is', () => {
  const spelled = ['\\u0000', 'C:\\udata', '\\\\ud800', '"\\u0000"', '\\\\\\u0000', '\u001f']
  expect(JSON.parse(storableJson(spelled))).toEqual(spelled)
  expect(JSON.parse(storableJson(['\\\0', '\\\\\ud800']))).toEqual(['\\\ufffd', '\\\\\ufffd'])
})

test('[DB1] any JSON value equals itself with its text made storable', () => {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return storableText(value)
    if (Array.isArray(value)) return value.map(clean)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [storableText(name), clean(part)]))
  }
  const unit = fc.constantFrom('\\', 'u', '0', '"', 'd', '8', '\0', '\ud800', '\udfff', '\n')
  const text = fc.string({ unit, maxLength: 12 })
  const value = fc.oneof(text, fc.array(text), fc.dictionary(text, text), fc.jsonValue())
  fc.assert(
    fc.property(value, (any) => {
      expect(JSON.parse(storableJson(any))).toEqual(JSON.parse(JSON.stringify(clean(any))))
    }),
  )
})
