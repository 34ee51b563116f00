import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stringify = JSON.stringify
const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href)

const { readHeadings, renderContents } = await load('src/contents.js')
const of = (...levels) => levels.map((level, index) => ({ level, text: `h${index}`, slug: `h${index}`, line: index + 1 }))

for (const [name, levels] of Object.entries({ none: [], one: [3], plain: [1, 2, 2, 3, 1, 2], deep: [1, 3, 2, 3, 6, 4, 1], rising: [4, 3, 2, 1], skipping: [2, 5, 3, 5, 4, 2, 1, 6], flat: [2, 2, 2] })) {
  observe(`levels_${name}`, [renderContents(of(...levels)), renderContents(of(...levels), { ordered: true, indent: 3 }), renderContents(of(...levels), { from: 2, to: 4, ordered: true }), renderContents(of(...levels), { to: 1, indent: 0 })])
}
observe('escaped', renderContents([{ level: 2, text: 'a [b] `c` *d* _e_ <f> \\g (h) #i ~j~', slug: 's', line: 1 }]))
observe('frozen', [renderContents(Object.freeze(of(1, 2).map(Object.freeze))), renderContents(readHeadings('# A *b*\n\nC\n---\n\n### `d_e`'), { from: 2 })])
