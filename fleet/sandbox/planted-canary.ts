import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Property } from './probe-properties.ts'
import { type SecretPlace, secretPlaces } from './secret-places.ts'

/** What no program may find: the places themselves, files planted in them, and a word that stands in each file. */
export type PlantedCanary = Disposable & { places: readonly string[]; name: string; word: string; size: number; planted: number }

/** What a search needs to know of it. */
export type Sought = Omit<PlantedCanary, keyof Disposable | 'planted'>

const prefix = '.bench-canary-'
/** A size in bytes that few files have, so that a planted file is found under any name. */
const canarySize = 40_009
/** Age in milliseconds from which a planted file is one that a killed process left. */
const abandoned_ms = 3_600_000

/** Plants a file with a random word beside the program, its data and its caches, wherever this user may write, until it is disposed. */
export function plantCanary(secrets: readonly SecretPlace[] = secretPlaces(process.env)): PlantedCanary {
  const word = randomBytes(16).toString('hex')
  const name = `${prefix}${randomBytes(8).toString('hex')}`
  const places = [...new Set(secrets.filter(({ what }) => !sharedPlaces.has(what)).map(({ path }) => path))]
  const planted = places.flatMap((place) => {
    const path = join(place, name)
    try {
      removeAbandoned(place)
      writeFileSync(path, word.padEnd(canarySize, '.'), { flag: 'wx', mode: 0o644 })
      return [path]
    } catch {
      return [] // a file, not there yet, or not this user's: its name is sought all the same
    }
  })
  return {
    ...{ places, name, word, size: canarySize, planted: planted.length },
    [Symbol.dispose]: () => {
      for (const path of planted) rmSync(path, { force: true })
    },
  }
}

/** Places that every process of this machine shares: nothing is planted there. */
const sharedPlaces: ReadonlySet<string> = new Set(['the directory of temporary files', 'the home directory'])

function removeAbandoned(place: string): void {
  for (const name of readdirSync(place))
    if (name.startsWith(prefix) && statSync(join(place, name)).mtimeMs < Date.now() - abandoned_ms)
      rmSync(join(place, name), { force: true })
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
/** A pattern that matches the text and is not the text, so that a program does not find itself. */
const apart = (text: string): string => text.replace(/[a-z0-9](?=[^a-z0-9]*$)/, '[$&]')

/**
 * A shell's program that prints every trace of a planted canary and of the places it lies in, then `searched`. `system`: what programs see has the paths of this
 * machine, so that a place must be empty; an image may have a folder of its own there.
 */
export function searchScript({ places, name, word, size }: Sought, system: boolean): string {
  const mine = places.map((place) => quoted(place)).join(' ')
  const isShown = system
    ? '{ [ -d "$r$p" ] && [ -n "$(ls -A "$r$p" 2>/dev/null)" ]; } || { [ -f "$r$p" ] && head -c 1 "$r$p" 2>/dev/null | grep -q .; }'
    : `ls "$r$p/"${apart(name)} >/dev/null 2>&1`
  return `for p in ${mine}; do case "$p" in /workspace|/tmp|/) continue;; esac
for r in "" /proc/1/root /proc/self/root /proc/self/cwd/../../..; do ${isShown} && echo "place $r$p"; done
while read -r _ _ _ root at _; do case "$root" in "$p"|"$p"/*) echo "mount $at of $p";; esac; done < /proc/self/mountinfo
for l in /proc/[0-9]*/fd/* /proc/[0-9]*/cwd /proc/[0-9]*/exe; do to=$(readlink "$l" 2>/dev/null) || continue; case "$to" in "$p"|"$p"/*) echo "link $l";; esac; done; done
find / \\( -path "/proc/*" -o -path "/sys/*" \\) -prune -o \\( -name ${quoted(apart(name))} -o -name catalogue.jsonl -o -name "chutes-bench-runner*" -o -type f -size ${size}c \\) -print 2>/dev/null |
while read -r f; do case "$f" in *canary-*|*catalogue.jsonl|*chutes-bench-runner*) echo "file $f";; *) grep -q ${quoted(apart(word))} "$f" 2>/dev/null && echo "copy $f";; esac; done
cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/mounts /proc/[0-9]*/fdinfo/* 2>/dev/null | tr "\\0" "\\n" | grep -e ${quoted(apart(name))} -e ${quoted(apart(word))}
for f in /proc/[0-9]*/fd/[3-9] /proc/[0-9]*/fd/[1-9][0-9]; do [ -f "$f" ] && head -c ${size} "$f" 2>/dev/null | grep -q ${quoted(apart(word))} && echo "descriptor $f"; done
echo searched`
}

/** The property that nothing of a planted canary is seen from inside. */
export const hidesProperty = (canary: Sought, system: boolean): Property => ({
  name: hidesName,
  script: searchScript(canary, system),
  holds: ({ end }, said) => end === 'exited' && said.trim() === 'searched',
  timeout_ms: 60_000,
})

/** The name of `hidesProperty` in a proof. */
export const hidesName = 'program and data hidden'
