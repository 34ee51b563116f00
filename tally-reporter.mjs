// A vitest reporter for `npm test`: vitest loads it by path, so it is plain JavaScript with a default export.
import { writeFileSync } from 'node:fs'

/** Writes the counts of a run, with every skipped test and the reason it gave, to the file in BENCH_TALLY (`Tally` of prove/test-all.ts). */
export default class TallyReporter {
  onTestRunEnd(modules, errors) {
    const tally = { passed: 0, failed: errors.length, skipped: [] }
    for (const module of modules) {
      if (module.errors().length > 0) tally.failed += 1
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') tally.passed += 1
        else if (result.state !== 'skipped') tally.failed += 1
        else tally.skipped.push({ file: module.relativeModuleId, title: test.fullName, note: result.note ?? null })
      }
    }
    if (process.env.BENCH_TALLY) writeFileSync(process.env.BENCH_TALLY, JSON.stringify(tally))
  }
}
