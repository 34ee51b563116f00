// The page of the boat hire, as probes use it.
import { openPage } from './stage.mjs'

/** What probes read and do in the document. */
const kit = (document, { event, leave }) => {
  const form = document.getElementById('hire')
  const field = (name) => form.querySelector(`[name="${name}"]`)
  const all = (selector, inside = form) => [...inside.querySelectorAll(selector)]
  return {
    form,
    field,
    all,
    leave: (name) => leave(field(name) ?? form.querySelector(name)),
    set: (values) => { for (const [name, value] of Object.entries(values)) if (typeof value === 'boolean') field(name).checked = value; else field(name).value = value },
    fire: (target, type) => { const one = event(type, { bubbles: true, cancelable: true }); target.dispatchEvent(one); return one.defaultPrevented },
    shown: () => ({
      errors: all('[aria-invalid="true"]').map((one) => [one.name, one.getAttribute('aria-describedby'), one.nextElementSibling?.localName, one.nextElementSibling?.className, one.nextElementSibling?.id, one.nextElementSibling?.textContent]),
      paragraphs: all('p.error').length,
      summary: all('div.summary').map((one) => [form.firstElementChild === one, one.getAttribute('role'), one.querySelector('p').textContent, all('ul > li > a', one).map((link) => [link.getAttribute('href'), link.textContent])]),
      busy: form.getAttribute('aria-busy'),
      focus: document.activeElement?.name ?? null,
    }),
  }
}

/** Attaches the validator, and keeps what its tools were asked and what it handed in; `voucher` names the tool among those below. */
const attach = (window, voucher) => {
  const [log, asked, waiting] = [[], [], []]
  const vouchers = {
    by_length: (value, values) => {
      asked.push([value, values])
      if (value.length === 1) return null
      if (value.length === 2) return Promise.resolve('No.')
      if (value.length === 3) throw new Error('x')
      if (value.length === 4) return Promise.reject(new Error('y'))
      return undefined
    },
    waits: (value) => new Promise((resolve) => waiting.push([value, resolve])),
    refuses: () => 'Unknown.',
    knows_xx: async (value) => (value === 'xx' ? null : 'No voucher.'),
  }
  const tools = voucher === 'other_tools' ? { toString: () => null } : voucher ? { voucher: vouchers[voucher] } : {}
  const hire = window.FormValidator.attach(window.document.getElementById('hire'), { tools, onSubmit: (values) => log.push(values) })
  return { hire, log, asked, waiting }
}

/** A fresh page with the validator attached. */
export async function openHire(voucher = null) {
  const page = await openPage(['validator.js'], kit)
  const { ask } = await page.hold(attach, voucher)
  return {
    look: page.look,
    ask,
    set: (values) => page.look(({ set }, given) => set(given), values),
    shown: () => page.look(({ shown }) => shown()),
    validate: () => ask(({ hire }) => hire.validate()),
    call: (text) => ask(({ hire }, given) => hire.call(given), text),
    log: () => ask(({ log }) => log),
  }
}

/** What the page itself, with its own script, finds wrong with an empty form. */
export async function validatePage() {
  const page = await openPage(['validator.js', 'hire.js'], kit)
  const { ask } = await page.hold((window) => window)
  return ask((window) => window.hire.validate())
}
