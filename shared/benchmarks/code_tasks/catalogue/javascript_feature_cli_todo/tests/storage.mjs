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

const wrong = ['fly', 'List', 'add', 'add #only', 'add --due', 'add x --due tomorrow', 'add x --due 2031-02-29', 'add x --due 2031-13-01', 'add x --due 0000-01-01', 'add x --due none', 'add x --all', 'add x --due=', 'list x', 'list --all=yes', 'list --sort size', 'list --tag #boat', 'list --tag', 'list --tag Boat', 'list --due-before --all', 'list -- x', 'purge 1', 'purge --all', 'done', 'done x', 'done 01', 'done -1', 'done 1 0', 'done +1', 'done 1.0', 'done --x', 'edit', 'edit 1', 'edit x', 'edit one --due x', 'edit 1 --due x', 'edit --tag T 1', 'undo --', 'rm 1 --force', 'add --constructor x', 'toString', 'done 99 x', 'help --x', 'add --due x --tag y']
begin(seven)
observe('usage', [wrong.map(todo), content() === seven])
const missing = ['done 3', 'done 1 3', 'done 3 99 1', 'rm 1 5 6', 'undo 4 12', 'edit 8 text', 'edit 99 --tag a', 'done 123456789012345678901']
observe('missing', missing.map((line) => [todo(line)[0], todo(line)[2].slice(0, 16), content() === seven]))

const damaged = []
for (const text of ['', '{', '[]', 'null', '7', '{"version":2,"next":1,"items":[]}', '{"version":1,"items":[]}', '{"version":1,"next":1}', '{"version":1,"next":1,"items":{}}', '{"version":"1","next":1,"items":[]}']) {
  begin(text)
  damaged.push([todo('list'), todo('add x'), todo('help')[0], todo('fly')[0], content() === text])
}
observe('damaged', damaged)
begin()
mkdirSync(file)
observe('folder', [todo('list'), todo('add x')])
begin()
const nowhere = run(['add', 'x'], { file: '../no/such/list.json', today })
observe('nowhere', [nowhere, run(['list'], { file: '../no/such/list.json', today }), run(['done', '1'], { file: '../no/such/list.json', today })])

observe('written', [todo('add first #a'), content(), existsSync(`${file}.tmp`)])
writeFileSync(file, content().replace(/\s+/g, ' '))
const compact = content()
observe('kept_unless_changed', [todo('done 9')[0], content() === compact, todo('undo 1'), content() === compact, todo('edit 1 first'), content() === compact, todo('purge'), content() === compact, todo('edit 1 second'), content()])
begin('{"items":[],"version":1,"next":41}')
today = '2040-12-31'
observe('next', [todo('add x'), todo('rm 41'), todo('add y --due 2040-12-31'), todo('list'), JSON.parse(content())])

const { spawnSync } = await import('node:child_process')
begin()
const command = (...given) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/todo.js', ...given], { encoding: 'utf8', env: { TODO_FILE: file, TODO_TODAY: '2031-05-09' } })
  return [status, stdout, stderr]
}
observe('program', [command('add', 'from outside', '--due', '2031-05-08'), command('list'), command('fly'), command('rm', '7'), JSON.parse(content())])
