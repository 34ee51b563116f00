import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stringify = JSON.stringify
const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href)

const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = await import('node:fs')
const { run } = await load('src/run.js')
const file = '../probe-list.json'
let today = '2031-05-09'
const content = () => (existsSync(file) ? readFileSync(file, 'utf8') : null)
const begin = (text) => (text === undefined ? rmSync(file, { recursive: true, force: true }) : writeFileSync(file, text))
const todo = (line) => {
  const { code, out, err } = run(Array.isArray(line) ? line : line.split(' '), { file, today })
  return [code, out, err]
}
const seven = JSON.stringify({ version: 1, next: 12, items: [
  { id: 1, text: 'Mend the net', created: '2031-04-01', due: '2031-05-08', tags: ['boat'], done: null },
  { id: 2, text: 'buy tar', created: '2031-04-01', due: '2031-05-09', tags: ['boat', 'shop'], done: null },
  { id: 4, text: 'Paint hull', created: '2031-03-02', due: null, tags: [], done: '2031-05-01' },
  { id: 7, text: 'apples', created: '2031-04-03', due: '2031-06-01', tags: ['shop'], done: null },
  { id: 9, text: 'oil', created: '2031-02-04', due: '2031-01-01', tags: ['shop', 'boat'], done: '2031-05-02' },
  { id: 10, text: 'Buy tar', created: '2031-04-05', due: null, tags: ['shop'], done: null },
  { id: 11, text: 'Zest', created: '2031-04-06', due: '2031-05-10', tags: ['x-1'], done: null },
] })

begin()
observe('first_steps', ['', 'help', 'help me', 'list', 'add water the tree #garden --due 2031-05-12', 'add --due=2031-05-01 call #home Ada #garden #home', 'list', 'done 1', 'list', 'list --all', 'add third', 'undo 1 3', 'rm 2', 'add fourth', 'purge', 'done 4 3', 'purge', 'list', 'add fifth'].map((line) => todo(line === '' ? [] : line)))
observe('first_file', content())
for (const [index, line] of ['list', 'list --all', 'list --tag boat', 'list --all --tag boat --tag shop', 'list --tag none', 'list --due-before 2031-05-09', 'list --due-before=2031-05-10 --all', 'list --sort due', 'list --sort created --all', 'list --sort text', 'list --sort text --all --sort=due', 'list --tag x-1 --all', 'list --tag shop --sort text'].entries()) {
  begin(seven)
  observe(`list_${index}`, [todo(line), content() === seven])
}
const changes = [
  'done 1 2', 'done 4', 'done 1 4 1', 'undo 4 9 1', 'rm 11 1', 'rm 10 10', 'edit 1 mend both nets', 'edit 1 Mend the net', 'edit 1 #sail #boat', 'edit 2 --due none', 'edit 4 --due none', 'edit 7 --tag fruit --tag shop --untag shop', 'edit 7 pears #fruit --due 2032-02-29 --untag x', 'purge',
  'add -- --due soon', 'add a - b -x', 'add #Tag #a_b # #ok ##x #-', 'edit -- 2 --tag', 'edit --tag a-b 2',
]
for (const [index, line] of changes.entries()) {
  begin(seven)
  const answer = todo(line)
  const now = JSON.parse(content())
  const old = JSON.parse(seven)
  observe(`change_${index}`, [answer, now.next, now.items.map(({ id }) => id), now.items.filter((item) => JSON.stringify(item) !== JSON.stringify(old.items.find(({ id }) => id === item.id))), content() === seven])
}
begin(seven)
observe('quoted', [todo(['add', ' two  words ', '#a', 'and #b more']), todo(['edit', '1', '']), todo(['edit', '1', '#zz', ' ']), todo('list --tag a'), todo('list --tag zz')])
