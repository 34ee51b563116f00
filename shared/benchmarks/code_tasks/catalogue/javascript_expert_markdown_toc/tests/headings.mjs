import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stringify = JSON.stringify
const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href)

const { readHeadings } = await load('src/contents.js')
const short = (text) => readHeadings(text).map(({ level, text, slug, line }) => [level, text, slug, line])
const each = (...texts) => texts.map(short)

observe('atx', each('# a', '###### six', '####### seven', '#', '# ', '#\tTab', '#none', ' # one', '   ### three', '    # four', '\t# tab', '## a ##', '## a#', '# a # b ##  ', '## ##', '### #', '# a \\#', '#  two  spaces  ', '# a\r\n## b\r\n', 'x\n# y\nz'))
observe('setext', each('a\n=', 'a\n-', 'a\n===\nb\n---', ' a \n b\t\n  ===  ', 'a\n\n===', '===', 'a\n    ===', 'a\n= =', 'a\n-- -', '    a\n===', 'x\n    a\n===', '> a\n===', '- a\n===', '1. a\n---', 'a\n1. b\n===', 'a\n2. b\n===', 'a\n- b\n===', '# a\n===', 'a\n# b\nc\n---', 'a\n***\nb\n===', '***\n===', 'a\n---\n---', 'a\n\tb\n==='))
observe('fences', each('```\n# a\n```\n# b', '~~~\n# a\n```\n# b\n~~~~\n# c', '````\n# a\n```\n````\n# b', '``` x`y\n# a', '~~~ x`y\n# a\n~~~\n# b', '   ```\n# a\n   ```  \n# b', '    ```\n# a', '```\n# a', 'a\n```\nb\n===\n```\nc\n===', '```\n# a\n``` x\n# b\n```\n# c'))
observe('comments', each('<!-- x -->\n# a', '<!--\n# a\n-->\n# b', '<!-- x\n# a --> # b\n# c', 'a\n<!-- -->\n===', '    <!--\n# a', 'x <!--\n# a', '<!--\n# a'))
observe('front_matter', each('---\n# a\n---\n# b', '---\n# a', ' ---\n# a\n---', '---\r\n# a\r\n---\r\n# b', '--- \n# a\n---', '\n---\n# a\n---', '---\na\n---\nb\n---'))
observe('quotes_and_lists', each('> # a\n# b', '- # a\n# b', '-\n===', '10) x\n===', '1234567890. a\n===', '+ a\n\nb\n===', '- a\nb\n===', 'a\n> b\n===', 'a\n* * *\n# b'))
const inline = ['`code *x*` *y*', '``a ` b``', '`open *a*', '**bold** and *it*', '***both***', '__b__ _i_ snake_case_name', 'a_b_ _c_d', '~~gone~~ ~one~', '* a * b*', '**a', 'a\\*b\\*c *d*', '\\`no\\`', '\\a \\\\', '[link](http://x.example/a_b_c)', '[ref][label] [none] [a](b', '![alt *text*](pic.png) and [![x](y)](z)', '[`code`](x) **[l](y)**', '*a **b** c*', '<b>tag</b> &amp;', '_a _ b_', '*a* *b*', '**a*b**', '_é_é _é_', '`a``b` c', '[a]( b ) c']
observe('inline', inline.map((text) => short(`# ${text}`)[0]))
observe('slugs', [short('# A\n# a\n# a-1\n# A\n# a-1\n# !\n# ?\n# section'), short('# Ärger & Öl\n# 100 % sure_thing -- yes\n# Ночь, день!\n# e\u0301te\u0301\n# 日本 語\n# a.b.c\n# 🌻 sun\n#  tab\there')])
