import { parseArgs } from 'node:util'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { openTask } from '#shared/benchmarks/task.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import { books } from './books.ts'
import type { CheatBook } from './cheat-book.ts'
import { held, type Played, playCheat } from './play-cheats.ts'

/**
 * `npm run prove -- cheats`: for every benchmark whose answers are run, reference solutions have to come to 1, doing nothing and every known cheat to 0. Exit
 * code 1 when one does not; 3 when none failed but something is missing on this machine to try them all.
 */
const { values } = parseArgs({
  options: {
    benchmark: { type: 'string' },
    only: { type: 'string' },
    parallel: { type: 'string', default: '2' },
    verbose: { type: 'boolean' },
  },
})
const sandboxes = await createBubblewrap()
const played: Played[] = []
for (const book of books.filter(({ benchmark }) => benchmark === (values.benchmark ?? benchmark))) played.push(...(await playBook(book)))
sandboxes.close()

const wrong = played.filter((one) => 'value' in one && !held(one))
const missing = played.filter((one) => 'missing' in one)
for (const one of [...wrong, ...missing]) console.log(told(one))
console.log(
  `${played.length} answers: ${played.length - wrong.length - missing.length} as they should be, ${wrong.length} not, ${missing.length} could not be tried`,
)
process.exitCode = wrong.length > 0 || played.length === 0 ? 1 : missing.length > 0 ? 3 : 0

async function playBook(book: CheatBook): Promise<Played[]> {
  const task = await tasks[book.benchmark]()
  const profile = task.card.profiles.find(({ id }) => id === book.profile)!
  const rows = await book.rows()
  const opened = await openTask(task, { profile, texts: {}, rows })
  const cases = (await book.cases(opened, rows)).filter(({ item, cheat }) => `${item} ${cheat}`.includes(values.only ?? ''))
  const found: Played[] = []
  const left = cases.values()
  const worker = async (): Promise<void> => {
    for (const one of left) {
      const done = await playCheat(task, book.profile, opened, one, sandboxes)
      found.push(done)
      if (values.verbose) console.log(told(done))
    }
  }
  await Promise.all(Array.from({ length: Number(values.parallel) }, worker))
  const cheats = new Set(cases.map(({ cheat }) => cheat))
  for (const cheat of cheats) {
    const these = found.filter(({ one }) => one.cheat === cheat)
    console.log(`${book.benchmark}  ${String(these.filter(held).length).padStart(3)} of ${String(these.length).padStart(3)}  ${cheat}`)
  }
  return found
}

function told(one: Played): string {
  const { item, cheat, want } = one.one
  const what = `${item}, ${cheat}`
  return 'missing' in one
    ? `not tried: ${what}: ${one.missing}`
    : `${held(one) ? 'held' : 'NOT HELD'}: ${what}: ${one.value}, wanted ${want}: ${one.why}`
}
