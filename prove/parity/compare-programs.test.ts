import { expect, test } from 'vitest'
import { hiddenTests } from '#shared/benchmarks/livecodebench/hidden-tests.ts'
import { LcbRecord } from '#shared/benchmarks/livecodebench/record.ts'
import { programCases, tallyPrograms } from './compare-programs.ts'
import { CannotCompare } from './python-environment.ts'

test('[SCORE178] generated programs are the same for the same seed, of every kind, and their tests are read back', async () => {
  const cases = programCases(3, 400)
  expect(programCases(3, 400)).toEqual(cases)
  expect(programCases(4, 400)).not.toEqual(cases)
  const tests = await Promise.all(cases.map(({ row }, index) => hiddenTests(LcbRecord.parse(row), index)))
  expect(new Set(tests.map(({ inputs }) => inputs.length))).toEqual(new Set([1, 2, 3]))
  expect(new Set(tests.map(({ fn_name }) => fn_name))).toEqual(new Set([null, 'f']))
  expect(new Set(cases.map(({ program }) => program)).size).toBeGreaterThan(300)
  const packed = cases.filter(({ row }) => !row.private_test_cases!.startsWith('['))
  expect(packed.length).toBe(320)
})

test('[SCORE178] a tally counts programs that one side alone calls solved, and lists that differ apart', () => {
  const ours = [[true, true], [true, -2], [false], [true], [-4]] as const
  const theirs = [[true, true], [true, -4], [false], [true, -2], [true]]
  expect(tallyPrograms(ours, theirs)).toEqual({ solved: 2, lists: 1, disagreements: [3, 4] })
  expect(() => tallyPrograms(ours, [])).toThrow(CannotCompare)
})
