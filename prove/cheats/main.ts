import { parseArgs } from 'node:util'
import { localKinds, openLocalSandboxes } from '#fleet/sandbox/open-local.ts'
import { openTask } from '#shared/benchmarks/task.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import { books } from './books.ts'
import { type CheatBook, isKnownToPass } from './cheat-book.ts'
import { held, type Played, playCheat } from './play-cheats.ts'
import { tally } from './tally.ts'

/**
 * `npm run prove -- cheats`: for every benchmark whose answers are run, reference solutions have to come to 1, doing nothing and every known cheat to 0. What
 * is known to pass is named, by which reading, and counted apart. Exit code 1 when one does not hold; 3 when none failed but something is missing on this machine to try
 * them all.
 */
const { values } = parseArgs({
  options: {
    benchmark: { type: 'string' },
    only: { type: 'string' },
    parallel: { type: 'string', default: '2' },
    verbose: { type: 'boolean' },
    sandbox: { type: 'string', default: 'bwrap' },
  },
})
const kind = localKinds.find((one) => one === values.sandbox)
if (!kind) throw new Error(`--sandbox is one of ${localKinds.join(', ')}.`)
const sandboxes = await openLocalSandboxes(kind)
const played: Played[] = []
for (const book of books.filter(({ benchmark }) => benchmark === (values.benchmark ?? benchmark))) played.push(...(await playBook(book)))
await sandboxes.close()

const wrong = played.filter((one) => 'value' in one && !held(one))
const missing = played.filter((one) => 'missing' in one)
const known = played.filter((one) => held(one) && isKnownToPass(one.one.want))
for (const one of [...wrong, ...missing]) console.log(told(one))
const good = played.length - wrong.length - missing.length - known.length
console.log(
  `${played.length} answers: ${good} as they should be, ${known.length} known to pass, ${wrong.length} not as they should be, ${missing.length} could not be tried`,
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
  for (const line of tally(`${book.benchmark} ${book.profile}`, found)) console.log(line)
  return found
}

function told(played: Played): string {
  const { item, cheat, want } = played.one
  const what = `${item}, ${cheat}`
  if ('missing' in played) return `not tried: ${what}: ${played.missing}`
  const wanted = isKnownToPass(want)
    ? `1, as is known${want.flag === null ? '' : `, marked ${want.flag}`}`
    : typeof want === 'number'
      ? want
      : `${want.most} at most`
  const marked = played.flags.length > 0 ? ` (${played.flags.join(', ')})` : ''
  return `${held(played) ? 'held' : 'NOT HELD'}: ${what}: ${played.value}${marked}, wanted ${wanted}: ${played.why}`
}
