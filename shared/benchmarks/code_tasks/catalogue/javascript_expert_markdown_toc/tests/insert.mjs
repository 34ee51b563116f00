import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stringify = JSON.stringify
const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href)

const { updateContents } = await load('src/contents.js')
const update = (text, options) => {
  try {
    const once = updateContents(text, options)
    return [once, updateContents(once, options) === once]
  } catch (error) {
    return [error.constructor.name, error.message]
  }
}
const o = '<!-- contents -->', c = '<!-- /contents -->'
observe('plain', [update(`# A\n${o}\n${c}\n## B\n`), update(`# A\n${o}\nold\n# Old\n\n${c}\n## B`, { ordered: true, from: 2 }), update(`${o}\n${c}`), update(`${o}\nx\n${c}\n`), update('# A\n'), update('')])
observe('line_ends', [update(`# A\r\n${o}\r\n${c}\r\n## B\r\n`), update(`# A\n${o}\r\nx\n${c}\n## B\n`), update(`# A\r\n${o}\n${c}\r\n`)])
observe('places', [update(`  ${o}  \n   ${c}\t\n# A`), update(`    ${o}\n${c}\n# A`), update(`\`\`\`\n${o}\n\`\`\`\n# A\n${c}`), update(`<!--\n${o}\n-->\n# A`), update(`---\n${o}\n---\n# A`), update(`text\n${o}\n${c}\n===\n# A`), update(`x ${o}\n# A`), update(`<!--contents-->\n${c}\n# A`)])
observe('several', [update(`${o}\n1\n${c}\n# A\n${o}\n# not\n${o}\n${c}\n# B\n${c}`), update(`${c}\n${o}\n${c}\n# A`)])
observe('unclosed', [update(`# A\n${o}\n# B`), update(`${o}\n${c}\n\n ${o}\n`), update(`${o}\n\`\`\`\n${c}\n`)])
observe('slugs', [update(`# A\n${o}\n- [A](#a)\n# A\n${c}\n# A\n`), update(`# A *b* [c](d)\n${o}\n${c}\n`)])
