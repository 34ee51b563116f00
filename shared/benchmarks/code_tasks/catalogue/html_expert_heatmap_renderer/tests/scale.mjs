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

const { Heatmap } = page('heatmap.js')
const stops = ['#000000', '#ff8040']
const three = ['#102030', '#FFFFFF', '#a00005']
const colours = (values, options, asked) => thrown(() => {
  const scale = Heatmap.createScale(values, options)
  return [scale.domain, asked.map((value) => scale(value))]
})
const asked = [-1000, -3, 0, 0.5, 1, 2, 2.5, 3, 4, 7, 10, 11, 1e9, NaN, Infinity, null, undefined, '3', [3], true]
const sets = { plain: [0, 10], odd: [1, '9', null, NaN, Infinity, 2, 7, undefined, [4]], positive: [1, 2, 2, 4, 10, 10, 10], one: [3], none: [], negative: [-3, 7, 0.5] }
for (const [name, values] of Object.entries(sets)) {
  for (const mode of ['linear', 'log', 'quantile']) {
    observe(`${mode}_${name}`, [colours(values, { stops, mode }, asked), colours(values, { stops: three, mode, steps: 4 }, asked), colours(values, { stops, mode, domain: [1, 4] }, asked)])
  }
}
observe('steps', [2, 3, 5, 10].map((steps) => colours([0, 10], { stops: three, steps }, [0, 1, 2, 2.5, 3.3333, 4.9, 5, 6, 7.5, 9.99, 10])))
observe('rounding', [colours([0, 2], { stops: ['#000000', '#010305'] }, [0, 1, 2]), colours([0, 4], { stops: ['#050300', '#000001'] }, [0, 1, 2, 3, 4]), colours([0, 6], { stops: ['#000000', '#0a0a0a', '#000000', '#ffffff'] }, [0, 1, 2, 3, 4, 5, 6])])
observe('upper_case', colours([0, 1], { stops: ['#ABCDEF', '#abcdef'] }, [0, 0.5, 1]))
observe('domains', [colours([5], { stops, domain: [0, 10] }, [5, 0, 20]), colours([], { stops, domain: [2, 2] }, [1, 2, 3]), colours([1, 2, 3, 4], { stops, mode: 'quantile', domain: [2, 3] }, [0, 2, 2.5, 3, 9]), colours([], { stops, mode: 'quantile', domain: [0, 4] }, [1])])
observe('refused', [
  colours([1, 2], {}, []), colours([1, 2], { stops: ['#000000'] }, []), colours([1, 2], { stops: [], mode: 'x' }, []), colours([1, 2], { stops, mode: 'cubic', steps: 0 }, []), colours([1, 2], { stops, mode: 'toString' }, []),
  ...[1, 0, 2.5, '3', NaN, -4].map((steps) => colours([1, 2], { stops, steps, domain: [3, 1] }, [])), colours([1, 2], { stops, domain: [3, 1] }, []), colours([1, 2], { stops, mode: 'log', domain: [3, -1] }, []), colours([0, 2], { stops, mode: 'log' }, []), colours([-1], { stops, mode: 'log' }, []), colours([], { stops, mode: 'log' }, [1]), colours([1, 2], { stops, mode: 'log', domain: [0, 5] }, []),
])
