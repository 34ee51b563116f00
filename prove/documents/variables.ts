import type { Tree } from '../architecture/source-tree.ts'
import { isForTests } from '../architecture/tables.ts'

const name = '[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*'
/** How code reads a variable of its environment: a property, a destructured name, a key of a schema or of the Worker's `Env`, or a text with one of our prefixes. */
const reads: readonly RegExp[] = [
  new RegExp(`\\b(?:env|given)\\??\\.(${name})\\b`, 'g'),
  new RegExp(`^\\s+(${name})\\??: (?:z$|z\\.|string\\b|checked\\(|Headers\\b|\\{ off)`, 'gm'),
  /'((?:BENCH|CHUTES|OPENAI|OPENROUTER|LMSTUDIO|HF|GITHUB|OTEL|SANDY|JANUS|MAINTENANCE|MAX|HTTPS?|ALL|NO|DOCKER)_[A-Z0-9_]+)'/g,
]
const destructured = /\{([^{}]*)\}\s*(?:=\s*(?:process\.env|env|io\.env)\b|: Record<string, string \| undefined>)/g

/** Variables that a source file reads from an environment. */
export function variablesRead(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const whole = reads.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!))
  const parts = [...code.matchAll(destructured)].flatMap((match) => match[1]!.split(',').map((one) => one.trim().split(/[:=\s]/)[0]!))
  return [...whole, ...parts.filter((one) => new RegExp(`^${name}$`).test(one))]
}

/** Variables that the programs read, each with the first file that does. Tests, proofs and tools of developers are apart. */
export function productVariables(tree: Tree): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, text] of tree) {
    if (
      !/^(edge|fleet|db|shared|web\/src)\/.*\.(ts|tsx|mjs)$|^[a-z]+\.mjs$/.test(path) ||
      /^test\.mjs$|\.contract\.ts$/.test(path) ||
      isForTests(path)
    )
      continue
    for (const variable of variablesRead(text)) if (!found.has(variable)) found.set(variable, path)
  }
  return found
}

/** `NAME` of `${NAME…}` and of `NAME:` in a compose file's `environment`, or of `$NAME` in a script. */
export const variablesInScript = (text: string): string[] => [
  ...[...text.matchAll(/\$\{?([A-Z][A-Z0-9_]+)/g)].map((match) => match[1]!),
  ...[...text.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map((match) => match[1]!),
]

/** Names of variables in a passage of a document: with an underscore, or one of the short ones that the programs have. */
export function variablesNamed(passage: string): string[] {
  const long = [...passage.matchAll(/(?<![A-Za-z0-9_-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![A-Za-z0-9_])/g)].map((match) => match[1]!)
  const short = [...passage.matchAll(/(?<![A-Za-z0-9_-])(PORT|HOST|VERSION|LOCAL|SAMPLES|PROVIDERS|CHROMIUM)(?![A-Za-z0-9_-])/g)].map(
    (match) => match[1]!,
  )
  return [...long, ...short]
}
