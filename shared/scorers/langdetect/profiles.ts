import * as z from 'zod'
import type { Table, TableFiles } from '../tables.ts'
import { type Messages, parseMessages } from './messages.ts'

/** The language profiles of langdetect, n-gram by n-gram. */
export type LangdetectProfiles = {
  languages: readonly string[]
  messages: Messages
  /** Number of each n-gram of at most three characters. */
  grams: ReadonlyMap<string, number>
  /** Entries `starts[gram]` to `starts[gram + 1]` of the two arrays below belong to the n-gram. */
  starts: Uint32Array
  language: Uint8Array
  probability: Float64Array
}

const profile = z.object({
  name: z.string(),
  freq: z.record(z.string(), z.number()),
  n_words: z.tuple([z.number(), z.number(), z.number()]),
})
type Profile = z.infer<typeof profile>

/**
 * The 55 profiles of langdetect 1.0.9: a JSON file per language code, and messages.properties.
 * Python numbers the languages in the order of its directory listing; here by code, which changes sums only in their last bits.
 */
export const langdetectProfiles: Table<LangdetectProfiles> = {
  name: 'langdetect_profiles',
  parse: (files) => toProfiles(readProfiles(files), parseMessages(files['messages.properties'] ?? '')),
}

function readProfiles(files: TableFiles): Profile[] {
  const codes = Object.keys(files).filter((name) => name !== 'messages.properties')
  if (codes.length < 2) throw new Error('langdetect needs the profiles of two languages or more')
  return codes.sort().map((code) => {
    const parsed = profile.safeParse(JSON.parse(files[code]!))
    if (!parsed.success) throw new Error(`the langdetect profile ${code} does not fit: ${z.prettifyError(parsed.error)}`)
    return parsed.data
  })
}

function toProfiles(profiles: readonly Profile[], messages: Messages): LangdetectProfiles {
  const grams = new Map<string, number>()
  const found: { gram: number; language: number; probability: number }[] = []
  for (const [language, { freq, n_words }] of profiles.entries()) {
    for (const [text, count] of Object.entries(freq)) {
      const words = n_words[[...text].length - 1]
      if (words === undefined) continue
      const gram = grams.get(text) ?? grams.size
      grams.set(text, gram)
      found.push({ gram, language, probability: count / words })
    }
  }
  const starts = new Uint32Array(grams.size + 1)
  for (const { gram } of found) starts[gram + 1]!++
  for (let gram = 0; gram < grams.size; gram++) starts[gram + 1]! += starts[gram]!
  const next = starts.slice()
  const language = new Uint8Array(found.length)
  const probability = new Float64Array(found.length)
  for (const entry of found) {
    const at = next[entry.gram]!++
    language[at] = entry.language
    probability[at] = entry.probability
  }
  return { languages: profiles.map(({ name }) => name), messages, grams, starts, language, probability }
}
