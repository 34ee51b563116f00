import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../stack.ts'

/** What a checkout makes for itself. */
const made = new Set(['.git', '.cache', 'node_modules', 'dist'])

/**
 * A copy of this checkout with the scripted benchmark added to it, as anybody would add one: its folder, and a line in each of the two lists.
 * Throws when the lists do not look as CONTRIBUTING.md says.
 */
export function checkoutWithScripted(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'bench-scripted-'))
  for (const name of readdirSync(root)) if (!made.has(name)) cpSync(join(root, name), join(path, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  const benchmarks = join(path, 'shared', 'benchmarks')
  for (const name of ['card.ts', 'task.ts', 'sample.jsonl'])
    cpSync(join(import.meta.dirname, name), join(benchmarks, 'scripted', name), { recursive: true })
  insert(join(benchmarks, 'cards.ts'), /^const list = \[/m, `import { card as scripted } from './scripted/card.ts'\n\n$&scripted, `)
  insert(join(benchmarks, 'tasks.ts'), /^ {2}mmlu_pro: /m, `  scripted: async () => (await import('./scripted/task.ts')).task,\n$&`)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

function insert(file: string, at: RegExp, text: string): void {
  const before = readFileSync(file, 'utf8')
  if (!at.test(before)) throw new Error(`${file} has no ${at}`)
  writeFileSync(file, before.replace(at, text))
}
