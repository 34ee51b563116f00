import type { Container } from 'dockerode'
import type { Machine, MachineExec, MachineExecResult, TreeFile } from '#shared/solvers/machine.ts'
import { folderStamp, packAtNewFolder } from './transfer.ts'

/** A machine's ways to put files and to run commands. */
export type PutPlace = { container: Container; exec(request: MachineExec): Promise<MachineExecResult>; upload: Machine['upload'] }

/** Exit code where the files could not be unpacked, or by chance the command's own. */
const notUnpacked = 98
/** What a shell says where it finds no `tar`, or the engine where there is no shell. */
const noPrograms = [126, 127]
const unpack = `tar -xf - -C / > /dev/null 2>&1 || { rm -rf "$1"; exit ${notUnpacked}; }
shift
exec "$@" < /dev/null`
const nothing = { exit_code: null, head: new Uint8Array(), tail: new Uint8Array(), omitted_bytes: 0 }

/**
 * Runs a command that finds files in place. One command that unpacks them costs an engine half of what an upload and a command do; where a machine cannot
 * (no `tar`, no rights, a folder that is there already) they are uploaded, as are those of all later commands.
 */
export function createPutAndRun({ container, exec, upload }: PutPlace) {
  let canUnpack = true
  return async (request: MachineExec & { put: NonNullable<MachineExec['put']> }): Promise<MachineExecResult> => {
    const { put, ...command } = request
    const tar = canUnpack ? await packed(container, put) : null
    if (tar !== null) {
      const ran = await exec({ ...command, argv: ['sh', '-c', unpack, 'sh', put.path, ...command.argv], stdin: tar })
      const code = ran.exit_code ?? 0
      if (![notUnpacked, ...noPrograms].includes(code) || (await folderStamp(container, put.path)) !== null) return ran
      canUnpack = false
    }
    const written = await upload(put.path, put.files)
    return written === 'written' ? exec(command) : { end: written, ...nothing }
  }
}

const packed = (container: Container, { path, files }: { path: string; files: readonly TreeFile[] }): Promise<Uint8Array | null> =>
  packAtNewFolder(container, path, files).catch(() => null)
