import type { WriteEnd } from '#shared/solvers/sandbox.ts'
import { namesOf } from '../bubblewrap/workspace-files.ts'

/** Exit codes by which the commands below say what became of a file. */
const said = { written: 40, 'disk-full': 41, none: 42 } as const
/** The commands look for their tools here, whatever variables an image has. */
const begin = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH; exec 2>/dev/null; cd /workspace ||'

/**
 * Goes down by names, never through a link, and gives the plain file's first bytes. A program that runs meanwhile can only swap in what it may
 * read itself: the commands have its rights and no others, and see nothing of the machine.
 */
const reader = `${begin} exit ${said.none}
most=$1; shift
while [ $# -gt 1 ]; do
  if [ -L "$1" ] || ! [ -d "$1" ]; then exit ${said.none}; fi
  cd -P -- "./$1" || exit ${said.none}
  shift
done
if [ -L "$1" ] || ! [ -f "$1" ] || ! [ -r "$1" ]; then exit ${said.none}; fi
head -c "$most" -- "./$1"`

/** Writes what it is given under a name of its own beside the place, sees that it is whole, and moves it there. */
const writer = `${begin} exit 1
full() { [ "$(stat -f -c %a .)" = 0 ] || [ "$(stat -f -c %d .)" = 0 ]; }
failed() { if full; then code=${said['disk-full']}; else code=1; fi; rm -f -- "./$fresh"; exit $code; }
size=$1 fresh=$2; shift 2
while [ $# -gt 1 ]; do
  if [ -L "$1" ]; then exit 1; fi
  [ -d "$1" ] || mkdir -- "./$1" || failed
  cd -P -- "./$1" || exit 1
  shift
done
if [ -d "$1" ] && ! [ -L "$1" ]; then exit 1; fi
set -C
cat > "./$fresh" || failed
[ "$(wc -c < "./$fresh")" -eq "$size" ] || failed
chmod 644 "./$fresh"
if [ -L "$1" ]; then rm -f -- "./$1"; fi
mv -f -- "./$fresh" "./$1" || failed
exit ${said.written}`

/** Says by its exit code whether a place for files has no room left, of bytes or of files. */
export const fullCommand = (places: readonly string[]): readonly [string, ...string[]] => [
  '/bin/sh',
  '-c',
  `${begin} exit 1
for place in "$@"; do [ "$(stat -f -c %a "$place")" = 0 ] || [ "$(stat -f -c %d "$place")" = 0 ] && exit ${said['disk-full']}; done`,
  'full',
  ...places,
]
/** Whether `fullCommand` found one. */
export const saysFull = (exit_code: number | null): boolean => exit_code === said['disk-full']

/** The command that reads a file of the workspace; null where no file can have this path. */
export function readCommand(path: string, most: number): readonly [string, ...string[]] | null {
  const names = namesOf(path)
  return names && Number.isSafeInteger(most) && most >= 0 ? ['/bin/sh', '-c', reader, 'read', String(most), ...names] : null
}

/** The command that writes so many bytes from its input to a file of the workspace, by way of a file of the name `fresh`; null as above. */
export function writeCommand(path: string, bytes: number, fresh: string): readonly [string, ...string[]] | null {
  const names = namesOf(path)
  return names && ['/bin/sh', '-c', writer, 'write', String(bytes), fresh, ...names]
}

/** What became of a file, by the exit code of `writeCommand`. */
export const writeEndOf = (exit_code: number | null): WriteEnd =>
  exit_code === said.written ? 'written' : exit_code === said['disk-full'] ? 'disk-full' : 'denied'
