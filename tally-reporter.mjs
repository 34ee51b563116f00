// A vitest reporter for `npm test`: vitest loads it by path, so it is plain JavaScript with a default export.
import { renameSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/** Milliseconds of a file, as vitest's own summary divides them: imports are counted without the transforms that they waited for. */
function timesOf(module) {
  const { duration, collectDuration, setupDuration, environmentSetupDuration, prepareDuration } = module.diagnostic()
  const { collectFetchDuration = 0, setupFetchDuration = 0 } = module.task ?? {}
  return {
    file: module.relativeModuleId,
    tests: duration,
    import: Math.max(collectDuration - collectFetchDuration, 0),
    transform: collectFetchDuration + setupFetchDuration,
    setup: Math.max(setupDuration - setupFetchDuration, 0),
    environment: environmentSetupDuration,
    worker: prepareDuration,
  }
}

/** Returns the message of an error with vitest's diff of the two values; null without an error. */
function noteOf(error) {
  if (!error) return null
  const { message, diff } = error
  return diff ? `${message}\n${stripVTControlCharacters(diff)}` : message
}

/**
 * Keeps the counts of a run, with every failed and every skipped test and the reason it gave, in the file named by BENCH_TALLY (`Tally` of
 * prove/checks/tally.ts). It is written anew with every file of tests that begins or ends, so that a run that is cut has its counts too.
 */
export default class TallyReporter {
  #running = []
  #ended = []

  onTestModuleStart(module) {
    this.#running.push(module.relativeModuleId)
    this.#write(this.#ended, [], false)
  }

  onTestModuleEnd(module) {
    this.#running = this.#running.filter((file) => file !== module.relativeModuleId)
    this.#ended.push(module)
    this.#write(this.#ended, [], false)
  }

  onTestRunEnd(modules, errors) {
    this.#write(modules, errors, true)
  }

  #write(modules, errors, ended) {
    const path = process.env.BENCH_TALLY
    if (!path) return
    const files = modules.map(timesOf)
    const red = errors.map((error) => {
      return { file: 'no test', title: error.type ?? error.name ?? 'error', note: noteOf(error) }
    })
    const tally = { passed: 0, failed: errors.length, red, skipped: [], running: this.#running, files, ended }
    for (const module of modules) {
      if (module.errors().length > 0) tally.failed += 1
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') tally.passed += 1
        else if (result.state !== 'skipped') {
          tally.failed += 1
          tally.red.push({ file: module.relativeModuleId, title: test.fullName, note: noteOf(result.errors?.[0]) })
        } else tally.skipped.push({ file: module.relativeModuleId, title: test.fullName, note: result.note ?? null })
      }
    }
    writeFileSync(`${path}.new`, JSON.stringify(tally))
    renameSync(`${path}.new`, path) // at once or not at all: whoever cuts the run finds a whole file
  }
}
