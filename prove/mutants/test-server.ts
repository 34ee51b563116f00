import { createVitest, type TestModule } from 'vitest/node'
import type { Answer, Ask } from './workbench.ts'

/**
 * A vitest that stays warm: told a file of tests over IPC, after which of our files changed, it runs that file alone and says how it ended.
 * Whoever started it watches the time. Ends with its parent.
 */
const vitest = await createVitest('test', { root: process.cwd(), watch: false, bail: 1, maxWorkers: 1, reporters: [{}], silent: true })
process.once('disconnect', () => process.exit(0))

/** The first test that failed, or null; a file that cannot be loaded, or an error outside tests, counts, but is no test's finding. */
function failureOf(modules: readonly TestModule[], errors: readonly unknown[]): Pick<Answer, 'failure' | 'by_test'> {
  for (const module of modules) {
    for (const test of module.children.allTests()) if (test.result().state === 'failed') return { failure: test.fullName, by_test: true }
    if (module.errors().length > 0) return { failure: `${module.relativeModuleId} does not load`, by_test: false }
  }
  return { failure: errors.length > 0 ? 'an error outside tests' : null, by_test: false }
}

async function run({ test, project, changed, titled }: Ask): Promise<Answer> {
  if (titled === undefined) vitest.resetGlobalTestNamePattern()
  else vitest.setGlobalTestNamePattern(new RegExp(`^${titled.replaceAll(/\W/g, '\\$&')}`))
  for (const file of changed) vitest.invalidateFile(file)
  const wanted = vitest.getProjectByName(project)
  const { testModules: all, unhandledErrors } = await vitest.runTestSpecifications([wanted.createSpecification(test)])
  vitest.state.clearErrors()
  const testModules = all.filter(({ moduleId }) => moduleId === test) // it remembers those of former runs
  return {
    ...failureOf(testModules, unhandledErrors),
    tests: testModules.flatMap((module) => [...module.children.allTests()].filter((one) => one.result().state !== 'skipped')).length,
  }
}

process.on('message', (ask) => {
  run(ask as Ask).then(
    (answer) => process.send!(answer),
    (error: unknown) =>
      process.send!({ failure: `vitest: ${error instanceof Error ? error.message : error}`, by_test: false, tests: 0 } satisfies Answer),
  )
})
process.send!({ failure: null, by_test: false, tests: 0 } satisfies Answer)
