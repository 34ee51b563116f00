import { pySpace } from '../../python/text.ts'
import type { Punkt } from './punkt.ts'

/** Characters that no word contains, to be put between brackets of a regular expression. */
export const noWordChars = String.raw`)";}\]*:@'({\[?!`

/** A token of a context. `isBreak` and `isShort` (abbreviation or ellipsis) change while the context is judged. */
export type PunktToken = { text: string; type: string; isBreak: boolean; isShort: boolean }

/** Bits of `Punkt.orthography`. */
const seen = { upperInside: 4, upper: 2 | 4 | 8, lowerFirst: 16, lower: 16 | 32 | 64 }

const space = `[${pySpace}]`
const manyChars = `-{2,}|\\.{2,}|(?:\\.${space}){2,}\\.`
const wordEnd = `$|${space}|[${noWordChars}]|--|\\.\\.|\\.${space}\\.${space}\\.`
const token = new RegExp(`${manyChars}|(?![("\`{[:;&#*@)}\\]\\-,])[^${pySpace}]+?(?=${wordEnd}|,(?:${wordEnd}))|[^${pySpace}]`, 'gu')
const number = /^-?[.,]?\p{Nd}[\p{Nd},.-]*$/u
const initial = /^[\p{L}\p{Nl}\p{No}_]\.$/u
const punctuation = new Set([';', ':', ',', '.', '!', '?'])

/** Tokens of a context, judged one by one (Punkt's first pass). */
export function punktTokens(context: string, punkt: Punkt): PunktToken[] {
  return context.split('\n').flatMap((line) => (line.match(token) ?? []).map((text) => firstPass(text, punkt)))
}

function firstPass(text: string, punkt: Punkt): PunktToken {
  const lower = text.toLowerCase()
  const token = { text, type: number.test(lower) ? '##number##' : lower, isBreak: false, isShort: false }
  if (text === '.' || text === '?' || text === '!') token.isBreak = true
  else if (/^\.\.+$/.test(text)) token.isShort = true
  else if (text.endsWith('.') && !text.endsWith('..')) {
    const word = lower.slice(0, -1)
    token.isShort = punkt.abbreviations.has(word) || punkt.abbreviations.has(word.slice(word.lastIndexOf('-') + 1))
    token.isBreak = !token.isShort
  }
  return token
}

/** Judges `token` again, knowing the one that follows it (Punkt's second pass). Changes `token.isBreak`. */
export function secondPass(token: PunktToken, next: PunktToken, punkt: Punkt): void {
  if (!token.text.endsWith('.')) return
  const type = withoutDot(token.type)
  const nextType = typeOf(next)
  if (punkt.collocations.has(`${type}\t${nextType}`)) {
    token.isBreak = false
    return
  }
  const isInitial = initial.test(token.text)
  const mayBreak = token.isShort && !isInitial
  const mayJoin = isInitial || type === '##number##'
  if (!mayBreak && !mayJoin) return
  const startsSentence = beginsSentence(next, punkt)
  if (mayBreak && (startsSentence === true || (isUpper(next.text) && punkt.sentenceStarters.has(nextType)))) {
    token.isBreak = true
    return
  }
  const alwaysUpper = isUpper(next.text) && ((punkt.orthography.get(nextType) ?? 0) & seen.lower) === 0
  if (mayJoin && (startsSentence === false || (startsSentence === undefined && isInitial && alwaysUpper))) token.isBreak = false
}

/** What the spelling of a token says about whether a sentence begins with it; undefined: nothing. */
function beginsSentence(token: PunktToken, punkt: Punkt): boolean | undefined {
  if (punctuation.has(token.text)) return false
  const bits = punkt.orthography.get(typeOf(token)) ?? 0
  if (isUpper(token.text) && (bits & seen.lower) !== 0 && (bits & seen.upperInside) === 0) return true
  if (isLower(token.text) && ((bits & seen.upper) !== 0 || (bits & seen.lowerFirst) === 0)) return false
  return undefined
}

function typeOf(token: PunktToken): string {
  return token.isBreak ? withoutDot(token.type) : token.type
}

function withoutDot(type: string): string {
  return type.length > 1 && type.endsWith('.') ? type.slice(0, -1) : type
}

function isUpper(text: string): boolean {
  return /^\p{Uppercase}/u.test(text)
}

function isLower(text: string): boolean {
  return /^\p{Lowercase}/u.test(text)
}
