import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesSource } from '../export/byte-source.ts'
import { crc32 } from '../export/crc32.ts'
import type { TreeFile } from '../solvers/machine.ts'
import { draws } from '../testing/draws.ts'
import { byCodePoint } from './python-text.ts'
import { readTaskZip } from './read-task-zip.ts'
import { packTask } from './testing/pack-task.ts'
import { plainTask, tree } from './testing/task-files.ts'

test('[HARB13] the archive that is written depends on paths, modes and bytes alone, and gives them back', async () => {
  const path = fc.stringMatching(/^f[a-zé𝒳]{1,6}(\/f[a-z0-9]{1,4}){0,2}$/u)
  const files = fc.uniqueArray(fc.record({ path, mode: fc.constantFrom(0o644, 0o755, 0o600), bytes: fc.uint8Array({ maxLength: 200 }) }), {
    selector: (file) => file.path.split('/')[0],
  })
  await fc.assert(
    fc.asyncProperty(files, async (some) => {
      const all: TreeFile[] = [...some, ...tree(plainTask)]
      const archive = await packTask(all)
      const read = await readTaskZip(bytesSource(archive))
      if (!read.ok) throw new Error(JSON.stringify(read.problem))
      expect(read.files.map(({ path: at, mode, bytes }) => [at, mode, crc32(bytes)])).toEqual(
        all.toSorted((left, right) => byCodePoint(left.path, right.path)).map(({ path: at, mode, bytes }) => [at, mode, crc32(bytes)]),
      )
      expect(Buffer.compare(await packTask(all.toReversed()), archive)).toBe(0)
    }),
    draws(25),
  )
})
