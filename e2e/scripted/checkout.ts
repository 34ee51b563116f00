import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../stack.ts'

/** What a checkout makes for itself. */
const made = new Set(['.git', '.cache', 'node_modules', 'dist'])

/** Benchmarks for journeys, and where their files are. */
const scripted = { scripted: import.meta.dirname, scripted_code: join(import.meta.dirname, 'code') }
/** One benchmark for each kind of sandbox on this machine: they differ in what their cards need. */
const crowd = join(import.meta.dirname, 'crowd')
export const crowdKinds = ['bwrap', 'docker'] as const
export const crowdName = (kind: (typeof crowdKinds)[number]): string => `scripted_crowd_${kind}`

/**
 * A copy of this checkout with scripted benchmarks added to it, as anybody would add one: a folder, and a line in each of the two lists.
 * Throws when the lists do not look as CONTRIBUTING.md says.
 */
export function checkoutWithScripted(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'bench-scripted-'))
  for (const name of readdirSync(root)) if (!made.has(name)) cpSync(join(root, name), join(path, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  const benchmarks = join(path, 'shared', 'benchmarks')
  const crowds = crowdKinds.map((kind) => [crowdName(kind), crowd] as const)
  for (const [id, folder] of [...Object.entries(scripted), ...crowds]) {
    for (const name of ['card.ts', 'task.ts', 'sample.jsonl']) cpSync(join(folder, name), join(benchmarks, id, name), { recursive: true })
    insert(join(benchmarks, 'cards.ts'), /^const list = \[/m, `import { card as ${id} } from './${id}/card.ts'\n\n$&${id}, `)
    insert(join(benchmarks, 'tasks.ts'), /^ {2}mmlu_pro: /m, `  ${id}: async () => (await import('./${id}/task.ts')).task,\n$&`)
  }
  const card = join(benchmarks, crowdName('docker'), 'card.ts')
  writeFileSync(
    card,
    readFileSync(card, 'utf8').replace(crowdName('bwrap'), crowdName('docker')).replace("kinds: ['bwrap']", "kinds: ['docker']"),
  )
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

function insert(file: string, at: RegExp, text: string): void {
  const before = readFileSync(file, 'utf8')
  if (!at.test(before)) throw new Error(`${file} has no ${at}`)
  writeFileSync(file, before.replace(at, text))
}
