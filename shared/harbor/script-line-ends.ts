import type { TreeFile } from '../solvers/machine.ts'

/** How much of a script is looked at, in bytes: its first lines. */
export const scriptBeginning = 4096

/** Scripts that a shell or an interpreter starts by their first line. */
const script = /\.(?:sh|bash|py)$/

/** Folders of a task whose scripts are run, and those of the first Terminal-Bench beside its `task.yaml`. */
const runPlaces = /(?:^|\/)(?:tests|solution|workdir|environment)\/|^(?:run-tests|solution)\.sh$/

/** Whether the beginning of a file is looked at. */
export const isScript = (path: string): boolean => script.test(path) && runPlaces.test(path)

/**
 * Warns of scripts with line ends of Windows (CR LF): a shell takes the CR as part of each word, and `#!/bin/bash\r` names no interpreter. Python reads such a
 * file well where it is started by name.
 */
export function lineEndWarnings(files: readonly TreeFile[]): string[] {
  return files.flatMap(({ path, bytes }) => {
    if (!isScript(path)) return []
    const text = new TextDecoder().decode(bytes.subarray(0, scriptBeginning))
    const isShell = !path.endsWith('.py')
    const ends = isShell ? /\r\n/.test(text) : /^#!.*\r\n/.test(text)
    return ends ? [`${path} has line ends of Windows (CRLF), which shells on Linux do not read: save it with LF`] : []
  })
}
