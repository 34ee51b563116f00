import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { janusBenchmarks } from '#shared/janus/item-schema.ts'
import { itemJsonSchema, packItems } from './janus/pack-items.ts'
import { packCatalogue } from './pack-catalogue.ts'
import { packTerminalTasks } from './pack-terminal-tasks.ts'
import { pinItems, pinTasks, pinText } from './pin-text.ts'
import { sampleArchives } from './sample-archives.ts'

/**
 * `npm run pack-tasks`: makes the packed tasks of the program anew, and the figures that their cards pin; those of code from another folder where one is
 * named. Pictures of the Janus suite are drawn anew into its items.
 */
const benchmarks = join(import.meta.dirname, '..', '..', 'shared', 'benchmarks')
const home = join(benchmarks, 'code_tasks')
const text = await packCatalogue(process.argv[2] ?? join(home, 'catalogue'))
writeFileSync(join(home, 'catalogue.jsonl'), text)
writeFileSync(join(home, 'packed-catalogue.ts'), pinText(text))
console.log(pinText(text))

const terminal = join(benchmarks, 'terminal_tasks')
const tasks = await packTerminalTasks(join(terminal, 'tasks'))
writeFileSync(join(terminal, 'tasks.jsonl'), tasks)
writeFileSync(join(terminal, 'packed-tasks.ts'), pinTasks(tasks))
console.log(pinTasks(tasks))

const samples = join(benchmarks, '..', '..', 'web', 'public', 'sample-tasks')
mkdirSync(samples, { recursive: true })
for (const { name, zip } of await sampleArchives(join(terminal, 'tasks'))) writeFileSync(join(samples, `${name}.zip`), zip)

// Only a schema that says something else is written: the file is laid out by the formatter.
const schemaFile = join(benchmarks, '..', 'janus', 'item.schema.json')
const schema = itemJsonSchema()
if (!isDeepStrictEqual(JSON.parse(readFileSync(schemaFile, 'utf8')), schema))
  writeFileSync(schemaFile, `${JSON.stringify(schema, null, 2)}\n`)
for (const benchmark of janusBenchmarks) {
  const file = join(benchmarks, benchmark, 'items.jsonl')
  const items = packItems(benchmark, readFileSync(file, 'utf8'))
  writeFileSync(file, items)
  writeFileSync(join(benchmarks, benchmark, 'packed-items.ts'), pinItems(items))
}
