import { createHash } from 'node:crypto'
import { CatalogueTask } from '#shared/benchmarks/code_tasks/catalogue-task.ts'

/** What the card says of a packed catalogue, as the code that says it. */
export function pinText(packed: string): string {
  const rows = packed
    .trimEnd()
    .split('\n')
    .map((line) => CatalogueTask.parse(JSON.parse(line)).language)
  const groups = [...new Set(rows)].sort().map((language) => `${language}: ${rows.filter((one) => one === language).length}`)
  const sha256 = createHash('sha256').update(packed).digest('hex')
  return `/** What \`catalogue.jsonl\` is: written by \`npm run pack-tasks\`. */
export const packed = {
  sha256: '${sha256}',
  rows: ${rows.length},
  groups: { ${groups.join(', ')} },
}
`
}
