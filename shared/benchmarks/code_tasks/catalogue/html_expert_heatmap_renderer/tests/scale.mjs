import { close, observe, openPage } from './stage.mjs'

const page = await openPage(['heatmap.js'], () => null)
const held = await page.hold((window) => window.Heatmap)
const stops = ['#000000', '#ff8040']
const three = ['#102030', '#FFFFFF', '#a00005']

/** Values and questions that JSON cannot say, by their names; everything else stands for itself. */
const colours = (values, options, asked) => held.ask((Heatmap, values, options, asked) => {
  const odd = { nan: NaN, infinity: Infinity, undefined: undefined }
  const real = (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? odd[value.odd] : value)
  try {
    const steps = options.steps === undefined ? {} : { steps: real(options.steps) }
    const scale = Heatmap.createScale(values.map(real), { ...options, ...steps })
    return [scale.domain, asked.map((value) => scale(real(value)))]
  } catch (error) {
    return `${error.name}: ${error.message}`
  }
}, values, options, asked)
const inTurn = async (all, act) => {
  const done = []
  for (const one of all) done.push(await act(one))
  return done
}
const odd = (name) => ({ odd: name })
const asked = [-1000, -3, 0, 0.5, 1, 2, 2.5, 3, 4, 7, 10, 11, 1e9, odd('nan'), odd('infinity'), null, odd('undefined'), '3', [3], true]
const sets = { plain: [0, 10], odd: [1, '9', null, odd('nan'), odd('infinity'), 2, 7, odd('undefined'), [4]], positive: [1, 2, 2, 4, 10, 10, 10], one: [3], none: [], negative: [-3, 7, 0.5] }
for (const [name, values] of Object.entries(sets)) {
  for (const mode of ['linear', 'log', 'quantile']) {
    observe(`${mode}_${name}`, [await colours(values, { stops, mode }, asked), await colours(values, { stops: three, mode, steps: 4 }, asked), await colours(values, { stops, mode, domain: [1, 4] }, asked)])
  }
}
observe('steps', await inTurn([2, 3, 5, 10], (steps) => colours([0, 10], { stops: three, steps }, [0, 1, 2, 2.5, 3.3333, 4.9, 5, 6, 7.5, 9.99, 10])))
observe('rounding', [await colours([0, 2], { stops: ['#000000', '#010305'] }, [0, 1, 2]), await colours([0, 4], { stops: ['#050300', '#000001'] }, [0, 1, 2, 3, 4]), await colours([0, 6], { stops: ['#000000', '#0a0a0a', '#000000', '#ffffff'] }, [0, 1, 2, 3, 4, 5, 6])])
observe('upper_case', await colours([0, 1], { stops: ['#ABCDEF', '#abcdef'] }, [0, 0.5, 1]))
observe('domains', [await colours([5], { stops, domain: [0, 10] }, [5, 0, 20]), await colours([], { stops, domain: [2, 2] }, [1, 2, 3]), await colours([1, 2, 3, 4], { stops, mode: 'quantile', domain: [2, 3] }, [0, 2, 2.5, 3, 9]), await colours([], { stops, mode: 'quantile', domain: [0, 4] }, [1])])
observe('refused', await inTurn([
  [[1, 2], {}, []], [[1, 2], { stops: ['#000000'] }, []], [[1, 2], { stops: [], mode: 'x' }, []], [[1, 2], { stops, mode: 'cubic', steps: 0 }, []], [[1, 2], { stops, mode: 'toString' }, []],
  ...[1, 0, 2.5, '3', odd('nan'), -4].map((steps) => [[1, 2], { stops, steps, domain: [3, 1] }, []]), [[1, 2], { stops, domain: [3, 1] }, []], [[1, 2], { stops, mode: 'log', domain: [3, -1] }, []], [[0, 2], { stops, mode: 'log' }, []], [[-1], { stops, mode: 'log' }, []], [[], { stops, mode: 'log' }, [1]], [[1, 2], { stops, mode: 'log', domain: [0, 5] }, []],
], (given) => colours(...given)))
close()
