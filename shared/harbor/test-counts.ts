/** Tests as pytest counts them; what neither passed nor failed (skipped, expected to fail) is not counted. */
export type TestCounts = { total: number; passed: number; failed: number }

/** The last line of pytest's report, with or without its `=`: `2 failed, 3 passed, 1 skipped in 0.12s`. */
const summary = /^=*[ ]?((?:\d+ [a-z]+(?:, )?)+) in \d[\d.]*s(?: \([\d:]+\))?[ ]?=*\s*$/gm
const failing = ['failed', 'error', 'errors']

/**
 * How many tests passed and failed, where what a verifier wrote ends with a report of pytest; null where it does not. It is for people: a reward is read from its
 * file and from nowhere else.
 */
export function testCounts(output: string): TestCounts | null {
  const plain = output.replace(/\x1b\[[\d;]*m/g, '')
  const line = [...plain.matchAll(summary)].at(-1)?.[1]
  if (line === undefined) return null
  const counts = line.split(', ').map((part) => part.split(' '))
  const sum = (names: readonly string[]): number =>
    counts.reduce((total, [count, name]) => total + (names.includes(name ?? '') ? Number(count) : 0), 0)
  const [passed, failed] = [sum(['passed']), sum(failing)]
  return { total: passed + failed, passed, failed }
}
