import { parseArgs } from 'node:util'
import { openLocalSandboxes } from '#fleet/sandbox/open-local.ts'
import { CatalogueTask } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import task from '#shared/benchmarks/code_tasks/task.ts'
import { openTask } from '#shared/benchmarks/task.ts'
import type { CheatCase } from '../cheats/cheat-book.ts'
import { codeTasksBook } from '../cheats/code-tasks.ts'
import { held, type Played, playCheat } from '../cheats/play-cheats.ts'
import { nearlyRight, withoutBrowser } from '../cheats/two-ways.ts'

/**
 * `npm run prove -- browser`: every answer to a task that can be tested in a browser is tested in it and without it: the reference solution, the untouched
 * workspace, every known cheat, and references with one small bug each. Exit code 1 where the two ways come to different values, or a cheat passes.
 */
const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    parallel: { type: 'string', default: '2' },
    verbose: { type: 'boolean' },
  },
})
const book = codeTasksBook()
const rows = await book.rows()
const opened = await openTask(task, { profile: task.card.profiles.find(({ id }) => id === book.profile)!, texts: {}, rows })
const cases: { one: CheatCase; isKnown: boolean }[] = (await book.cases(opened, rows)).map((one) => ({ one, isKnown: true }))
const inBrowser = new Set<number>()
for (let index = 0; index < opened.count; index += 1) {
  const read = CatalogueTask.parse(await rows.test!.read(index))
  if (!read.browser) continue
  inBrowser.add(index)
  for (const { cheat, answer } of nearlyRight(read, Number(values.most), values.seed))
    cases.push({ one: { index, item: read.task_id, cheat, answers: [answer], want: 0 }, isKnown: false })
}
const tried = cases.filter(({ one }) => inBrowser.has(one.index) && `${one.item} ${one.cheat}`.includes(values.only))

const sandboxes = await openLocalSandboxes('bwrap')
const ways = [sandboxes, withoutBrowser(sandboxes)] as const
const counts = { right: 0, wrong: 0, apart: 0, notHeld: 0, missing: 0 }
const took = [0, 0]
const left = tried.values()
async function worker(): Promise<void> {
  for (const { one, isKnown } of left) {
    const played: Played[] = []
    for (const [way, provider] of ways.entries()) {
      const began = performance.now()
      played.push(await playCheat(task, book.profile, opened, one, provider))
      took[way]! += performance.now() - began
    }
    tell(one, played, isKnown)
  }
}
await Promise.all(Array.from({ length: Number(values.parallel) }, worker))
await sandboxes.close()

function tell(one: CheatCase, played: readonly Played[], isKnown: boolean): void {
  const [browser, node] = played.map((way) => ('missing' in way ? way.missing : `${way.value}: ${way.why}`))
  const valued = played.flatMap((way) => ('value' in way ? [way.value] : []))
  const isApart = valued[0] !== valued[1]
  const isHeld = !isKnown || played.every(held)
  if (valued.length < 2) counts.missing += 1
  else if (isApart) counts.apart += 1
  else counts[valued[0] === 1 ? 'right' : 'wrong'] += 1
  if (!isHeld) counts.notHeld += 1
  if (values.verbose || isApart || !isHeld || valued.length < 2)
    console.log(
      `${isApart ? 'APART' : isHeld ? 'alike' : 'NOT HELD'}: ${one.item}, ${one.cheat}\n  in a browser ${browser}\n  without one  ${node}`,
    )
}

const [browserSeconds, nodeSeconds] = took.map((ms) => (ms / 1000 / Math.max(1, tried.length)).toFixed(1))
console.log(
  `${tried.length} answers, each in a browser (${browserSeconds} s) and without one (${nodeSeconds} s): ${counts.right} right both ways, ${counts.wrong} wrong both ways, ${counts.apart} apart, ${counts.notHeld} not as known, ${counts.missing} could not be tried`,
)
process.exitCode = counts.apart + counts.notHeld > 0 || tried.length === 0 ? 1 : counts.missing > 0 ? 3 : 0
