import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { machineImage } from '#fleet/machine/testing/machine-image.ts'
import { filesOf, TaskRow } from '#shared/episode/task-row.ts'
import { tree } from '#shared/harbor/testing/task-files.ts'
import { writeTaskZip } from '#shared/harbor/write-task-zip.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'
import { root } from './stack.ts'

/** A file as a browser is given it. */
export type Dropped = { name: string; bytes: Uint8Array }

const rows = readFileSync(join(root, 'shared/benchmarks/terminal_tasks/tasks.jsonl'), 'utf8').trim().split('\n')

/** The archive of an example task, built from the tests' own image and without a network; `changes` replaces texts of its files. */
export async function taskArchive(task: string, changes: Record<string, string> = {}): Promise<Dropped> {
  const row = rows.map((line) => TaskRow.parse(JSON.parse(line))).find((one) => one.task === task)!
  const files = filesOf(row).map((file): TreeFile => {
    const text = changes[file.path] ?? new TextDecoder().decode(file.bytes)
    if (file.path === 'environment/Dockerfile') return { ...file, bytes: strToU8(text.replace(/^FROM .*/, `FROM ${machineImage}`)) }
    if (file.path === 'task.toml') return { ...file, bytes: strToU8(text.replace('"public"', '"no-network"')) }
    return changes[file.path] === undefined ? file : { ...file, bytes: strToU8(text) }
  })
  const pieces: Uint8Array[] = []
  for await (const piece of writeTaskZip(files)) pieces.push(piece)
  return { name: `${task}.zip`, bytes: Buffer.concat(pieces) }
}

/** The archive of a task of these files. */
export async function archiveOf(name: string, files: Readonly<Record<string, string | undefined>>): Promise<Dropped> {
  const there = Object.entries(files).flatMap(([path, text]) => (text === undefined ? [] : [[`${name}/${path}`, text] as const]))
  const pieces: Uint8Array[] = []
  for await (const piece of writeTaskZip(tree(Object.fromEntries(there)))) pieces.push(piece)
  return { name: `${name}.zip`, bytes: Buffer.concat(pieces) }
}

/** An archive with an entry that leads out of it. */
export const traversalArchive = (): Dropped => ({
  name: 'outside.zip',
  bytes: zipSync({ 'task.toml': strToU8('version = "1.0"\n'), '../outside.txt': strToU8('x') }),
})

/**
 * Drops files on the element with the text `on`, as a hand would. Waits until the element accepts
 * files.
 */
export async function dropFiles(page: Page, on: string, files: readonly Dropped[]): Promise<void> {
  const told = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }))
  const data = await page.evaluateHandle(`(() => {
    const data = new DataTransfer()
    for (const { name, base64 } of ${JSON.stringify(told)}) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: 'application/zip' }))
    }
    return data
  })()`)
  const zone = page.getByText(on)
  const takes = () => zone.evaluate((one) => !one.dispatchEvent(new Event('dragover', { bubbles: true, cancelable: true })))
  await expect.poll(takes, { timeout: 60_000, interval: 50 }).toBe(true)
  await zone.dispatchEvent('drop', { dataTransfer: data })
}
