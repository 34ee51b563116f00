import { pySpace, pyWord, splitSpace } from '../../python/text.ts'
import type { Punkt } from './punkt.ts'
import { remember } from './remember.ts'
import { splitSentences } from './sentences.ts'

type Rewrite = (text: string) => string
/** Rewrites that change nothing in a text without `where`. */
type Step = { where: RegExp; rewrites: readonly Rewrite[] }

const before = `(?<![${pyWord}])`
const after = `(?![${pyWord}])`
/** Letters that Python takes for the same without regard to case. By hand: the `i` flag would also take U+0345 for a letter. */
const alike: Readonly<Record<string, string>> = { i: 'iI\u0131\u0130', s: 'sS\u017f' }
const clitics = ['re', 've', 'll', 'm', 't', 's', 'd', 'n'].map(anyCase).join('|')

const openingQuotes: Step = {
  where: /[«“‘„`"']/,
  rewrites: [
    replacing(/[«“‘„]|`+/g, ' $& '),
    replacing(/^"/, '``'),
    replacing(/``/g, ' `` '),
    replacing(/([ ([{<])(?:"|'')/g, '$1 `` '),
    replacing(new RegExp(`'(?!${clitics})([${pyWord}])${after}`, 'gu'), "' $1"),
  ],
}

const punctuation: Step = {
  where: /[:,;@#$%&?!*'\][(){}<>]|\.\.|--/,
  rewrites: [
    replacing(/([:,])(\P{Nd})/gu, ' $1 $2'),
    replacing(/[:,](?=\n?$)/g, ' $& '),
    replacing(/\.{2,}/g, ' $& '),
    replacing(/[;@#$%&?!]/g, ' $& '),
    replacing(/([^'])' /gu, "$1 ' "),
    replacing(/[*\][(){}<>]/g, ' $& '),
    replacing(/--/g, ' -- '),
  ],
}

const closingQuotes: Step = {
  where: /[»”’'"]/,
  rewrites: [
    replacing(/[»”’]/g, ' $& '),
    replacing(/''/g, " '' "),
    replacing(/"/g, " '' "),
    replacing(new RegExp(`[${pySpace}]+`, 'gu'), ' '),
    replacing(/([^' ])('[sSmMdD]|') /gu, '$1 $2 '),
    replacing(/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /gu, '$1 $2 '),
  ],
}

const contractions: Step = {
  where: new RegExp(['cannot', "d'ye", 'gimme', 'gonna', 'gotta', 'lemme', "more'n", 'wanna', "'tis", "'twas"].map(anyCase).join('|')),
  rewrites: [
    ...['can not', "d 'ye", 'gim me', 'gon na', 'got ta', 'lem me', "more 'n"].map((pair) => split(before, pair, after)),
    split(before, 'wan na', `(?=[${pySpace}])`),
    ...["'t is", "'t was"].map((pair) => split(' ', pair, after)),
  ],
}

/** Word tokens of a text as `nltk.word_tokenize` of NLTK 3.9.2 gives them; total, in linear time. Source: nltk/tokenize/destructive.py. */
export function wordTokens(text: string, punkt: Punkt): string[] {
  return splitSentences(text, punkt).flatMap(remember(tokensOf))
}

/** NLTK's second rule for a final dot is left out: after the first it only adds spaces. */
function tokensOf(sentence: string): string[] {
  const punctuated = apply(punctuation, splitFinalDot(apply(openingQuotes, sentence)))
  return splitSpace(apply(contractions, apply(closingQuotes, ` ${punctuated} `)))
}

function apply({ where, rewrites }: Step, text: string): string {
  return where.test(text) ? rewrites.reduce((rewritten, rewrite) => rewrite(rewritten), text) : text
}

/** To look for a pattern costs much less than to replace one that is not there, and most sentences are short. */
function replacing(pattern: RegExp, replacement: string): Rewrite {
  const probe = new RegExp(pattern.source, pattern.flags.replace('g', ''))
  return (text) => (probe.test(text) ? text.replace(pattern, replacement) : text)
}

/** Puts spaces around both parts of a word like `can not` where it is written as one. */
function split(start: string, pair: string, end: string): Rewrite {
  const parts = pair.split(' ').map((part) => `(${anyCase(part)})`)
  return replacing(new RegExp(`${start}${parts.join('')}${end}`, 'gu'), ' $1 $2 ')
}

function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${alike[letter] ?? letter + letter.toUpperCase()}]`)
}

const closers = /^[\])}>"'»”’ ]*/
const onlySpaces = new RegExp(`^[${pySpace}]*$`)

/** Splits off a single dot that only closing characters and spaces follow. By hand: as one pattern the two runs of spaces would backtrack. */
function splitFinalDot(text: string): string {
  const dot = text.lastIndexOf('.')
  if (dot < 1 || text[dot - 1] === '.') return text
  const closing = closers.exec(text.slice(dot + 1))![0] // matches the empty text too
  if (!onlySpaces.test(text.slice(dot + 1 + closing.length))) return text
  return `${text.slice(0, dot)} . ${closing} `
}
