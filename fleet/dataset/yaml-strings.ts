import { parseAllDocuments, visit } from 'yaml'

/**
 * Text of every scalar of a YAML file that is neither a key nor empty, in order; one that is no text (a number, `true`) comes as it is written. Of a file with
 * errors it gives what could be read.
 */
export function readYamlStrings(text: string): string[] {
  const found: string[] = []
  for (const document of parseAllDocuments(text, { schema: 'failsafe', strict: false, uniqueKeys: false, logLevel: 'silent' })) {
    if (!('contents' in document)) continue
    visit(document, {
      Scalar(role, { value, type, range }) {
        if (role === 'key' || typeof value !== 'string') return
        // The library ends a block that the file's end cuts off with a newline; PyYAML, by which the official harnesses read theirs, does not.
        const isCutOff = type?.startsWith('BLOCK') && range?.[1] === text.length && !text.endsWith('\n') && value.endsWith('\n')
        const scalar = isCutOff ? value.slice(0, -1) : value
        if (scalar !== '') found.push(scalar)
      },
    })
  }
  return found
}
