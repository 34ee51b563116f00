import { openAsBlob, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openHarborJob } from '#fleet/harbor/job-folder.ts'
import { HarborImported } from '#shared/contract/harbor-import.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { meansLines } from '#shared/episode/compare-means.ts'
import { openArchive } from '#shared/export/write-zip.ts'
import type { Client } from './client.ts'
import { clean } from './terminal.ts'

/** Has the service read a Harbor job as runs of its own: a ZIP as it is, a folder packed. Throws `NoHarborJob` and `CommandError`. */
export async function importThere(path: string, visibility: RunSpec['visibility'], client: Client): Promise<HarborImported> {
  const form = new FormData()
  const given = statSync(path, { throwIfNoEntry: false })
  if (given?.isFile()) form.set('file', await openAsBlob(path), basename(path))
  else {
    using opened = await openHarborJob(path)
    const name = basename(opened.folder)
    const archive = openArchive()
    const pieces: Uint8Array<ArrayBuffer>[] = []
    for (const file of opened.files)
      for await (const piece of archive.deflated(`${name}/${file}`, once(readFileSync(join(opened.folder, file)))))
        pieces.push(piece.slice())
    pieces.push(archive.end())
    form.set('file', new Blob(pieces), `${name}.zip`)
  }
  return client.postForm(`/api/import/harbor?visibility=${visibility}`, form, HarborImported)
}

/** Each run with its means, here and at Harbor; then what was left out. */
export function importedLines({ runs, left_out, left_out_total }: HarborImported): { out: string[]; err: string[] } {
  const out = runs.flatMap(({ run_id, model, agent, status, trials, planned, made, means }) => [
    clean(`${run_id}  ${model}, ${agent}: ${trials} of ${planned} trials, ${status}${made ? '' : '; imported before'}`),
    ...meansLines(means).map((line) => clean(`  ${line}`)),
  ])
  const err = left_out.map(({ entry, text }) => clean(`${entry} is left out: ${text}`))
  if (left_out_total > left_out.length) err.push(`${left_out_total - left_out.length} more files are left out.`)
  return { out, err }
}

async function* once(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield bytes
}
