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

/** Errors of the whole form with these values. */
const errorsOf = async (values, tools) => {
  const one = open(tools)
  one.set({ ...good, ...values })
  const { ok, errors } = await one.hire.validate()
  return [ok, errors]
}
const each = async (name, values, more = {}, tools = {}) => Promise.all(values.map((value) => errorsOf({ ...more, [name]: value }, tools)))
observe('empty', await (async () => { const one = open(); const result = await one.hire.validate(); return [result, one.shown(), one.form.hasAttribute('novalidate')] })())
observe('good', await (async () => { const one = open(); one.set({ ...good, name: '  Ada ', news: true, mail: 'a@b.c', again: ' a@b.c' }); const result = await one.hire.validate(); return [result, one.shown()] })())
observe('name', await each('name', ['', ' ', 'A', 'Al', 'ÄÖ', '🚣', '🚣🚣', 'abcdefghijkl', 'abcdefghijklm', '  a  ', '🚣'.repeat(12), '🚣'.repeat(13)]))
observe('mail', await each('mail', ['a@b.c', 'a@b', 'a@b.', '@b.c', 'a b@c.d', 'a@b..c', 'a@-b.c', 'a@b-.c', 'a@b-c.d-e.f', 'a@@b.c', 'a@b@c.d', 'ü+x.y@b.c', 'a@b_c.d', 'a@ü.de', 'a@b.c-', 'a@b.-c'], {}).then((all) => all.map(([ok, errors]) => [ok, errors.mail ?? null])))
observe('again', [await errorsOf({ mail: 'a@b.c', again: 'a@b.d' }), await errorsOf({ mail: 'a@b.c' }), await errorsOf({ again: 'x' }), await errorsOf({ mail: 'A@b.c', again: 'a@b.c' })])
observe('news', [await errorsOf({ news: true }), await errorsOf({ news: false }), await errorsOf({ news: true, mail: 'x' })])
observe('licence', [await errorsOf({ boat: 'sail' }), await errorsOf({ boat: 'sail', licence: 'AB123' }), ...(await each('licence', ['ab123', 'AB1234', 'xAB123', 'AB123\nAB123', 'AB123'], { boat: 'row' })), await errorsOf({ boat: '' })])
observe('crew', await each('crew', ['', '0', '1', '8', '9', '-1', '08', '+2', '2.0', 'two', '1e1', '٣', '99999999999999999999', '-0']))
observe('from', await each('from', ['', '2031-04-01', '2031-03-31', '2031-02-29', '2032-02-29', '2100-02-29', '31-04-01', '2031-4-1', '2031-13-01', '2031-04-00', '2031-04-31', '9999-12-31']))
observe('to', [...(await each('to', ['2031-05-01', '2031-05-02', '2031-04-30', 'soon', ''])), await errorsOf({ from: '', to: '2000-01-01' }), await errorsOf({ from: 'x', to: '2000-01-01' })])
observe('note', await each('note', ['12345', '123456', ' 12345 ', '🚣🚣🚣🚣🚣']))
const asked = []
const tools = { voucher: (value, values) => { asked.push([value, values]); if (value.length === 1) return null; if (value.length === 2) return Promise.resolve('No.'); if (value.length === 3) throw new Error('x'); if (value.length === 4) return Promise.reject(new Error('y')); return undefined } }
observe('tool', [await each('code', ['', 'x', 'xx', 'xxx', 'xxxx', 'y'], { note: 'n' }, tools), asked, await errorsOf({ code: 'x' }), await errorsOf({ code: 'x' }, { toString: () => null })])
const patched = async (change) => { const one = open(); one.set(good); change(one); const { errors, values } = await one.hire.validate(); return [errors, values] }
observe('attributes', [
  await patched(({ field }) => { field('old').removeAttribute('disabled') }),
  await patched(({ field }) => { field('boat').setAttribute('disabled', ''); field('licence').dataset.pattern = 'a|b'; field('licence').value = 'ab'; delete field('licence').dataset.hint }),
  await patched(({ field }) => { field('note').dataset.same = 'old'; field('note').value = 'x' }),
  await patched(({ field }) => { field('note').dataset.after = 'nowhere'; field('note').dataset.requiredIf = 'name=Ada' }),
  await patched(({ field, form }) => { field('code').value = 'q'; field('crew').removeAttribute('id'); field('crew').value = 'x'; form.querySelector('label[for="f-name"]').textContent = '  Full name * * '; field('name').value = '' }),
])
observe('describe', [await open().hire.call('{"name":"describe"}'), await open().hire.call('{"name":"describe","arguments":{}}').then(({ fields }) => fields.length)])
