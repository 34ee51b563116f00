import { existsSync, lstatSync, readlinkSync } from 'node:fs'

/** Directories of programs and libraries beside `/usr`, as distributions have them: links into it, or directories of their own. */
const beside = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']
/** What the loader and the tools chosen by `update-alternatives` need of `/etc`; nothing else of it is shown. */
const ofEtc = ['/etc/alternatives', '/etc/ld.so.cache']

/** The read-only system that programs see, as arguments of bwrap: `/usr` of this machine and what leads into it. */
export function systemMounts(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...beside.flatMap((name) => {
      const path = `/${name}`
      if (!existsSync(path)) return []
      return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
    }),
    ...ofEtc.flatMap((path) => (existsSync(path) ? ['--ro-bind', path, path] : [])),
  ]
}
