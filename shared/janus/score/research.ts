import { lower } from '../../python/text.ts'
import { NoPythonJson, type PythonJson, readPythonJson } from '../../scorers/python-json-value.ts'
import type { Version } from './phrases.ts'
import { clamp01 } from './ramp.ts'

const attributions = ['according to', 'source:', 'sources:', 'search results', 'reported by', 'as reported by', 'from the report']
const citation = /https?:\/\/|www\.|\[[0-9]+\]|\(source\)/iu

/** Whether an answer speaks of where it has something from: all that the official measure knows of a search. */
export const tellsSources = (text: string): boolean => {
  const small = lower(text)
  return attributions.some((phrase) => small.includes(phrase))
}

/** Whether an answer cites: an address, `[1]` or `(source)`. */
export const cites = (text: string): boolean => citation.test(text)

/** Research: seven tenths what a judge gave and three tenths the share of facts found; the other where one is unknown, null where both are. */
export function researchScore(judge: number | null, facts: number | null): number | null {
  if (judge !== null && facts !== null) return clamp01(judge * 0.7 + facts * 0.3)
  return judge === null && facts === null ? null : clamp01(judge ?? facts!)
}

const aspects = ['factual_accuracy', 'source_quality', 'completeness', 'synthesis', 'citation']

/**
 * The score in a judge's reply, between 0 and 1: `score`, else `overall_score`, else the mean of the five aspects that are there. Null where the
 * reply holds no JSON object with one of them. NaN is 1 officially, as Python's `min(1.0, nan)` is; `v2` knows no such number.
 */
export function judgeScore(reply: string, version: Version): number | null {
  const found = objectIn(reply)
  if (!found || found.size === 0) return null
  for (const name of ['score', 'overall_score']) if (found.has(name)) return clamped(rawNumber(found.get(name)), version)
  const numbers = aspects.flatMap((name) => rawNumber(found.get(name)) ?? [])
  return numbers.length === 0 ? null : clamped(numbers.reduce((sum, one) => sum + one, 0) / numbers.length, version)
}

function clamped(number: number | null, version: Version): number | null {
  if (number === null) return null
  if (Number.isNaN(number)) return version === 'v1' ? 1 : null
  return clamp01(number)
}

/** A number as Python sees one: true and false are numbers too. */
function rawNumber(value: PythonJson | undefined): number | null {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : null
}

/** The JSON object that a text is or holds between its first and its last brace. */
function objectIn(text: string): Map<string, PythonJson> | null {
  for (const candidate of [text, /\{[\s\S]*\}/u.exec(text)?.[0]]) {
    if (!candidate) continue
    try {
      const value = readPythonJson(candidate, 4300)
      if (value instanceof Map) return value
    } catch (error) {
      if (!(error instanceof NoPythonJson)) throw error
    }
  }
  return null
}
