import type { Item } from '../../contract/item.ts'

/** What a model would answer to a problem of the sample, which says in backquotes what is to be computed. Other problems get a program that fails. */
export function demoAnswer({ metadata }: Pick<Item, 'metadata'>, right: boolean): string {
  const formula = /`([^`]+)`\.$/m.exec(String(metadata.question))?.[1] ?? '0'
  const value = right ? formula : `${formula} + 1`
  const starter = String(metadata.starter_code)
  const program = starter === '' ? `a = int(input())\nb = int(input())\nprint(${value})` : `${starter}return ${value}`
  return `The value follows from the two numbers at once.\n\n\`\`\`python\n${program}\n\`\`\`\n`
}
