import { unknownSign } from './cursor.ts'

const skipped =
  /^(?:[ \t\r\n]+|\\[,:;!*\-./"(=]|\\(?:thinspace|medspace|thickspace|quad|qquad|negthinspace|negmedspace|negthickspace|left|right|vrule|vcenter|vbox|vskip|vspace|hfil)(?![a-zA-Z]))/
const token = /^(?:\\[a-zA-Z]+|\\[{}]|(?:&[ \t\r\n]*)?=|[-+*/(){}[\]|_^:<>!,.]|'+|[a-zA-Z0-9])/

/** The tokens of a LaTeX formula as SymPy's lexer cuts it (sympy 1.13, LaTeX.g4): digits one by one, spaces left out. */
export function latexTokens(text: string): string[] {
  const found: string[] = []
  for (let rest = text; rest !== ''; ) {
    const space = skipped.exec(rest)?.[0]
    const sign = space ?? token.exec(rest)?.[0]
    if (space === undefined) found.push(sign === undefined ? unknownSign : sign.replace(/[&\s]/g, ''))
    rest = rest.slice((sign ?? [...rest][0]!).length)
  }
  return found
}
