/** A line of two texts beside each other: in both, only in what was expected, or only in what came out. */
export type DiffLine = { in: 'both' | 'expected' | 'got'; text: string }

/**
 * The lines of two texts in one list, as few of them told apart as can be (a longest common subsequence). Takes time and room by the product of
 * their lengths in lines: meant for excerpts.
 */
export function diffLines(expected: string, got: string): DiffLine[] {
  const [a, b] = [expected.split('\n'), got.split('\n')]
  // common[i][j]: how many lines the rests from i and j have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ in: 'both', text: a[i]! })
      i++
      j++
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) lines.push({ in: 'expected', text: a[i++]! })
    else lines.push({ in: 'got', text: b[j++]! })
  }
  return lines
}
