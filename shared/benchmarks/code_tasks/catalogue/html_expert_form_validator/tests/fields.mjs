import { openHire } from './hire-page.mjs'
import { close, observe } from './stage.mjs'

const good = { name: 'Ada', boat: 'row', crew: '2', from: '2031-05-01' }

/** Errors of the whole form with these values, in the page that is given or a fresh one. */
const errorsOf = async (values, voucher = null, page = null) => {
  const one = page ?? (await openHire(voucher))
  await one.set({ ...good, ...values })
  const { ok, errors } = await one.validate()
  return [ok, errors]
}
/** The same for one value of a field after another, in one page. */
const each = async (name, values, more = {}) => {
  const one = await openHire()
  const all = []
  for (const value of values) all.push(await errorsOf({ ...more, [name]: value }, null, one))
  return all
}
observe('empty', await (async () => { const one = await openHire(); const result = await one.validate(); return [result, await one.shown(), await one.look(({ form }) => form.hasAttribute('novalidate'))] })())
observe('good', await (async () => { const one = await openHire(); await one.set({ ...good, name: '  Ada ', news: true, mail: 'a@b.c', again: ' a@b.c' }); const result = await one.validate(); return [result, await one.shown()] })())
observe('name', await each('name', ['', ' ', 'A', 'Al', 'ÄÖ', '🚣', '🚣🚣', 'abcdefghijkl', 'abcdefghijklm', '  a  ', '🚣'.repeat(12), '🚣'.repeat(13)]))
observe('mail', await each('mail', ['a@b.c', 'a@b', 'a@b.', '@b.c', 'a b@c.d', 'a@b..c', 'a@-b.c', 'a@b-.c', 'a@b-c.d-e.f', 'a@@b.c', 'a@b@c.d', 'ü+x.y@b.c', 'a@b_c.d', 'a@ü.de', 'a@b.c-', 'a@b.-c'], {}).then((all) => all.map(([ok, errors]) => [ok, errors.mail ?? null])))
observe('again', [await errorsOf({ mail: 'a@b.c', again: 'a@b.d' }), await errorsOf({ mail: 'a@b.c' }), await errorsOf({ again: 'x' }), await errorsOf({ mail: 'A@b.c', again: 'a@b.c' })])
observe('news', [await errorsOf({ news: true }), await errorsOf({ news: false }), await errorsOf({ news: true, mail: 'x' })])
observe('licence', [await errorsOf({ boat: 'sail' }), await errorsOf({ boat: 'sail', licence: 'AB123' }), ...(await each('licence', ['ab123', 'AB1234', 'xAB123', 'AB123\nAB123', 'AB123'], { boat: 'row' })), await errorsOf({ boat: '' })])
observe('crew', await each('crew', ['', '0', '1', '8', '9', '-1', '08', '+2', '2.0', 'two', '1e1', '٣', '99999999999999999999', '-0']))
observe('from', await each('from', ['', '2031-04-01', '2031-03-31', '2031-02-29', '2032-02-29', '2100-02-29', '31-04-01', '2031-4-1', '2031-13-01', '2031-04-00', '2031-04-31', '9999-12-31']))
observe('to', [...(await each('to', ['2031-05-01', '2031-05-02', '2031-04-30', 'soon', ''])), await errorsOf({ from: '', to: '2000-01-01' }), await errorsOf({ from: 'x', to: '2000-01-01' })])
observe('note', await each('note', ['12345', '123456', ' 12345 ', '🚣🚣🚣🚣🚣']))
const [answers, asked] = [[], []]
for (const code of ['', 'x', 'xx', 'xxx', 'xxxx', 'y']) {
  const one = await openHire('by_length')
  await one.set({ ...good, note: 'n', code })
  const { ok, errors } = await one.validate()
  answers.push([ok, errors])
  asked.push(...(await one.ask((held) => held.asked)))
}
observe('tool', [answers, asked, await errorsOf({ code: 'x' }), await errorsOf({ code: 'x' }, 'other_tools')])
const patched = async (change) => { const one = await openHire(); await one.set(good); await one.look(change); const { errors, values } = await one.validate(); return [errors, values] }
observe('attributes', [
  await patched(({ field }) => { field('old').removeAttribute('disabled') }),
  await patched(({ field }) => { field('boat').setAttribute('disabled', ''); field('licence').dataset.pattern = 'a|b'; field('licence').value = 'ab'; delete field('licence').dataset.hint }),
  await patched(({ field }) => { field('note').dataset.same = 'old'; field('note').value = 'x' }),
  await patched(({ field }) => { field('note').dataset.after = 'nowhere'; field('note').dataset.requiredIf = 'name=Ada' }),
  await patched(({ field, form }) => { field('code').value = 'q'; field('crew').removeAttribute('id'); field('crew').value = 'x'; form.querySelector('label[for="f-name"]').textContent = '  Full name * * '; field('name').value = '' }),
])
const described = await openHire()
observe('describe', [await described.call('{"name":"describe"}'), await described.call('{"name":"describe","arguments":{}}').then(({ fields }) => fields.length)])
close()
