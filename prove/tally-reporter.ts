import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export type Skipped = { file: string; title: string; note: string | null }
export type Tally = { passed: number; failed: number; skipped: Skipped[] }

/** Writes the counts of a vitest run, with every skipped test and the reason it gave, to the file in BENCH_TALLY. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tally: Tally = { passed: 0, failed: errors.length, skipped: [] }
    for (const module of modules) {
      if (module.errors().length > 0) tally.failed += 1
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') tally.passed += 1
        else if (result.state === 'skipped')
          tally.skipped.push({ file: module.relativeModuleId, title: test.fullName, note: result.note ?? null })
        else tally.failed += 1
      }
    }
    const path = process.env.BENCH_TALLY
    if (path) writeFileSync(path, JSON.stringify(tally))
  }
}
