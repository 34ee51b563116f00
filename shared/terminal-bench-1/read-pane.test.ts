import { expect, test } from 'vitest'
import { isResolved } from './pytest-pane.ts'
import { readPane } from './read-pane.ts'

const resolved = (parser: Parameters<typeof readPane>[0], pane: string) => {
  const read = readPane(parser, pane)
  return read.ok ? isResolved(read) : read.reason
}

test('[SCORE291] panes of SWE-bench and SWE-Perf tell of one test between their marks, and nothing without them', () => {
  for (const [parser, suite] of [
    ['swebench', 'SWEBench'],
    ['sweperf', 'SWE-Perf'],
  ] as const) {
    const pane = (inside: string) => `$ run\n${suite} results starts here\n${inside}\n${suite} results ends here\n$`
    expect([pane(' PASSED '), pane('FAILED'), pane('PASSED\nPASSED'), pane('')].map((text) => resolved(parser, text))).toEqual([
      ...[true, false, false, false],
    ])
    expect(resolved(parser, `${suite} results ends here\nPASSED\n${suite} results starts here`)).toBe(false)
    expect(resolved(parser, `${suite} results starts here\nPASSED`)).toBe('no-summary')
    // What lies between the first start and the last end counts, so that a mark that comes twice is part of it.
    expect(resolved(parser, `${pane('PASSED')}\n${suite} results ends here`)).toBe(false)
  }
})

test('[SCORE291] a pane of MLE-bench has passed where its marks hold these words alone, or the pane does', () => {
  const pane = (inside: string) => `MLEBench results starts here\n${inside}\nMLEBench results ends here`
  expect([pane('ALL TESTS PASSED'), pane('PASSED'), 'ALL TESTS PASSED', ''].map((text) => resolved('mlebench', text))).toEqual([
    ...[true, false, true, false],
  ])
})

test('[SCORE291] a pane of SWE-Lancer has passed by its word, whatever its case, else where the tool of its user has completed', () => {
  const panes = ['SWE Lancer Success', 'swe lancer failure', 'user_tool: Completed', 'USER_TOOL completed; SWE lancer FAILURE', '']
  expect(panes.map((pane) => resolved('swelancer', pane))).toEqual([true, false, true, false, false])
  expect(resolved('swelancer', 'swe lancer success\nswe lancer failure')).toBe(true)
})
