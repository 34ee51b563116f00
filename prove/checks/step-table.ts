export type Step = { name: string; seconds: number; passed: number; failed: number; skipped: number; failure: string | null }

/** One line for each step and one for all of them, which overlap and took `seconds`: time, counts, and why it failed. */
export function stepTable(steps: readonly Step[], seconds: number): string {
  const sum = { name: 'all', seconds, passed: 0, failed: 0, skipped: 0, failure: null } satisfies Step
  for (const { passed, failed, skipped } of steps) {
    sum.passed += passed
    sum.failed += failed
    sum.skipped += skipped
  }
  const head = ['step', 'seconds', 'passed', 'failed', 'skipped', '']
  const rows = [...steps, sum].map((step) => [
    step.name,
    step.seconds.toFixed(1),
    ...[step.passed, step.failed, step.skipped].map(String),
    step.failure ?? '',
  ])
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 || at === 5 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}
