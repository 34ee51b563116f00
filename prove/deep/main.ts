import { resolve } from 'node:path'
import { runLimited } from '../checks/run-limited.ts'
import { changedFiles } from './changed-files.ts'
import { deepParts, touchedBy } from './parts.ts'
import { outcomeLines, playParts } from './play-parts.ts'

const root = resolve(import.meta.dirname, '..', '..')
const args = process.argv.slice(2)
const wordAfter = (flag: string): string | undefined => {
  const at = args.indexOf(flag)
  return at === -1 ? undefined : args[at + 1]
}
const base = wordAfter('--changed')
const changed = args.includes('--changed')
const parts = changed ? touchedBy(changedFiles(root, base?.startsWith('--') ? undefined : base)) : deepParts
const limitMs = Number(wordAfter('--minutes') ?? Number.POSITIVE_INFINITY) * 60_000
const brief = args.includes('--brief')

if (args.includes('--list')) for (const { name } of parts) console.log(name)
else {
  const stopped = new AbortController()
  for (const event of ['SIGINT', 'SIGTERM'] as const) process.once(event, () => stopped.abort())
  if (parts.length === 0) console.log('the change touches no deep part')
  const outcomes = await playParts(
    parts,
    ({ name, env }, partArgs, partMs) => {
      console.log(`── ${name}: node ${partArgs.join(' ')}`)
      // A timer of Node holds no more than 24 days.
      return runLimited({
        args: partArgs,
        cwd: root,
        limitMs: Math.min(partMs, 2 ** 31 - 1),
        env: { ...process.env, ...env },
        signal: stopped.signal,
      })
    },
    { brief, limitMs },
  )
  for (const line of outcomeLines(outcomes)) console.log(line)
  process.exitCode = outcomes.some(({ failure }) => failure !== null) ? 1 : 0
}
