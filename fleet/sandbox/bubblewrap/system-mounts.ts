import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { benchmarksDir } from '../../program.ts'
import { type SecretPlace, secretPlaces } from '../secret-places.ts'
import { findCopies, topmost } from './find-copies.ts'
import { isWithin, pathsOf, readMounts } from './mount-table.ts'

/** Directories of programs and libraries, as distributions have them: links into `/usr`, or directories of their own. */
const programs = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']
/** What is shown of `/usr` and `/usr/local`: what compilers and interpreters read. Sources, games and whatever else lies there is not. */
const ofUsr = [...programs, 'libexec', 'include', 'share']
const ofLocal = [...ofUsr, 'go', 'cargo', 'rustup']
/** What the loader and the tools chosen by `update-alternatives` need of `/etc`; nothing else of it is shown. */
const ofEtc = ['/etc/alternatives', '/etc/ld.so.cache']
const shown = [
  ...ofUsr.map((name) => `/usr/${name}`),
  ...ofLocal.map((name) => `/usr/local/${name}`),
  ...programs.map((name) => `/${name}`),
  ...ofEtc,
]
/** Places of packages installed for all users; one that appears later is hidden from then on. */
const packagePlaces = ['/usr/lib/node_modules', '/usr/local/lib/node_modules', '/usr/local/share/.config', '/usr/local/share/.cache']
/** Installers among these packages, which install the dependencies of a task. */
const installers = ['npm', 'corepack']
/** More hidden places than any machine has; each is a mount of every command. */
const mostHidden = 100

/** The read-only system that programs see, as arguments of bwrap at this moment. */
export type SystemMounts = () => readonly string[]

/**
 * Finds out what of this machine programs see: directories of programs and libraries, without any that holds this program, a copy of it, its data, a
 * cache, a bundle, keys or a home, wherever they are installed. Throws a sentence where one of them cannot be hidden.
 */
export async function systemMounts(
  secrets: readonly SecretPlace[] = secretPlaces(process.env),
  dataDir = benchmarksDir,
): Promise<SystemMounts> {
  const there = shown.filter((path) => existsSync(path))
  const links = there.filter((path) => lstatSync(path).isSymbolicLink())
  const roots = there.filter((path) => !links.includes(path))
  const mounts = readMounts(readFileSync('/proc/self/mountinfo', 'utf8'))
  const secret = secrets.flatMap((place) => pathsOf(place.path, mounts).flatMap((path) => secretWithin({ ...place, path }, roots)))
  const hidden = topmost([...secret, ...(await copiesNow(roots, dataDir))])
  if (hidden.length > mostHidden)
    throw new Error(`${hidden.length} places below /usr would have to be hidden from programs, ${mostHidden} at most can be.`)
  const system = [
    ...['--dir', '/usr', '--dir', '/usr/local'], // made by itself it would be its owner's alone
    ...roots.flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap((path) => ['--symlink', readlinkSync(path), path]),
  ]
  return () => [...system, ...topmost([...hidden, ...packagePlaces]).flatMap(hide)]
}

/** How long a search of the machine's files counts, in milliseconds: proving and opening follow each other. */
const fresh_ms = 60_000
const searched = new Map<string, { at_ms: number; copies: Promise<string[]> }>()

/** What `findCopies` gives, of a search that began within the last minute. */
function copiesNow(roots: readonly string[], dataDir: string): Promise<string[]> {
  const key = JSON.stringify([roots, dataDir])
  const last = searched.get(key)
  if (last && performance.now() - last.at_ms < fresh_ms) return last.copies
  const copies = findCopies(roots, dataDir)
  searched.set(key, { at_ms: performance.now(), copies })
  copies.catch(() => searched.delete(key)) // the next one searches anew
  return copies
}

/** The place itself where it lies in what is shown. Throws where hiding it would hide what programs need. */
function secretWithin({ path, what, whole }: SecretPlace, roots: readonly string[]): string[] {
  if (roots.some((root) => root === path || (whole && isWithin(root, path))))
    throw new Error(`${what} is ${path}, which programs in a sandbox need: it cannot be hidden from them. Move it elsewhere.`)
  return roots.some((root) => isWithin(path, root)) ? [path] : []
}

/** Puts an empty directory or an unreadable file in the place of what is there now. Of packages for all users the installers stay. */
function hide(path: string): string[] {
  const kind = lstatSync(path, { throwIfNoEntry: false })
  if (!kind || kind.isSymbolicLink()) return []
  if (!kind.isDirectory()) return ['--ro-bind', '/dev/null', path]
  const kept = packagePlaces.includes(path) ? installers.map((name) => join(path, name)).filter(isOwnDirectory) : []
  return ['--tmpfs', path, ...kept.flatMap((one) => ['--ro-bind', one, one]), '--remount-ro', path]
}

const isOwnDirectory = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
