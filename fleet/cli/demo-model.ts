import { join } from 'node:path'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import type { DemoKnowledge } from '#fleet/model/demo-answers.ts'
import { type DemoModelOptions, demoModelId, startDemoModel } from '#fleet/model/demo-server.ts'
import { benchmarksDir } from '#fleet/program.ts'

/**
 * Runs the demo model on loopback, as a child process of `npm start` without a provider. It never
 * downloads official prompts. The first request loads the answers, which takes some seconds.
 */
const nowhere = 'http://127.0.0.1:9'
const given = {
  BENCH_DATA_DIR: process.env.BENCH_DATA_DIR,
  HF_ENDPOINT: nowhere,
  GITHUB_RAW_ENDPOINT: nowhere,
  GITHUB_ARCHIVE_ENDPOINT: nowhere,
}
const env = datasetEnv(given, { cacheDir: join(process.env.BENCH_DATA ?? '.data', 'cache'), benchmarksDir })
let learned: Promise<DemoKnowledge> | undefined
const learn = async (): Promise<DemoKnowledge> => (await import('#fleet/model/demo-answers.ts')).demoAnswers(env)
const answerFor: DemoModelOptions['answerFor'] = async (...asked) => {
  learned ??= learn()
  return (await learned)(...asked)
}
const demo = await startDemoModel({ port: Number(process.env.BENCH_DEMO_PORT ?? 0), answerFor })
process.on('SIGTERM', () => {
  demo.close().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
process.send?.({ type: 'ready', url: demo.url, models: [demoModelId], detail: 'answers are invented' })
