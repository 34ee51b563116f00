import type { StoredTask } from '#db/store.ts'
import { taskFacts } from '#shared/episode/task-facts.ts'
import { loadTask } from '#shared/harbor/load-task.ts'
import { writeTaskZip } from '#shared/harbor/write-task-zip.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'

const file = (path: string, text: string, mode = 0o644): TreeFile => ({ path, mode, bytes: new TextEncoder().encode(text) })

/** The files of a small task that wants a word written, with its solution. `toml` stands in place of its `task.toml`. */
export function exampleFiles(toml = 'version = "1.0"\n[verifier]\ntimeout_sec = 60.0\n[agent]\ntimeout_sec = 120.0\n'): TreeFile[] {
  return [
    file('task.toml', toml),
    file('instruction.md', 'Write the word `done` to /app/word.txt.\n'),
    file('environment/Dockerfile', 'FROM bench/base:bookworm\nWORKDIR /app\n'),
    file(
      'tests/test.sh',
      '#!/bin/bash\nif [ "$(cat /app/word.txt)" = done ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n',
      0o755,
    ),
    file('solution/solve.sh', '#!/bin/bash\necho done > /app/word.txt\n', 0o755),
  ]
}

/** The files as an archive, in a folder of this name unless it is empty. */
export async function zipOf(files: readonly TreeFile[], folder = 'write-word'): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  for await (const piece of writeTaskZip(files.map((one) => ({ ...one, path: folder === '' ? one.path : `${folder}/${one.path}` }))))
    pieces.push(piece)
  return new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

/** A task as it is stored. */
export function exampleTask(changes: Partial<StoredTask> = {}): StoredTask {
  const files = exampleFiles()
  const loaded = loadTask('write-word', files)
  if (!loaded.ok) throw new Error(loaded.problems[0].text)
  return {
    ...{ id: '33333333-3333-4333-8333-333333333333', owner_id: 'owner', name: 'Write a word', archive_name: 'write-word' },
    ...{ original_filename: 'write-word.zip', size_bytes: 900, sha256: 'b'.repeat(64), checksum: loaded.task.checksum },
    facts: taskFacts(loaded.task, files.length, 400),
    ...{ model: null, provider: null, agent: 'terminus-2', num_runs: 10, created_at: '2026-01-02T03:04:05.000Z' },
    ...changes,
  }
}

/** A form as browsers send it. */
export function formOf(zip: Uint8Array<ArrayBuffer> | null, fields: Record<string, string> = {}, filename = 'write-word.zip'): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (zip) form.set('file', new File([zip], filename, { type: 'application/zip' }))
  return form
}
