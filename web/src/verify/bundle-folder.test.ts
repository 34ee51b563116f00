import { expect, test } from 'vitest'
import { bundleZip } from '#shared/export/bundle-limits.ts'
import { unpack } from '#shared/export/testing/forge.ts'
import { exportedAt, sampleBundle, sampleRun, trusting, vectorKey } from '#shared/export/testing/sample-run.ts'
import { verifyFiles } from '#shared/export/verify.ts'
import { type ChosenFolder, chosenFolder, droppedFolder, openBundleFolder } from './bundle-folder.ts'

const texts = await unpack(await sampleBundle(sampleRun(2)))
const fileOf = (text: string, path: string) => Object.assign(new File([text], path.split('/').at(-1)!), { webkitRelativePath: path })
const chosen = (changes: Record<string, string> = {}) =>
  chosenFolder(Object.entries({ ...texts, '.DS_Store': 'mac', ...changes }).map(([name, text]) => fileOf(text, `results/${name}`)))!
const verified = (folder: ChosenFolder, hear: (bytes: number) => void = () => {}) =>
  verifyFiles(async () => openBundleFolder(folder, hear), { ...trusting(vectorKey), now: exportedAt })

test('[UI523] a chosen folder verifies as the ZIP that it was unpacked from, and what is wrong in it is named', async () => {
  const heard: number[] = []
  const report = await verified(chosen(), (bytes) => heard.push(bytes))
  expect([report.errors, report.valid]).toEqual([[], true])
  expect(heard.toSorted((one, other) => one - other)).toEqual(heard)
  const items = `${texts['items.jsonl']!.slice(0, -2)}x\n`
  expect((await verified(chosen({ 'items.jsonl': items }))).errors[0]).toMatch(/^hash: items\.jsonl is /)
  expect((await verified(chosen({ 'notes.txt': 'x' }))).errors).toEqual(['structure: notes.txt is no file of a bundle'])
  expect(chosenFolder([])).toBeUndefined()
  const file = new File([], 'x')
  const many = { name: 'many', files: Array.from({ length: bundleZip.entries + 1 }, (_, at) => ({ name: String(at), file })) }
  expect((await verified(many)).errors).toEqual([expect.stringMatching(/^structure: there are more than \d+ files$/)])
})

/** A folder as a browser gives it: its entries come in parts. */
const folderEntry = (name: string, entries: object[]) => ({
  ...{ name, isDirectory: true },
  createReader() {
    const parts = [entries.slice(0, 2), entries.slice(2)].filter((part) => part.length > 0)
    return { readEntries: (give: (part: object[]) => void) => give(parts.shift() ?? []) }
  },
})
const fileEntry = (name: string) => ({
  ...{ name, isDirectory: false },
  file: (give: (file: File) => void) => give(new File([name], name)),
})
const dropping = (entry: object | null) => ({ items: [{ webkitGetAsEntry: () => entry }] }) as unknown as DataTransfer // no other field is read

test('[UI523] a dropped folder is read with the folders in it; a dropped file is no folder', async () => {
  const artifacts = folderEntry('artifacts', [fileEntry('a')])
  const entry = folderEntry('results', [fileEntry('items.jsonl'), artifacts, fileEntry('manifest.json')])
  const folder = await droppedFolder(dropping(entry))
  expect([folder?.name, folder?.files.map(({ name }) => name).toSorted()]).toEqual([
    'results',
    ['artifacts/a', 'items.jsonl', 'manifest.json'],
  ])
  expect(await droppedFolder(dropping(fileEntry('result.zip')))).toBeUndefined()
  expect(await droppedFolder({ items: [] } as unknown as DataTransfer)).toBeUndefined() // no other field is read
})
