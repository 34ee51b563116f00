import type { Card, Profile } from '../contract/card.ts'
import type { DataIdentity } from '../contract/run.ts'
import { RunRefused } from './run-refused.ts'

/**
 * The profile a benchmark is asked with on given data. A named one must exist on the card and find its files in the data (`RunRefused` names those
 * that do). Without a name it is the card's default where its files exist; on the sample, which must run without a network, and where they do
 * not exist, it is the first profile that needs no official texts.
 */
export function chooseProfile(card: Card, asked: string | null | undefined, data: DataIdentity): Profile {
  const working = card.profiles.filter((profile) => missingFiles(profile, data).length === 0)
  if (asked != null) return namedProfile(card, asked, data, working)
  const preferred = working.find((profile) => profile.id === card.default_profile)
  if (preferred && data.source !== 'sample') return preferred
  const chosen = working.find((profile) => profile.texts.length === 0) ?? preferred ?? working[0]
  if (chosen) return chosen
  throw invalid(`${card.display_name} has no profile whose files are in its ${data.source} data.`)
}

/** In which profile and why a benchmark is not asked as its card's default says, for the plan; undefined when it is, or when it was asked for. */
export function profileNote(
  card: Card,
  asked: string | null | undefined,
  chosen: string,
  source: DataIdentity['source'],
): string | undefined {
  if (asked != null || chosen === card.default_profile) return undefined
  const why = source === 'sample' ? 'as the sample needs no network' : `as the ${source} data lack files of that profile`
  return `In profile ${chosen} instead of ${card.default_profile}, ${why}`
}

function namedProfile(card: Card, asked: string, data: DataIdentity, working: readonly Profile[]): Profile {
  const profile = card.profiles.find((one) => one.id === asked)
  if (!profile) throw invalid(`${card.display_name} has no profile ${JSON.stringify(asked)}; it has: ${names(card.profiles)}.`)
  if (working.includes(profile)) return profile
  const lacks = missingFiles(profile, data).join(' and ')
  const advice = working.length > 0 ? `Profiles that work on it: ${names(working)}.` : 'No profile works on it: choose other data.'
  throw invalid(
    `Profile ${profile.id} of ${card.display_name} needs the file ${lacks}, which its ${data.source} data do not have. ${advice}`,
  )
}

function missingFiles(profile: Profile, data: DataIdentity): string[] {
  return profile.files.filter((role) => !data.files.some((file) => file.role === role))
}

const names = (profiles: readonly Profile[]) => profiles.map((one) => one.id).join(', ')
const invalid = (message: string) => new RunRefused('validation', '/profile', message)
