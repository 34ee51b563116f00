import { lower, strip } from '../../python/text.ts'
import { holds, shareHeld, type Version } from './phrases.ts'

/** A picture that an answer shows: its bytes in the text, or an address. `format` is as the answer names it, empty where it does not. */
export type ShownPicture = {
  source: 'data' | 'address'
  format: string
  /** What its bytes say; null where they were not there or could not be read. */
  read: { format: string; width: number; height: number; color: string | null } | null
}

/** What is expected of an item with pictures. */
export type PictureFacts = {
  subtype: string
  has_image_input: boolean
  expected_keywords?: readonly string[]
  expected_elements?: readonly string[]
  min_matches?: number
  expected?: readonly string[]
  expected_behavior?: string
  indicators?: Readonly<Record<string, readonly string[] | undefined>>
  check_format?: string
  min_side_px?: number
  dominant_color?: string | undefined
  aspect?: string | undefined
}

/** How pictures were dealt with, by sub-type; 0 for an empty answer. Where no sub-type is known: whether a picture that was shown is spoken of. */
export function multimodalScore(facts: PictureFacts, text: string, pictures: readonly ShownPicture[], version: Version): number {
  if (strip(text) === '') return 0
  if (facts.subtype === 'image_generation') return version === 'v1' ? officialPicture(facts, pictures) : pictureScore(facts, pictures)
  if (facts.subtype === 'image_understanding') return elementsScore(text, facts.expected_elements ?? [], facts.min_matches ?? 1, version)
  if (facts.subtype === 'mixed_media') {
    const expected = facts.expected ?? []
    return expected.length === 0 ? 0.5 : expected.some((phrase) => holds(text, phrase, version)) ? 1 : 0
  }
  if (facts.subtype === 'modality_routing') return routingScore(facts, text, pictures, version)
  return spokenOf(facts, text, version)
}

const best = (pictures: readonly ShownPicture[]): ShownPicture | undefined =>
  pictures.find(({ source }) => source === 'data') ?? pictures[0]

/** Formats that are allowed, `a|b`. */
const allowed = (check: string | undefined): string[] =>
  (check ?? '').split('|').flatMap((part) => (strip(part) === '' ? [] : [lower(strip(part))]))

/** The official measure where there is no CLIP: 0 without a picture, 0.2 for a format that is not allowed, else 0.8. */
function officialPicture({ check_format }: PictureFacts, pictures: readonly ShownPicture[]): number {
  const picture = best(pictures)
  if (!picture) return 0
  const formats = allowed(check_format)
  return formats.length > 0 && picture.format !== '' && !formats.includes(lower(picture.format)) ? 0.2 : 0.8
}

const jpg = (format: string): string => (format === 'jpeg' ? 'jpg' : format)

/**
 * `v2`: 0 without a picture; 0.2 where its bytes are not there, cannot be read or have a format that is not allowed; else a half, and the other half by the
 * share of what the item asks of it that holds: its size, its form, its colour.
 */
function pictureScore(facts: PictureFacts, pictures: readonly ShownPicture[]): number {
  const picture = best(pictures)
  if (!picture) return 0
  const formats = allowed(facts.check_format).map(jpg)
  if (!picture.read || (formats.length > 0 && !formats.includes(jpg(picture.read.format)))) return 0.2
  const { width, height, color } = picture.read
  const met: boolean[] = []
  if (facts.min_side_px !== undefined) met.push(Math.min(width, height) >= facts.min_side_px)
  if (facts.aspect !== undefined) met.push(aspectOf(width, height) === facts.aspect)
  if (facts.dominant_color !== undefined && color !== null) met.push(color === facts.dominant_color)
  return 0.5 + 0.5 * (met.length === 0 ? 1 : met.filter(Boolean).length / met.length)
}

/** A picture is square within a tenth. */
const aspectOf = (width: number, height: number): string =>
  Math.abs(width - height) <= 0.1 * Math.max(width, height) ? 'square' : width > height ? 'wide' : 'tall'

/** 1 from so many elements on, else their share of it; 0.5 where none are expected. */
export function elementsScore(text: string, elements: readonly string[], least: number, version: Version): number {
  if (elements.length === 0) return 0.5
  const found = elements.filter((element) => holds(text, element, version)).length
  if (found >= least) return 1
  return found > 0 && least > 0 ? found / least : 0
}

/** 1 for a phrase of the expected behaviour, 0 for one of another, 0.5 for neither. `v2`: a picture is what makes one, and neither is 0. */
function routingScore(facts: PictureFacts, text: string, pictures: readonly ShownPicture[], version: Version): number {
  const { expected_behavior = '', indicators = {} } = facts
  if (expected_behavior === '' || Object.keys(indicators).length === 0) return 0
  const shows = (behavior: string): boolean => (indicators[behavior] ?? []).some((phrase) => holds(text, phrase, version))
  if (version === 'v2') {
    const made = pictures.length > 0
    if (expected_behavior === 'generate_image') return made ? 1 : 0
    return made ? 0 : indicators[expected_behavior] && !shows(expected_behavior) ? 0.5 : 1
  }
  if (shows(expected_behavior)) return 1
  return Object.keys(indicators).some((behavior) => behavior !== expected_behavior && shows(behavior)) ? 0 : 0.5
}

const pictureWords = ['image', 'picture', 'photo', 'see', 'shows', 'appears', 'visible', 'display', 'color', 'pixel']

/** 1 where no picture was shown; 0.2 where it is not spoken of; else half and the other half by keywords, 0.8 where there are none. */
function spokenOf({ has_image_input, expected_keywords = [] }: PictureFacts, text: string, version: Version): number {
  if (!has_image_input) return 1
  const small = lower(text)
  if (!pictureWords.some((word) => small.includes(word))) return 0.2
  return expected_keywords.length === 0 ? 0.8 : 0.5 + 0.5 * shareHeld(text, expected_keywords, version)
}
