import { expect, test } from 'vitest'
import { gapOf, sizeText, takesText } from './sandy-text.ts'

test('[OPS17] the panel of Sandy says unknown for a value that Sandy does not return, and never 0', () => {
  expect([
    takesText({ can_create_sandbox: null }),
    takesText({ can_create_sandbox: true }),
    takesText({ can_create_sandbox: false }),
  ]).toEqual(['unknown', 'accepted', 'refused'])
  expect([sizeText(null, 8), sizeText(3 * 2 ** 29, 2 ** 33), sizeText(2 ** 20, null), sizeText(0, 2 ** 30)]).toEqual([
    ...['unknown', '1.5 of 8.0 GiB', '1.0 MiB', '0.0 of 1.0 GiB'],
  ])
})

test('[OPS17] a line of Sandy’s numbers breaks after three times their usual distance', () => {
  const at = (minutes: number) => new Date(minutes * 60_000).toISOString()
  expect(gapOf([at(0), at(5), at(10), at(60), at(65)])).toBe(15 * 60_000)
  expect(gapOf([at(0)])).toBe(Number.POSITIVE_INFINITY)
})
