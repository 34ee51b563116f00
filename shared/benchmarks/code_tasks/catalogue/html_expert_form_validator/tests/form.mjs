import { readFileSync, writeSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { createDocument, Event } from './dom.mjs'

const stringify = JSON.stringify
const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const thrown = (action) => {
  try {
    return action()
  } catch (error) {
    return `${error.name}: ${error.message}`
  }
}
const page = (...scripts) => {
  const document = createDocument(readFileSync('index.html', 'utf8'))
  const window = { document, Event, CustomEvent: Event, console, setTimeout, clearTimeout }
  window.window = window
  createContext(window)
  for (const script of scripts) runInContext(readFileSync(script, 'utf8'), window)
  return window
}

const good = { name: 'Ada', boat: 'row', crew: '2', from: '2031-05-01' }
const open = (tools = {}, log = []) => {
  const { FormValidator, document } = page('validator.js')
  const form = document.getElementById('hire')
  const hire = FormValidator.attach(form, { tools, onSubmit: (values) => log.push(values) })
  const field = (name) => form.querySelector(`[name="${name}"]`)
  const set = (values) => { for (const [name, value] of Object.entries(values)) if (typeof value === 'boolean') field(name).checked = value; else field(name).value = value }
  const fire = (target, type) => { const event = new Event(type, { bubbles: true, cancelable: true }); target.dispatchEvent(event); return event.defaultPrevented }
  const shown = () => ({
    errors: form.querySelectorAll('[aria-invalid="true"]').map((one) => [one.name, one.getAttribute('aria-describedby'), one.nextElementSibling?.localName, one.nextElementSibling?.className, one.nextElementSibling?.id, one.nextElementSibling?.textContent]),
    paragraphs: form.querySelectorAll('p.error').length,
    summary: form.querySelectorAll('div.summary').map((one) => [form.firstElementChild === one, one.getAttribute('role'), one.querySelector('p').textContent, one.querySelectorAll('ul > li > a').map((link) => [link.getAttribute('href'), link.textContent])]),
    busy: form.getAttribute('aria-busy'),
    focus: document.activeElement?.name ?? null,
  })
  return { form, hire, field, set, fire, shown, log, document }
}
const tick = () => new Promise((resolve) => setImmediate(resolve))

const typed = open()
const steps = []
const step = async (action) => { const result = action(); await tick(); steps.push([result ?? null, typed.shown()]) }
await step(() => typed.fire(typed.field('name'), 'input'))
await step(() => typed.field('name').blur())
await step(() => { typed.field('name').value = 'Al'; typed.fire(typed.field('name'), 'input') })
await step(() => typed.field('again').blur())
await step(() => { typed.field('mail').value = 'a@b.c'; typed.fire(typed.field('mail'), 'change') })
await step(() => { typed.field('again').value = 'a@b.d'; typed.fire(typed.field('again'), 'input') })
await step(() => { typed.field('mail').value = 'a@b.d'; typed.fire(typed.field('mail'), 'input') })
await step(() => { typed.field('boat').value = 'sail'; typed.fire(typed.field('boat'), 'change') })
await step(() => typed.field('licence').blur())
await step(() => { typed.field('boat').value = 'row'; typed.fire(typed.field('boat'), 'change') })
await step(() => typed.form.querySelector('button').blur())
await step(() => typed.form.querySelector('#f-nameless').blur())
await step(() => typed.field('old').blur())
await step(() => typed.fire(typed.form, 'submit'))
await step(() => { typed.field('crew').value = '3'; typed.fire(typed.field('crew'), 'input') })
await step(() => typed.fire(typed.form.querySelectorAll('.summary a')[1], 'click'))
await step(() => { typed.set(good); return typed.fire(typed.form, 'submit') })
observe('typing', steps)
observe('submitted', typed.log)

const waiting = []
const slow = open({ voucher: (value) => new Promise((resolve) => waiting.push([value, resolve])) })
slow.set({ ...good, code: 'x' })
const seen = []
const look = async (action) => { action(); await tick(); seen.push([slow.shown(), waiting.length, slow.log.length]) }
await look(() => slow.field('code').blur())
await look(() => { slow.field('code').value = 'xx'; slow.fire(slow.field('code'), 'input') })
await look(() => waiting[1][1]('second'))
await look(() => waiting[0][1]('first'))
await look(() => { slow.field('code').value = 'y'; slow.fire(slow.field('code'), 'input') })
await look(() => { slow.field('code').value = 'xxx'; slow.fire(slow.field('code'), 'change') })
await look(() => { slow.field('code').value = 'z'; slow.fire(slow.field('code'), 'input') })
await look(() => waiting[2][1](null))
slow.field('code').value = 'xx'
let prevented = []
await look(() => { prevented.push(slow.fire(slow.form, 'submit'), slow.fire(slow.form, 'submit')) })
const busy = await slow.hire.call('{"name":"submit"}')
await look(() => waiting.at(-1)[1]('not this one'))
await look(() => { prevented.push(slow.fire(slow.form, 'submit')) })
await look(() => waiting.at(-1)[1](null))
observe('slow_tools', [seen, prevented, busy, waiting.map(([value]) => value), slow.log])

const help = open({ voucher: () => 'Unknown.' })
help.field('code').value = 'x'
await help.hire.validate()
const described = [help.field('code').getAttribute('aria-describedby')]
help.field('code').value = 'y'
await help.hire.validate()
described.push(help.field('code').getAttribute('aria-describedby'), help.form.querySelectorAll('#code-error').length)
help.field('code').value = ''
await help.hire.validate()
described.push(help.field('code').getAttribute('aria-describedby'), help.form.querySelectorAll('#code-error').length)
observe('described', described)

const agent = open({ voucher: async (value) => (value === 'xx' ? null : 'No voucher.') })
const ask = (request) => agent.hire.call(typeof request === 'string' ? request : JSON.stringify(request))
const said = []
for (const request of ['', '{', 'null', '7', '[]', '{}', '{"name": "fly"}', '{"name": null}', '{"name": "toString"}', { name: 'fill' }, { name: 'fill', arguments: { name: 'Bo', crew: 3 } }, { name: 'fill', arguments: { news: 'yes', name: 5 } }, { name: 'fill', arguments: { old: 'x' } }, { name: 'fill', arguments: { sail: 'x', name: 7 } }, { name: 'fill', arguments: { note: null } }]) said.push([await ask(request), agent.field('name').value])
observe('calls_refused', said)
const filled = [await ask({ name: 'fill', arguments: { name: 'Bo', news: true, boat: 'sail' } }), agent.shown()]
filled.push(await ask({ name: 'submit', arguments: {} }), agent.shown().focus, agent.log.length)
filled.push(await ask({ name: 'fill', arguments: { news: false, licence: 'AB123', crew: '8', from: '2031-04-01', code: 'x' } }))
filled.push(await ask({ name: 'fill', arguments: { code: 'xx' } }), agent.shown(), agent.log.length)
filled.push(await ask({ name: 'submit' }), agent.log)
observe('calls', filled)

const late = []
const gone = open({ voucher: () => new Promise((resolve) => late.push(resolve)) })
gone.set({ code: 'x' })
gone.fire(gone.form, 'submit')
await tick()
gone.field('boat').blur()
gone.hire.detach()
const after = [gone.shown()]
late[0]('too late')
await tick()
gone.field('crew').blur()
after.push(gone.fire(gone.form, 'submit'), gone.shown(), gone.log.length, gone.field('code').getAttribute('aria-describedby'))
observe('detached', after)
observe('page', await (async () => { const window = page('validator.js', 'hire.js'); const { ok, errors } = await window.hire.validate(); return [ok, errors] })())
