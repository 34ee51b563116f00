import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { lchown, lstat, readdir } from 'node:fs/promises'
import path from 'node:path'

const nobody = 65534

/** How PostgreSQL's programs are started, which refuse to run as root. */
export type Privilege = {
  kind: 'plain' | 'namespace' | 'dropped'
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess
  /** Gives a folder to the user the programs run as. */
  admit(folder: string): Promise<void>
  /** Gives a folder with everything in it. */
  own(folder: string): Promise<void>
}

/**
 * Plain for ordinary users. Root runs the programs in a user namespace, where it is somebody else; where namespaces are
 * refused (default Docker), it drops to the uid 65534, which must then be able to reach the folders.
 */
export async function choosePrivilege(postgres: string, uid = process.getuid?.(), unshare = 'unshare'): Promise<Privilege> {
  if (uid !== 0) {
    const already = async () => {}
    return { kind: 'plain', spawn: (command, args, options) => spawn(command, args, options), admit: already, own: already }
  }
  const inNamespace = ['--user', '--map-user=1000', '--map-group=1000', '--']
  if (await succeeds(unshare, [...inNamespace, postgres, '--version'])) {
    return {
      kind: 'namespace',
      spawn: (command, args, options) => spawn(unshare, [...inNamespace, command, ...args], options),
      admit: (folder) => lchown(folder, 0, 0),
      own: (folder) => giveTree(folder, 0),
    }
  }
  return {
    kind: 'dropped',
    spawn: (command, args, options) => spawn(command, args, { ...options, uid: nobody, gid: nobody }),
    admit: (folder) => lchown(folder, nobody, nobody),
    own: (folder) => giveTree(folder, nobody),
  }
}

function succeeds(command: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

async function giveTree(folder: string, owner: number): Promise<void> {
  if ((await lstat(folder)).uid === owner) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(path.join(entry.parentPath, entry.name), owner, owner)
  }
  // Last, because it is what says that the whole tree was given.
  await lchown(folder, owner, owner)
}
