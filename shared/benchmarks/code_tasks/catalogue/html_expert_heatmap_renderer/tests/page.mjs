import { close, observe, openPage } from './stage.mjs'

/** What probes read and do in the document. */
const kit = (document, { event, colour }) => {
  const root = document.getElementById('map')
  const all = (selector, inside = root) => [...inside.querySelectorAll(selector)]
  const place = (cell) => `${cell.dataset.row},${cell.dataset.column}`
  const cell = (row, column) => root.querySelector(`td[data-row="${row}"][data-column="${column}"]`)
  return {
    root,
    all,
    cell,
    colour,
    put: (name) => { root.append(document.createElement(name)) },
    press: (key) => { const one = event('keydown', { key, bubbles: true, cancelable: true }); document.activeElement.dispatchEvent(one); return one.defaultPrevented },
    show: () => ({
      parts: [...root.children].map((part) => `${part.localName}.${part.className}`),
      table: root.querySelector('table') && [root.querySelector('table').getAttribute('role'), root.querySelector('table').getAttribute('aria-label'), [...root.querySelector('table').children].map((part) => part.localName), all('caption').map((one) => one.textContent)],
      head: all('thead > tr').map((row) => [...row.children].map((one) => [one.localName, one.getAttribute('scope'), one.textContent])),
      rows: all('tbody > tr').map((row) => [row.children[0]?.localName, row.children[0]?.getAttribute('scope'), row.children[0]?.textContent, row.children.length]),
      cells: all('td.cell').map((one) => [one.dataset.row, one.dataset.column, one.getAttribute('tabindex'), one.textContent, colour(one.style.backgroundColor), colour(one.style.color), one.getAttribute('aria-label'), one.className.split(' ').sort().join(' '), one.getAttribute('aria-selected')]),
      legend: all('ol.legend > li').map((item) => [[...item.children].map((part) => `${part.localName}.${part.className} ${colour(part.style.backgroundColor)}`), item.childNodes.length, item.textContent]),
      status: all('p.status').map((status) => [status.getAttribute('aria-live'), status.textContent]),
    }),
    state: () => {
      const active = document.activeElement
      return [all('td[tabindex="0"]').map(place), all('.selected').map(place), all('[aria-selected="true"]').map(place), all('[aria-selected]').length, root.querySelector('p.status')?.textContent ?? null, active && active !== document.body ? place(active) : null]
    },
  }
}

/** Draws a map, and keeps what it told. `NaN` and functions, which JSON cannot say, stand here. */
const draw = (window, data, { told = false, fixed = false, ...options }) => {
  const log = []
  const real = ({ rows, columns, values }) => ({ rows, columns, values: values.map((row) => row.map((value) => (value === 'NaN' ? NaN : value))) })
  const more = { ...(fixed && { format: (value) => value.toFixed(2) }), ...(told && { onSelect: (value) => log.push(value) }) }
  return { map: window.Heatmap.render(window.document.getElementById('map'), real(data), { ...options, ...more }), log, real }
}
const trams = () => ({ rows: ['A', 'B', 'C'], columns: ['6', '9', '12'], values: [[1, 5, 9], [null, 3], ['7', 'NaN', 4, 100]] })
const open = async (data, options = {}) => {
  const page = await openPage(['heatmap.js'], kit)
  await page.look((kit) => kit.put('hr'))
  const { ask } = await page.hold(draw, data, options)
  return {
    look: page.look,
    ask,
    show: () => page.look((kit) => kit.show()),
    click: (row, column) => page.look((kit, row, column) => { kit.cell(row, column).click() }, row, column),
    select: (row, column) => ask(({ map }, row, column) => { map.select(row, column) }, row, column),
    update: (data) => ask(({ map, real }, data) => { map.update(real(data)) }, data),
  }
}
const show = async (data, options) => (await open(data, options)).show()
const inTurn = async (all, act) => {
  const done = []
  for (const one of all) done.push(await act(one))
  return done
}

observe('page', await (await openPage(['heatmap.js', 'trams.js'], kit)).look((kit) => kit.show()))
observe('plain', await show(trams()))
observe('options', await show(trams(), { title: 'Rides <b>', unit: 'p/h', fixed: true, missing: 'none', legend: 3, stops: ['#ffffff', '#777777', '#000000'], steps: 3 }))
observe('modes', [await show(trams(), { mode: 'log', legend: 1 }), await show(trams(), { mode: 'quantile', legend: 0, stops: ['#ffffff', '#767676', '#00ff00', '#0000ff'] }), await show(trams(), { domain: [0, 2], legend: 2 })])
observe('small', [await show({ rows: [], columns: ['x'], values: [] }), await show({ rows: ['x'], columns: [], values: [[1]] }), await show({ rows: ['x'], columns: ['y'], values: [] }, { title: 't' }), await show({ rows: ['x'], columns: ['y'], values: [[-2.5]] }, { legend: 2 })])
const greys = Array.from({ length: 16 }, (_, index) => index)
observe('contrast', await inTurn(['#808080', '#757575', '#747474', '#ff0000', '#00a000', '#0070ff', '#c04000'], async (stop) => {
  const { look } = await open({ rows: ['r'], columns: greys.map(String), values: [greys] }, { stops: ['#000000', stop, '#ffffff'] })
  return look(({ all, colour }) => all('td.cell').map((cell) => colour(cell.style.color)[1]).join(''))
}))

const keys = async (data, start, names) => {
  const { look } = await open(data)
  await look((kit, row, column) => { kit.cell(row, column).focus() }, ...start)
  return inTurn(names, (key) => look((kit, key) => [key, kit.press(key), ...kit.state()], key))
}
observe('keys', [await keys(trams(), [0, 0], ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Home', 'ArrowLeft', 'End', 'PageDown', 'ArrowDown', 'PageUp', 'ArrowUp', 'x', 'Tab', 'ArrowDown']), await keys(trams(), [1, 1], ['Enter', 'ArrowLeft', ' ', ' ', 'Escape', 'Enter', 'PageDown'])])

const told = await open(trams(), { unit: 'u', told: true })
const steps = []
const step = async (action) => {
  await action
  steps.push([...(await told.look((kit) => kit.state())), await told.ask(({ log }) => log.splice(0))])
}
await step(told.click(1, 1))
await step(told.click(1, 0))
await step(told.click(1, 0))
await step(told.select(2, 2))
await step(told.select(9, 9))
await step(told.select(-1, 0))
await step(told.look(({ root }) => { root.querySelector('th').click() }))
await step(told.update({ ...trams(), rows: ['C', 'A', 'B', 'C'], values: [[1, 2, 3], [], [], [6]] }))
await step(told.update({ rows: ['A', 'C'], columns: ['12', '9'], values: [[1, 2], [30, 4]] }))
await step(told.update({ rows: ['A', 'C'], columns: ['9'], values: [[1], [30]] }))
await step(told.click(1, 0))
await step(told.update({ rows: [], columns: [], values: [] }))
await step(told.update(trams()))
await step(told.click(2, 0))
await step(told.select(2, 0))
observe('selecting', steps)
const before = await told.show()
await told.update({ rows: ['Z'], columns: ['z'], values: [[8]] })
observe('updated', [before.cells.length, await told.show()])
await told.select(0, 0)
await told.ask(({ map }) => { map.destroy() })
await told.update(trams())
await told.select(0, 0)
await told.ask(({ map }) => { map.destroy() })
observe('destroyed', [await told.look(({ root }) => root.childNodes.length), await told.ask(({ log }) => log.length)])
close()
