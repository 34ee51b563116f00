import type { Tree } from '../architecture/source-tree.ts'
import { knownPrograms } from './foreign-commands.ts'
import { type Document, readDocument } from './read-document.ts'
import { readShell } from './read-shell.ts'

/** A command that a document shows. `mention`: a sentence names it, so that arguments may be left out. */
export type ShownCommand = {
  path: string
  line: number
  words: readonly string[]
  variables: Readonly<Record<string, string>>
  mention: boolean
}

/** Markdown that speaks to people who use, run or change the program; tasks and catalogues are data. */
export const isGuide = (path: string): boolean => path.endsWith('.md') && !/\/(catalogue|tasks|testing)\//.test(path)

export const readGuides = (tree: Tree): Document[] =>
  [...tree].filter(([path]) => isGuide(path)).map(([path, text]) => readDocument(path, text))

/** Languages of fenced blocks, and whether a block of it holds commands. */
const languages: Readonly<Record<string, boolean>> = { sh: true, mermaid: false, text: false }

/** Commands of the fenced blocks and spans of a document. Throws for a block in a language that nobody reads. */
export function commandsOf({ path, fences, spans }: Document): ShownCommand[] {
  const blocks = fences.flatMap(({ language, text, line }) => {
    if (languages[language] === undefined)
      throw new Error(`${path}:${line - 1} a block needs a language: ${Object.keys(languages).join(', ')}`)
    return languages[language] ? read(path, line, text, false) : []
  })
  return [...blocks, ...spans.flatMap(({ text, line }) => inSentence(path, line, text))]
}

/** Commands behind two spaces in the comments of a file for deployment. */
export function commandsInComments(path: string, text: string): ShownCommand[] {
  return text.split('\n').flatMap((line, at) => {
    const shown = /^\s*#.*?\s{2,}((?:bench|docker compose|npm) .+)$/.exec(line)?.[1]
    return shown === undefined ? [] : read(path, at + 1, shown, true)
  })
}

/** Commands that a page shows as code. */
export function commandsOfPage(path: string, text: string): ShownCommand[] {
  return [...text.matchAll(/<code[^>]*>([^<{]+)<\/code>/g)].flatMap(({ 1: code = '', index }) =>
    inSentence(path, text.slice(0, index).split('\n').length, code.replaceAll(/\s+/g, ' ').trim()),
  )
}

/** Examples of a help text: lines of a command, and behind three spaces what it is for. */
export function examplesOf(name: string, help: string): ShownCommand[] {
  const [, examples = ''] = help.split('\nExamples:\n')
  return examples.split('\n').flatMap((line) => read(`bench ${name} --help`, 0, line.trim().split(/ {3,}/)[0]!, false))
}

function inSentence(path: string, line: number, text: string): ShownCommand[] {
  const [first = ''] = text.split(' ').filter((word) => !/^[A-Z_]+=/.test(word))
  if (!knownPrograms.has(first) || (first === text && first !== 'bench')) return []
  return alternatives(text.replaceAll(/<([\w-]+)>/g, '$1')).flatMap((one) => read(path, line, one, true))
}

/** `a|b c` is `a c` and `b c`. */
function alternatives(text: string): string[] {
  const [whole, choices] = /(?<=^| )([\w-]+(?:\|[\w-]+)+)(?= |$)/.exec(text) ?? []
  return whole === undefined ? [text] : choices!.split('|').flatMap((one) => alternatives(text.replace(whole, one)))
}

function read(path: string, line: number, script: string, mention: boolean): ShownCommand[] {
  return readShell(script).map((command) => ({
    path,
    line: line + command.line,
    words: command.words.filter((word) => word !== '…'),
    variables: command.variables,
    mention,
  }))
}
