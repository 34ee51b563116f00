import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '#fleet/cli/commands.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import { benchmarksText, commandsText } from './write-lists.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')

test('[DOC515] docs/commands.md lists every command with the arguments, options and examples of its parser', async () => {
  const names = Object.keys(commands) as (keyof typeof commands)[] // the keys of a literal
  await expect(await commandsText(names)).toMatchFileSnapshot(join(docs, 'commands.md'))
})

test('[DOC515] docs/benchmarks.md lists every benchmark with items, version and profiles of its card', async () => {
  await expect(benchmarksText(cards)).toMatchFileSnapshot(join(docs, 'benchmarks.md'))
})
