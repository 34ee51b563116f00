import { BadSetting } from './bad-setting.ts'

type Env = Record<string, string | undefined>

/** The key in a variable, without the white space and line ends of the file it came from; null where there is none. Throws as `checkedKey` does. */
export function keyIn(env: Env, name: string): string | null {
  const key = env[name] === undefined ? '' : checkedKey(env[name], name)
  return key === '' ? null : key
}

/** A key without white space around it. Throws a sentence that names its place, and nothing of the key, where a header cannot carry it. */
export function checkedKey(written: string, place: string): string {
  const key = written.trim()
  const at = key.search(/[^\x20-\x7e]/)
  if (at < 0) return key
  const code = key.codePointAt(at)!
  const name = named[code] ?? `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  throw new BadSetting(
    `${place} holds ${name} at position ${at + 1}, so it cannot be sent in an HTTP header. Copy it again, as plain text on one line.`,
  )
}

/** Characters that get into keys on their way through chats, documents and shells. */
const named: Record<number, string> = {
  9: 'a tab',
  10: 'a line end',
  13: 'a line end',
  160: 'a no-break space',
  8203: 'a zero-width space (U+200B)',
  8204: 'an invisible character (U+200C)',
  8205: 'an invisible character (U+200D)',
  8288: 'an invisible character (U+2060)',
  65279: 'a byte order mark (U+FEFF)',
  8216: 'a curly quote',
  8217: 'a curly quote',
  8220: 'a curly quote',
  8221: 'a curly quote',
}
