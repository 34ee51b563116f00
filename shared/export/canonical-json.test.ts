import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, isCanonical, NotCanonical } from './canonical-json.ts'

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)])

test('[EXP1] canonical JSON prints the samples of RFC 8785', () => {
  const numbers = [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001]
  const string = '€$\u000f\nA\'B"\\\\"/'
  expect(canonicalJson({ numbers, string, literals: [null, true, false] })).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }
  expect(Object.values(JSON.parse(canonicalJson(Object.entries(keys).sort())).map(([, value]: [string, number]) => value))).toHaveLength(7)
  expect(canonicalJson(keys)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\ud83d\ude00":5,"\ufb33":3}')
  for (const [value, text] of [
    [-0, '0'],
    [5e-324, '5e-324'],
    [9007199254740992, '9007199254740992'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
  ] as const)
    expect(canonicalJson(value)).toBe(text)
})

test('[EXP1] printing what was parsed gives the same text again', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(isCanonical(text)).toBe(true)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('[EXP2] what has no canonical form is refused', () => {
  for (const value of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '\ud800',
    { '\udc00': 1 },
    undefined,
    { a: undefined },
    1n,
    () => 1,
    nested(65),
  ])
    expect(() => canonicalJson(value)).toThrow(NotCanonical)
  expect(canonicalJson(nested(64))).toBe(`${'['.repeat(65)}${']'.repeat(65)}`)
})

test('[EXP2] text that says the same in another form is not canonical', () => {
  const others = [
    '{"a":1,"a":1}',
    '{"b":1,"a":1}',
    '{ "a":1}',
    '[1.0]',
    '[-0]',
    '[1e2]',
    '["\\u0041"]',
    '["\\/"]',
    '[9007199254740993]',
    '\ufeff[]',
    '[]\n',
    '[NaN]',
    '["\\ud800"]',
    '',
  ]
  expect(others.filter(isCanonical)).toEqual([])
  expect(isCanonical('{"__proto__":1,"a":[0,-1.5,"A/"]}')).toBe(true)
})
