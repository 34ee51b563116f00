import { pySpace, pyWord, strip } from '../python-text.ts'
import type { Punkt } from './punkt.ts'
import { splitSentences } from './sentences.ts'

type Rewrite = (text: string) => string

const spaces = new RegExp(`[${pySpace}]+`, 'gu')
const onlySpaces = new RegExp(`^[${pySpace}]*$`, 'u')
const before = `(?<![${pyWord}])`
const after = `(?![${pyWord}])`
/** Python folds both Turkish i's into `i`. */
const i = '[i\u0131\u0130]'

/** Rewrites of NLTK's word tokenizer in its order; the words then stand between spaces. */
const rewrites: readonly Rewrite[] = [
  replacing(/[«“‘„]|`+/gu, ' $& '),
  replacing(/^"/u, '``'),
  replacing(/``/gu, ' `` '),
  replacing(/([ ([{<])(?:"|'')/gu, '$1 `` '),
  replacing(new RegExp(`'(?!re|ve|ll|m|t|s|d|n)([${pyWord}])${after}`, 'giu'), "' $1"),
  (text) => splitFinalDot(text, /^[\])}>"'»”’ ]*/u, ' '),
  replacing(/([:,])(\P{Nd})/gu, ' $1 $2'),
  replacing(/[:,](?=\n?$)/gu, ' $& '),
  replacing(/\.{2,}/gu, ' $& '),
  replacing(/[;@#$%&]/gu, ' $& '),
  (text) => splitFinalDot(text, /^[\])}>"']*/u, ''),
  replacing(/[?!]/gu, ' $& '),
  replacing(/([^'])' /gu, "$1 ' "),
  replacing(/[*]/gu, ' $& '),
  replacing(/[\][(){}<>]/gu, ' $& '),
  replacing(/--/gu, ' -- '),
  (text) => ` ${text} `,
  replacing(/[»”’]/gu, ' $& '),
  replacing(/''/gu, " '' "),
  replacing(/"/gu, " '' "),
  replacing(spaces, ' '),
  replacing(/([^' ])('[sSmMdD]|') /gu, '$1 $2 '),
  replacing(/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /gu, '$1 $2 '),
  ...['(can)(not)', "(d)('ye)", `(g${i}m)(me)`, '(gon)(na)', '(got)(ta)', '(lem)(me)', "(more)('n)"].map((pair) =>
    replacing(new RegExp(`${before}${pair}${after}`, 'giu'), ' $1 $2 '),
  ),
  replacing(new RegExp(`${before}(wan)(na)(?=[${pySpace}])`, 'giu'), ' $1 $2 '),
  ...[`${i}s`, 'was'].map((verb) => replacing(new RegExp(` ('t)(${verb})${after}`, 'giu'), ' $1 $2 ')),
]

/** Word tokens of a text as `nltk.word_tokenize` of NLTK 3.9.2 gives them; total, in linear time. Source: nltk/tokenize/destructive.py. */
export function wordTokens(text: string, punkt: Punkt): string[] {
  return splitSentences(text, punkt).flatMap((sentence) => {
    const spaced = strip(rewrites.reduce((rewritten, rewrite) => rewrite(rewritten), sentence))
    return spaced === '' ? [] : spaced.split(spaces)
  })
}

function replacing(pattern: RegExp, replacement: string): Rewrite {
  return (text) => text.replace(pattern, replacement)
}

/** Splits off a single dot that only `closers` and spaces follow. By hand: as one pattern the two runs of spaces would backtrack. */
function splitFinalDot(text: string, closers: RegExp, between: string): string {
  const dot = text.lastIndexOf('.')
  if (dot < 1 || text[dot - 1] === '.') return text
  const closing = closers.exec(text.slice(dot + 1))![0]
  if (!onlySpaces.test(text.slice(dot + 1 + closing.length))) return text
  return `${text.slice(0, dot)} .${between}${closing} `
}
