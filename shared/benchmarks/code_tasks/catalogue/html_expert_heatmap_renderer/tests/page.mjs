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

const show = (root) => ({
  parts: root.children.map((part) => `${part.localName}.${part.className}`),
  table: root.querySelector('table') && [root.querySelector('table').getAttribute('role'), root.querySelector('table').getAttribute('aria-label'), root.querySelector('table').children.map((part) => part.localName), root.querySelectorAll('caption').map((one) => one.textContent)],
  head: root.querySelectorAll('thead > tr').map((row) => row.children.map((cell) => [cell.localName, cell.getAttribute('scope'), cell.textContent])),
  rows: root.querySelectorAll('tbody > tr').map((row) => [row.children[0]?.localName, row.children[0]?.getAttribute('scope'), row.children[0]?.textContent, row.children.length]),
  cells: root.querySelectorAll('td.cell').map((cell) => [cell.dataset.row, cell.dataset.column, cell.getAttribute('tabindex'), cell.textContent, cell.style.backgroundColor, cell.style.color, cell.getAttribute('aria-label'), cell.className.split(' ').sort().join(' '), cell.getAttribute('aria-selected')]),
  legend: root.querySelectorAll('ol.legend > li').map((item) => [item.children.map((part) => `${part.localName}.${part.className} ${part.style.backgroundColor}`), item.childNodes.length, item.textContent]),
  status: root.querySelectorAll('p.status').map((status) => [status.getAttribute('aria-live'), status.textContent]),
})
const state = (root) => {
  const place = (cell) => `${cell.dataset.row},${cell.dataset.column}`
  return [root.querySelectorAll('td[tabindex="0"]').map(place), root.querySelectorAll('.selected').map(place), root.querySelectorAll('[aria-selected="true"]').map(place), root.querySelectorAll('[aria-selected]').length, root.querySelector('p.status')?.textContent ?? null, root.ownerDocument.activeElement ? place(root.ownerDocument.activeElement) : null]
}
const trams = () => ({ rows: ['A', 'B', 'C'], columns: ['6', '9', '12'], values: [[1, 5, 9], [null, 3], ['7', NaN, 4, 100]] })
const open = (data, options) => {
  const { Heatmap, document } = page('heatmap.js')
  const root = document.getElementById('map')
  root.append(document.createElement('hr'))
  const map = Heatmap.render(root, data, options)
  return { root, map, document, cell: (row, column) => root.querySelector(`td[data-row="${row}"][data-column="${column}"]`) }
}

observe('page', show(page('heatmap.js', 'trams.js').document.getElementById('map')))
observe('plain', show(open(trams()).root))
observe('options', show(open(trams(), { title: 'Rides <b>', unit: 'p/h', format: (value) => value.toFixed(2), missing: 'none', legend: 3, stops: ['#ffffff', '#777777', '#000000'], steps: 3 }).root))
observe('modes', [show(open(trams(), { mode: 'log', legend: 1 }).root), show(open(trams(), { mode: 'quantile', legend: 0, stops: ['#ffffff', '#767676', '#00ff00', '#0000ff'] }).root), show(open(trams(), { domain: [0, 2], legend: 2 }).root)])
observe('small', [show(open({ rows: [], columns: ['x'], values: [] }).root), show(open({ rows: ['x'], columns: [], values: [[1]] }).root), show(open({ rows: ['x'], columns: ['y'], values: [] }, { title: 't' }).root), show(open({ rows: ['x'], columns: ['y'], values: [[-2.5]] }, { legend: 2 }).root)])
const greys = Array.from({ length: 16 }, (_, index) => index)
observe('contrast', ['#808080', '#757575', '#747474', '#ff0000', '#00a000', '#0070ff', '#c04000'].map((stop) => open({ rows: ['r'], columns: greys.map(String), values: [greys] }, { stops: ['#000000', stop, '#ffffff'] }).root.querySelectorAll('td.cell').map((cell) => cell.style.color[1]).join('')))

const keys = (data, start, names) => {
  const { root, cell, document } = open(data, {})
  cell(...start).focus()
  return names.map((key) => {
    const event = new Event('keydown', { key, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
    return [key, event.defaultPrevented, ...state(root)]
  })
}
observe('keys', [keys(trams(), [0, 0], ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Home', 'ArrowLeft', 'End', 'PageDown', 'ArrowDown', 'PageUp', 'ArrowUp', 'x', 'Tab', 'ArrowDown']), keys(trams(), [1, 1], ['Enter', 'ArrowLeft', ' ', ' ', 'Escape', 'Enter', 'PageDown'])])

const log = []
const told = open(trams(), { unit: 'u', onSelect: (value) => log.push(value) })
const steps = []
const step = (action) => {
  action()
  steps.push([...state(told.root), log.splice(0)])
}
step(() => told.cell(1, 1).click())
step(() => told.cell(1, 0).click())
step(() => told.cell(1, 0).click())
step(() => told.map.select(2, 2))
step(() => told.map.select(9, 9))
step(() => told.map.select(-1, 0))
step(() => told.root.querySelector('th').click())
step(() => told.map.update({ ...trams(), rows: ['C', 'A', 'B', 'C'], values: [[1, 2, 3], [], [], [6]] }))
step(() => told.map.update({ rows: ['A', 'C'], columns: ['12', '9'], values: [[1, 2], [30, 4]] }))
step(() => told.map.update({ rows: ['A', 'C'], columns: ['9'], values: [[1], [30]] }))
step(() => told.cell(1, 0).click())
step(() => told.map.update({ rows: [], columns: [], values: [] }))
step(() => told.map.update(trams()))
step(() => told.cell(2, 0).click())
step(() => told.map.select(2, 0))
observe('selecting', steps)
const before = show(told.root)
told.map.update({ rows: ['Z'], columns: ['z'], values: [[8]] })
observe('updated', [before.cells.length, show(told.root)])
told.map.select(0, 0)
told.map.destroy()
told.map.update(trams())
told.map.select(0, 0)
told.map.destroy()
observe('destroyed', [told.root.childNodes.length, log.length])
