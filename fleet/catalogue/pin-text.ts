import { createHash } from 'node:crypto'
import { CatalogueTask } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { TaskRow, taskOf } from '#shared/episode/task-row.ts'
import { groupOfLine } from './janus/pack-items.ts'

/** What the card says of a packed catalogue, as the code that says it. */
export const pinText = (packed: string): string => pinOf('catalogue.jsonl', packed, (line) => CatalogueTask.parse(line).language)

/** The same of packed tasks in Harbor's format, whose groups are their categories. */
export const pinTasks = (packed: string): string =>
  pinOf('tasks.jsonl', packed, (line) => String(taskOf(TaskRow.parse(line)).about.metadata.category))

/** The same of an item file of the Janus suite, by its groups. */
export const pinItems = (packed: string): string => pinOf('items.jsonl', packed, groupOfLine)

function pinOf(file: string, packed: string, groupOf: (line: unknown) => string): string {
  const rows = packed
    .trimEnd()
    .split('\n')
    .map((line) => groupOf(JSON.parse(line)))
  const groups = [...new Set(rows)]
    .sort()
    .map((group) => `${/^\w+$/.test(group) ? group : `'${group}'`}: ${rows.filter((one) => one === group).length}`)
  const line = `  groups: { ${groups.join(', ')} },`
  const shown = line.length > 140 ? `  groups: {\n${groups.map((group) => `    ${group},\n`).join('')}  },` : line
  const sha256 = createHash('sha256').update(packed).digest('hex')
  return `/** What \`${file}\` is: written by \`npm run pack-tasks\`. */
export const packed = {
  sha256: '${sha256}',
  rows: ${rows.length},
${shown}
}
`
}
