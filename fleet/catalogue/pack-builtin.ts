import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packCatalogue } from './pack-catalogue.ts'
import { pinText } from './pin-text.ts'

/** `npm run pack-tasks`: makes the packed catalogue of the program anew, and the figures that its card pins, from `catalogue/` beside it or another folder. */
const home = join(import.meta.dirname, '..', '..', 'shared', 'benchmarks', 'code_tasks')
const text = await packCatalogue(process.argv[2] ?? join(home, 'catalogue'))
writeFileSync(join(home, 'catalogue.jsonl'), text)
writeFileSync(join(home, 'packed-catalogue.ts'), pinText(text))
console.log(pinText(text))
