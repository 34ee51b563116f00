import { openHire, validatePage } from './hire-page.mjs'
import { close, observe } from './stage.mjs'

const good = { name: 'Ada', boat: 'row', crew: '2', from: '2031-05-01' }

const typed = await openHire()
const steps = []
const step = async (act, ...args) => { const result = await typed.look(act, ...args); steps.push([result ?? null, await typed.shown()]) }
const type = async (name, value, event) => step(({ field, fire }, name, value, event) => { field(name).value = value; fire(field(name), event) }, name, value, event)
const leave = async (name) => step((kit, name) => kit.leave(name), name)
await step(({ field, fire }) => fire(field('name'), 'input'))
await leave('name')
await type('name', 'Al', 'input')
await leave('again')
await type('mail', 'a@b.c', 'change')
await type('again', 'a@b.d', 'input')
await type('mail', 'a@b.d', 'input')
await type('boat', 'sail', 'change')
await leave('licence')
await type('boat', 'row', 'change')
await leave('button')
await leave('#f-nameless')
await leave('old')
await step(({ form, fire }) => fire(form, 'submit'))
await type('crew', '3', 'input')
await step(({ all, fire }) => fire(all('.summary a')[1], 'click'))
await step(({ form, set, fire }, good) => { set(good); return fire(form, 'submit') }, good)
observe('typing', steps)
observe('submitted', await typed.log())

const slow = await openHire('waits')
await slow.set({ ...good, code: 'x' })
const seen = []
const look = async (done) => { await done; seen.push([await slow.shown(), await slow.ask(({ waiting }) => waiting.length), (await slow.log()).length]) }
const enter = (value, event) => slow.look(({ field, fire }, value, event) => { field('code').value = value; fire(field('code'), event) }, value, event)
const answer = (index, said) => slow.ask(({ waiting }, index, said) => { waiting.at(index)[1](said) }, index, said)
const submit = (times) => slow.look(({ form, fire }, times) => Array.from({ length: times }, () => fire(form, 'submit')), times)
await look(slow.look((kit) => kit.leave('code')))
await look(enter('xx', 'input'))
await look(answer(1, 'second'))
await look(answer(0, 'first'))
await look(enter('y', 'input'))
await look(enter('xxx', 'change'))
await look(enter('z', 'input'))
await look(answer(2, null))
await slow.look(({ field }) => { field('code').value = 'xx' })
const prevented = []
await look(submit(2).then((all) => prevented.push(...all)))
const busy = await slow.call('{"name":"submit"}')
await look(answer(-1, 'not this one'))
await look(submit(1).then((all) => prevented.push(...all)))
await look(answer(-1, null))
observe('slow_tools', [seen, prevented, busy, await slow.ask(({ waiting }) => waiting.map(([value]) => value)), await slow.log()])

const help = await openHire('refuses')
const described = []
const check = async (value) => {
  await help.look(({ field }, value) => { field('code').value = value }, value)
  await help.validate()
  return help.look(({ field, all }) => [field('code').getAttribute('aria-describedby'), all('#code-error').length])
}
described.push((await check('x'))[0], ...(await check('y')), ...(await check('')))
observe('described', described)

const agent = await openHire('knows_xx')
const ask = (request) => agent.call(typeof request === 'string' ? request : JSON.stringify(request))
const submitted = async () => (await agent.log()).length
const said = []
for (const request of ['', '{', 'null', '7', '[]', '{}', '{"name": "fly"}', '{"name": null}', '{"name": "toString"}', { name: 'fill' }, { name: 'fill', arguments: { name: 'Bo', crew: 3 } }, { name: 'fill', arguments: { news: 'yes', name: 5 } }, { name: 'fill', arguments: { old: 'x' } }, { name: 'fill', arguments: { sail: 'x', name: 7 } }, { name: 'fill', arguments: { note: null } }]) said.push([await ask(request), await agent.look(({ field }) => field('name').value)])
observe('calls_refused', said)
const filled = [await ask({ name: 'fill', arguments: { name: 'Bo', news: true, boat: 'sail' } }), await agent.shown()]
filled.push(await ask({ name: 'submit', arguments: {} }), (await agent.shown()).focus, await submitted())
filled.push(await ask({ name: 'fill', arguments: { news: false, licence: 'AB123', crew: '8', from: '2031-04-01', code: 'x' } }))
filled.push(await ask({ name: 'fill', arguments: { code: 'xx' } }), await agent.shown(), await submitted())
filled.push(await ask({ name: 'submit' }), await agent.log())
observe('calls', filled)

const gone = await openHire('waits')
await gone.set({ code: 'x' })
await gone.look(({ form, fire }) => fire(form, 'submit'))
await gone.look((kit) => kit.leave('boat'))
await gone.ask(({ hire }) => { hire.detach() })
const after = [await gone.shown()]
await gone.ask(({ waiting }) => { waiting[0][1]('too late') })
await gone.look((kit) => kit.leave('crew'))
after.push(await gone.look(({ form, fire }) => fire(form, 'submit')), await gone.shown(), (await gone.log()).length, await gone.look(({ field }) => field('code').getAttribute('aria-describedby')))
observe('detached', after)
const { ok, errors } = await validatePage()
observe('page', [ok, errors])
close()
