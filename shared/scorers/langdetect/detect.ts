import { pythonRandom } from '../../random/python-random.ts'
import { cleanText } from './clean-text.ts'
import { knownGrams } from './ngrams.ts'
import type { LangdetectProfiles } from './profiles.ts'

export { langdetectProfiles } from './profiles.ts'

const seed = 0
const trials = 7
const alphaMean = 0.5
const alphaWidth = 0.05
const baseFrequency = 10_000
const longestTrial = 1_000
const sure = 0.99999
const leastProbability = 0.1

/**
 * `langdetect.detect(text)` of langdetect 1.0.9 with `DetectorFactory.seed = 0` (reference: benchmarks-qa D).
 * 'unknown' when no language is likely enough; null where Python raises because the text has no known n-gram.
 */
export function detectLanguage(text: string, profiles: LangdetectProfiles): string | null {
  const grams = knownGrams(cleanText(text, profiles.messages), profiles)
  if (grams.length === 0) return null
  const mean = new Float64Array(profiles.languages.length)
  const random = pythonRandom(seed)
  for (let trial = 0; trial < trials; trial++) {
    const alpha = alphaMean + random.gauss(0, 1) * alphaWidth
    const found = converge(profiles, alpha / baseFrequency, () => random.choice(grams))
    for (let i = 0; i < mean.length; i++) mean[i]! += found[i]! / trials
  }
  let best: string | null = null
  let most = leastProbability
  for (const [i, language] of profiles.languages.entries()) {
    if (mean[i]! > most) {
      most = mean[i]!
      best = language
    }
  }
  return best ?? 'unknown'
}

/** One trial: n-grams drawn at random move the probabilities until one language is sure; `weight` smooths. */
function converge(profiles: LangdetectProfiles, weight: number, draw: () => number): Float64Array {
  const { starts, language, probability, languages } = profiles
  const current = new Float64Array(languages.length).fill(1 / languages.length)
  const factors = new Float64Array(languages.length)
  for (let step = 0; ; step++) {
    const gram = draw()
    factors.fill(weight)
    for (let at = starts[gram]!; at < starts[gram + 1]!; at++) factors[language[at]!]! += probability[at]!
    for (let i = 0; i < current.length; i++) current[i]! *= factors[i]!
    if (step % 5 === 0 && (normalize(current) > sure || step >= longestTrial)) return current
  }
}

/** Scales to a sum of 1; the greatest share. */
function normalize(shares: Float64Array): number {
  let sum = 0
  for (const share of shares) sum += share
  let greatest = 0
  for (let i = 0; i < shares.length; i++) {
    shares[i]! /= sum
    greatest = Math.max(greatest, shares[i]!)
  }
  return greatest
}
