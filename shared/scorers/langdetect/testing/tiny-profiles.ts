import type { TableFiles } from '../../tables.ts'
import { langdetectProfiles } from '../profiles.ts'

/** A made-up stand-in for messages.properties: one letter composes, two kanji are one class. */
const messages = [
  'NGram.LATIN1_EXCLUDE=\\u00a0\\u00ab',
  'NGram.KANJI_1_0=\\u4e00\\u4e8c',
  'TO_NORMALIZE_VI_CHARS=Ae',
  'DMARK_CLASS=\\u0300\\u0301\\u0303\\u0309\\u0323',
  'NORMALIZED_VI_CHARS_0300=\\u00c0\\u00e8',
  'NORMALIZED_VI_CHARS_0301=\\u00c1\\u00e9',
  'NORMALIZED_VI_CHARS_0303=\\u00c3\\u1ebd',
  'NORMALIZED_VI_CHARS_0309=\\u1ea2\\u1ebb',
  'NORMALIZED_VI_CHARS_0323=\\u1ea0\\u1eb9',
  '',
].join('\n')

/** Files of made-up languages, each given by how often its n-grams occur; every profile counts 100 n-grams of each length. */
export function tinyFiles(languages: Record<string, Record<string, number>>): TableFiles {
  const files: Record<string, string> = { 'messages.properties': messages }
  for (const [name, freq] of Object.entries(languages)) files[name] = JSON.stringify({ name, freq, n_words: [100, 100, 100] })
  return files
}

/** Profiles in which every one of these n-grams is known. */
export function profilesOf(...grams: string[]) {
  const freq = Object.fromEntries(grams.map((gram) => [gram, 1]))
  return langdetectProfiles.parse(tinyFiles({ first: freq, second: {} }))
}
