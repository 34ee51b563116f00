import { sha256Hex } from '#sha256'

/** The steps whose code is given (reference 2.4), with the hash of what the official extraction makes of it. */
export const givenSteps = {
  '13.6': { text: 'given_13_6', name: '__init__', extracted: 'eb9013b0c5adca324120498a46efb3a3ecac73177e8a3cf52826736656ee55b4' },
  '62.1': { text: 'given_62_1', name: '__init__', extracted: '8f622de83adde9a9cf535125a87690ca6bbd5c63dffb231bc4a1f59f835617d9' },
  '76.3': { text: 'given_76_3', name: 'generate_dna', extracted: 'ff372b004368f5e2dfa3133ea9c9d285b53776360dbabd77f09b9aac34f16cc1' },
} as const

/** The whole file, or the one function of it that the official code finds by the header and prints anew from its syntax tree. */
export type GivenReading = 'verbatim' | 'official-extract'

/**
 * The code of a given step; null for a step that is not given. Throws for a text of which the official extraction would make something else: the
 * texts are pinned, so that is a fault of this program.
 */
export function givenCode(step: string, texts: Readonly<Record<string, string>>, reading: GivenReading): string | null {
  if (!Object.hasOwn(givenSteps, step)) return null
  const { text, name, extracted } = givenSteps[step as keyof typeof givenSteps]
  const whole = texts[text]
  if (whole === undefined) return null
  if (reading === 'verbatim') return whole
  const code = printedAnew(functionOf(whole, name))
  if (sha256Hex(code) !== extracted) throw new Error(`the code of step ${step} is not what the official extraction makes of it`)
  return code
}

/** The lines of the first function of this name, and how far it is indented. */
function functionOf(source: string, name: string): { lines: string[]; indent: number } {
  const lines = source.split('\n')
  const first = lines.findIndex((line) => line.trim().startsWith(`def ${name}(`))
  const indent = lines[first]!.search(/\S/)
  const length = lines.slice(first + 1).findIndex((line) => line.trim() !== '' && line.search(/\S/) <= indent)
  return { lines: lines.slice(first, length < 0 ? undefined : first + 1 + length), indent }
}

const quotes = /'''|"""/
const opened = (line: string): number => (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0)

/**
 * A function as Python's `ast.unparse` prints it, as far as the three texts need that: comments and blank lines go, statements stand on one line, and
 * spaces, quotes and parentheses are uniform. The inside of a docstring stays as it is.
 */
function printedAnew({ lines, indent }: { lines: string[]; indent: number }): string {
  const printed: string[] = []
  let inDocstring = false
  for (const raw of lines) {
    const line = inDocstring ? raw : raw.slice(indent).trimEnd()
    if (inDocstring || quotes.test(line)) {
      printed.push(line.replace(quotes, '"""'))
      if (quotes.test(line)) inDocstring = !inDocstring
      continue
    }
    const code = line.replace(/\s*#.*$/, '')
    if (code.trim() === '') continue
    const last = printed.at(-1) ?? ''
    if (opened(last) > 0 && !last.includes('"""')) printed[printed.length - 1] = `${last} ${code.trim()}`
    else printed.push(code)
  }
  let inside = false
  return printed
    .map((line) => {
      const around = line.includes('"""')
      if (around) inside = !inside
      return around || inside ? line : uniform(line)
    })
    .join('\n')
}

/** One statement. */
function uniform(line: string): string {
  const indent = ' '.repeat(line.search(/\S/))
  return (
    indent +
    line
      .trim()
      .replace(/"(\w+)"/g, "'$1'")
      .replace(/\s+=\s+/, ' = ')
      .replace(/,(?=\S)/g, ', ')
      .replace(/':(?=')/g, "': ")
      .replace(/(?<=[\w)\]])\s*(\*\*|[-+*/])\s*(?=[\w(])/g, ' $1 ')
      .replace(/\.join\((.* for .*)\)$/, '.join(($1))')
      .replace(/^return (.*,.*)$/, 'return ($1)')
  )
}
