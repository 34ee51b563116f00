import { type Bytes, concat } from '../../export/byte-source.ts'
import type { TreeFile } from '../../solvers/machine.ts'
import { writeTaskZip } from '../write-task-zip.ts'

/** The bytes of the archive that is written of these files. */
export async function packTask(files: readonly TreeFile[]): Promise<Bytes> {
  const pieces: Bytes[] = []
  for await (const piece of writeTaskZip(files)) pieces.push(piece)
  return concat(pieces)
}
