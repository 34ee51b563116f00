import { type Source, type Tree, type Violation, visit } from './source-tree.ts'

const comment = /(?:\/\/|\/\*|^\s*\*|^\s*#|<!--)/
const unfinished = /\b(?:TODO|FIXME)\b/
const suppression = /(?:\/\/|\/\*)\s*(?:biome-ignore\b|@ts-(?:expect-error|ignore|nocheck)\b)/
const reasoned = /biome-ignore(?:-\w+)? [\w/]+(?:\([^)]*\))?: (?!<explanation>)\S+ ?\S*.*|@ts-expect-error:? \S{2,}.*/

/** Notes that something is unfinished, and switched-off checks without a reason on their line. Strings of code files are no notes. */
export function checkComments(sources: readonly Source[], tree: Tree): Violation[] {
  const others = [...tree].filter(([path]) => /\.(css|md)$/.test(path)).map(([path, text]) => ({ path, text }))
  return [...sources.map(withoutStrings), ...others].flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const message = problemOf(line, !path.endsWith('.md'))
      return message === undefined ? [] : [{ path, line: index + 1, message }]
    }),
  )
}

function withoutStrings({ path, text, program }: Source): { path: string; text: string } {
  if (!unfinished.test(text) && !suppression.test(text)) return { path, text: '' }
  let rest = text
  visit(program, (node) => {
    if (node.type !== 'Literal' && node.type !== 'TemplateElement' && node.type !== 'JSXText') return
    rest = rest.slice(0, node.start) + rest.slice(node.start, node.end).replace(/[^\n]/g, ' ') + rest.slice(node.end)
  })
  return { path, text: rest }
}

function problemOf(line: string, isCode: boolean): string | undefined {
  const note = isCode ? line.slice(comment.exec(line)?.index ?? line.length) : line.replace(/`[^`]*`/g, '')
  if (unfinished.test(note)) return 'says that something is unfinished: finish it, or open an issue'
  if (isCode && suppression.test(line) && !reasoned.test(line)) return 'switches a check off without a reason on its line'
  return undefined
}
